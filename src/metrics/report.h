#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "metrics/metric.h"
#include "metrics/resampling.h"
#include "metrics/source_length.h"

// Results as text and as JSON, in the forms of sacreBLEU's command, so that what reads one reads the other.
namespace nmt::metrics {

struct ReportStyle {
  int width = 1;  // digits behind the point
  bool score_only = false;
  bool short_signature = false;  // in text; JSON always has the long form
  SignatureVersion version = SignatureVersion::kNmt;
};

// Scores of the lines whose source has a certain length; without a value where there is no such line.
using ScoresByLength = std::array<std::optional<double>, kLengthBuckets>;
using LinesByLength = std::array<size_t, kLengthBuckets>;

// One metric's result for one system.
struct MetricResult {
  Score score;
  Signature signature;
  std::optional<ScoreInterval> interval;  // from resampling
  std::optional<double> p_value;          // against the first system
  std::optional<ScoresByLength> by_length;
};

struct SystemResult {
  std::string name;
  std::vector<MetricResult> metrics;
};

// "BLEU|nrefs:1|...|version:... = 37.7 65.7/43.4/30.8/23.1 (BP = ...)", or the figure alone.
std::string result_text(const MetricResult& result, const ReportStyle& style);

// {"name": ..., "score": ..., "signature": ..., "verbose_score": ..., each field of the signature}. Scores are rounded
// to the width, as in text. `lines` is used with by_length.
nlohmann::ordered_json result_json(const MetricResult& result, const ReportStyle& style, const LinesByLength& lines);

// The report of a single system: a line for each metric, or an object for one and a list for several. Each ends in a
// newline.
std::string single_text(const std::vector<MetricResult>& results, const ReportStyle& style, const LinesByLength& lines);
std::string single_json(const std::vector<MetricResult>& results, const ReportStyle& style, const LinesByLength& lines);

// Of what a comparison's p-values are; nothing for scores alone.
enum class PairedTest { kNone, kBootstrap, kRandomization };

// The report of several systems: a table and the signatures, or a list with an object for each system.
std::string systems_text(const std::vector<SystemResult>& systems, PairedTest test, size_t samples,
                         const ReportStyle& style, const LinesByLength& lines);
std::string systems_json(const std::vector<SystemResult>& systems, PairedTest test, const ReportStyle& style,
                         const LinesByLength& lines);

}  // namespace nmt::metrics
