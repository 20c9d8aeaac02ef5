#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace nmt {

// By what the log-probability of a hypothesis is divided before hypotheses of unequal length are compared.
enum class LengthNormalization {
  kNone,     // 1
  kAverage,  // length
  kGnmt      // ((5 + length) / 6)^alpha, Wu et al. 2016 (arXiv:1609.08144), equation 14
};

// How hypotheses are ranked. With `length` the number of predictions, i.e. of pieces and, where finished, the end mark:
//
//   score = (log_prob + word_reward * length) / divisor(length) + coverage_penalty * coverage
//
// `word_reward` (He et al. 2016) is a plain sum with normalisation none. `coverage` is the sum over source positions i
// of log(min(sum over predictions t of attention_ti, 1)), Wu et al. 2016, equation 14; it is never above 0.
struct ScoreRule {
  LengthNormalization normalization = LengthNormalization::kGnmt;
  double alpha = 1;             // at least 0; for kGnmt
  double word_reward = 0;       // natural log units for each prediction; negative shortens
  double coverage_penalty = 0;  // beta of equation 14, at least 0

  double divisor(int64_t length) const {
    switch (normalization) {
      case LengthNormalization::kNone: return 1;
      case LengthNormalization::kAverage: return static_cast<double>(std::max<int64_t>(length, 1));
      case LengthNormalization::kGnmt: return std::pow((5.0 + static_cast<double>(length)) / 6.0, alpha);
    }
    return 1;
  }

  double score(double log_prob, int64_t length, double coverage = 0) const {
    const double plain = (log_prob + word_reward * static_cast<double>(length)) / divisor(length);
    return coverage_penalty == 0 ? plain : plain + coverage_penalty * coverage;
  }

  // The highest score that any continuation of a prefix can reach, where the prefix has log-probability `log_prob`
  // and its continuations end after `shortest` to `longest` predictions. See docs/search.md for the proof.
  double best_reachable(double log_prob, int64_t shortest, int64_t longest) const {
    if (word_reward == 0) return score(log_prob, longest);
    double best = -std::numeric_limits<double>::infinity();
    for (int64_t length = shortest; length <= longest; ++length) best = std::max(best, score(log_prob, length));
    return best;
  }
};

// The coverage term from the attention each source position got in all ([S], summed over predictions). A position
// that got nothing counts as 1e-12, so that the term stays finite.
inline double coverage_of(std::span<const float> attention_sums) {
  double coverage = 0;
  for (const float sum : attention_sums) {
    coverage += std::log(std::min(std::max(static_cast<double>(sum), 1e-12), 1.0));
  }
  return coverage;
}

}  // namespace nmt
