#include "metrics/chrf.h"

#include "base/error.h"

namespace nmt::metrics {

namespace {

constexpr double kEpsilon = 1e-16;

void check_at_least(int value, int least, const char* what) {
  if (value >= least) return;
  throw UsageError(std::string("chrF's ") + what + " is " + std::to_string(value) + "; expected " +
                   std::to_string(least) + " or more.");
}

// F-score of which recall weighs beta times as much as precision; `weight` is beta squared.
double f_score(double precision, double recall, double weight) {
  return (1 + weight) * precision * recall / (weight * precision + recall);
}

}  // namespace

void check(const ChrfOptions& options) {
  check_at_least(options.char_order, 0, "character order");
  check_at_least(options.word_order, 0, "word order");
  check_at_least(options.beta, 0, "beta");
  if (options.char_order + options.word_order == 0) {
    throw UsageError("chrF's character and word order are both 0; expected one of 1 or more.");
  }
}

Chrf::Chrf(const ChrfOptions& options) : options_(options) { check(options); }

std::string Chrf::name() const {
  return "chrF" + std::to_string(options_.beta) + std::string(static_cast<size_t>(options_.word_order), '+');
}

size_t Chrf::statistics() const { return 3 * static_cast<size_t>(options_.char_order + options_.word_order); }

double Chrf::value(std::span<const double> sums) const {
  const double weight = static_cast<double>(options_.beta) * options_.beta;
  double sum_of_scores = 0;
  double sum_of_precisions = 0;
  double sum_of_recalls = 0;
  int effective_orders = 0;
  for (size_t i = 0; i < sums.size(); i += 3) {
    const double hypothesis = sums[i];
    const double reference = sums[i + 1];
    const double precision = hypothesis > 0 ? sums[i + 2] / hypothesis : kEpsilon;
    const double recall = reference > 0 ? sums[i + 2] / reference : kEpsilon;
    sum_of_scores += weight * precision + recall > 0 ? f_score(precision, recall, weight) : kEpsilon;
    if (hypothesis > 0 && reference > 0) {
      sum_of_precisions += precision;
      sum_of_recalls += recall;
      ++effective_orders;
    }
  }
  if (options_.eps_smoothing) return 100 * sum_of_scores / (static_cast<double>(sums.size()) / 3);
  if (sum_of_precisions + sum_of_recalls == 0) return 0;
  return 100 * f_score(sum_of_precisions / effective_orders, sum_of_recalls / effective_orders, weight);
}

void Chrf::describe(Signature& signature) const {
  signature.add("case", "c", options_.lowercase ? "lc" : "mixed");
  signature.add("eff", "e", options_.eps_smoothing ? "no" : "yes");
  signature.add("nc", "nc", std::to_string(options_.char_order));
  signature.add("nw", "nw", std::to_string(options_.word_order));
  signature.add("space", "s", options_.whitespace ? "yes" : "no");
}

}  // namespace nmt::metrics
