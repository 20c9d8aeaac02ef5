#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/parallel_count.h"
#include "metrics/resampling.h"
#include "metrics/ter.h"

namespace nmt {

// What `nmt eval` was asked. Names and defaults are those of sacreBLEU's command where it has the option.
struct EvalOptions {
  // Input
  std::vector<std::string> hypotheses;  // files, one for each system; "-" is standard input
  std::vector<std::string> references;  // files, one for each reference
  std::string source;                   // file; for scores by source length, or to be translated by `models`
  std::vector<std::string> models;      // model directories; then the only hypothesis is their translation of `source`
  std::optional<int64_t> beam;          // of that translation; else as the model was saved
  std::string device = "auto";          // likewise: auto, cpu, cuda or cuda:N
  metrics::InvalidUtf8 invalid_utf8 = metrics::InvalidUtf8::kError;

  // Metrics
  std::vector<std::string> metrics = {"bleu"};  // of "bleu", "chrf", "ter"
  metrics::BleuOptions bleu;
  metrics::ChrfOptions chrf;
  metrics::TerOptions ter;
  bool sentence_level = false;
  bool by_length = false;
  std::string plot;    // SVG file; empty: none
  bool force = false;  // no warning of text that looks tokenized

  // Confidence and significance
  bool confidence = false;
  size_t confidence_n = metrics::kBootstrapSamples;
  bool paired_bs = false;
  size_t paired_bs_n = metrics::kBootstrapSamples;
  bool paired_ar = false;
  size_t paired_ar_n = metrics::kRandomizationTrials;
  uint64_t seed = metrics::kResamplingSeed;

  // Report
  bool json = true;
  int width = 1;  // digits behind the point
  bool score_only = false;
  bool short_signature = false;
  bool sacrebleu_signature = false;
  int threads = 1;  // 0: as many as there are cores
};

}  // namespace nmt
