#include "metrics/bleu.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/strings.h"
#include "metrics/corpus.h"

namespace nmt::metrics {

namespace {

constexpr const char* kSmoothingNames[] = {"exp", "floor", "add-k", "none"};  // in the order of BleuSmoothing
constexpr double kLogOfZero = -9999999999.0;  // in place of minus infinity: the mean of logs stays a number
constexpr double kRounding = 1e-9;  // exp(log 100) is a little above 100; only a huge smooth_value goes beyond

double smooth_value(const BleuOptions& options) {
  return options.smooth_value.value_or(options.smoothing == BleuSmoothing::kFloor ? 0.1 : 1.0);
}

double brevity_penalty(double hypothesis_length, double reference_length) {
  if (hypothesis_length >= reference_length) return 1;
  return hypothesis_length > 0 ? std::exp(1 - reference_length / hypothesis_length) : 0;
}

// Precision of each order in percent, smoothed; add-k changes the counts themselves. Returns the order up to which
// the mean goes.
size_t smoothed_precisions(const BleuOptions& options, BleuScore& out) {
  const double value = smooth_value(options);
  double halvings = 1;
  size_t effective_order = out.counts.size();
  for (size_t n = 0; n < out.counts.size(); ++n) {
    double& matches = out.counts[n];
    double& total = out.totals[n];
    if (options.smoothing == BleuSmoothing::kAddK && n > 0) {
      matches += value;
      total += value;
    }
    if (total == 0) break;
    if (options.effective_order) effective_order = n + 1;
    if (matches != 0) {
      out.precisions[n] = 100. * matches / total;
    } else if (options.smoothing == BleuSmoothing::kExp) {
      halvings *= 2;
      out.precisions[n] = 100. / (halvings * total);
    } else if (options.smoothing == BleuSmoothing::kFloor) {
      out.precisions[n] = 100. * value / total;
    }
  }
  return effective_order;
}

}  // namespace

const char* smoothing_name(BleuSmoothing smoothing) { return kSmoothingNames[static_cast<size_t>(smoothing)]; }

BleuSmoothing parse_smoothing(std::string_view name) {
  const std::vector<std::string> names(std::begin(kSmoothingNames), std::end(kSmoothingNames));
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<BleuSmoothing>(found - names.begin());
  throw UsageError("Unknown smoothing method '" + std::string(name) + "'; expected one of " + join(names, ", ") + "." +
                   did_you_mean(name, names));
}

void check(const BleuOptions& options) {
  if (options.max_ngram_order < 1) {
    throw UsageError("BLEU's largest n-gram order is " + std::to_string(options.max_ngram_order) +
                     "; expected 1 or more (usual: 4).");
  }
  if (options.smooth_value && !(*options.smooth_value >= 0 && std::isfinite(*options.smooth_value))) {
    throw UsageError(
        fmt::format("BLEU's smoothing value is {}; expected a number of 0 or more.", *options.smooth_value));
  }
}

std::string BleuScore::verbose() const {
  std::string out;
  for (const double precision : precisions) out += fmt::format("{}{:.1f}", out.empty() ? "" : "/", precision);
  const double ratio =
      reference_length != 0 ? static_cast<double>(hypothesis_length) / static_cast<double>(reference_length) : 0;
  return out + fmt::format(" (BP = {:.3f} ratio = {:.3f} hyp_len = {} ref_len = {})", brevity_penalty, ratio,
                           hypothesis_length, reference_length);
}

Bleu::Bleu(const BleuOptions& options) : options_(options) { check(options); }

BleuScore Bleu::details(std::span<const double> sums) const {
  const auto order = static_cast<size_t>(options_.max_ngram_order);
  BleuScore out;
  out.hypothesis_length = std::llround(sums[0]);
  out.reference_length = std::llround(sums[1]);
  out.counts.assign(sums.begin() + 2, sums.begin() + 2 + static_cast<std::ptrdiff_t>(order));
  out.totals.assign(sums.begin() + 2 + static_cast<std::ptrdiff_t>(order), sums.end());
  out.precisions.assign(order, 0.0);
  out.brevity_penalty = brevity_penalty(sums[0], sums[1]);
  if (std::all_of(out.counts.begin(), out.counts.end(), [](double count) { return count == 0; })) return out;

  const size_t effective_order = smoothed_precisions(options_, out);
  double sum_of_logs = 0;
  for (size_t n = 0; n < effective_order; ++n) {
    sum_of_logs += out.precisions[n] == 0 ? kLogOfZero : std::log(out.precisions[n]);
  }
  out.score = out.brevity_penalty * std::exp(sum_of_logs / static_cast<double>(effective_order));
  if (out.score > 100 && out.score < 100 + kRounding) out.score = 100;
  return out;
}

Score Bleu::score(std::span<const double> sums) const {
  const BleuScore found = details(sums);
  return {name(), found.score, found.verbose()};
}

double Bleu::value(std::span<const double> sums) const { return details(sums).score; }

void Bleu::describe(Signature& signature) const {
  std::string smoothing = smoothing_name(options_.smoothing);
  if (options_.smoothing == BleuSmoothing::kFloor || options_.smoothing == BleuSmoothing::kAddK) {
    smoothing += fmt::format("[{:.2f}]", smooth_value(options_));
  }
  signature.add("case", "c", options_.lowercase ? "lc" : "mixed");
  signature.add("eff", "e", options_.effective_order ? "yes" : "no");
  signature.add("tok", "tok", tokenizer_name(options_.tokenizer));
  signature.add("smooth", "s", smoothing);
}

BleuScore corpus_bleu(const std::vector<std::string>& hypotheses,
                      const std::vector<std::vector<std::string>>& references, const BleuOptions& options) {
  const Bleu bleu(options);
  const CorpusCounts counts = count_corpus(bleu, hypotheses, references);
  BleuScore out = bleu.details(counts.sums);
  out.signature = counts.signature.text(SignatureVersion::kNmt);
  return out;
}

BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
                      const BleuOptions& options) {
  std::vector<std::vector<std::string>> nested;
  nested.reserve(references.size());
  for (const std::string& reference : references) nested.push_back({reference});
  return corpus_bleu(hypotheses, nested, options);
}

BleuScore sentence_bleu(const std::string& hypothesis, const std::vector<std::string>& references,
                        const BleuOptions& options) {
  return corpus_bleu({hypothesis}, std::vector<std::vector<std::string>>{references}, options);
}

}  // namespace nmt::metrics
