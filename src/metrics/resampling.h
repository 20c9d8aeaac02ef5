#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/metric.h"

// How far a score, or the difference of two, may be chance, judged by drawing the lines of the test set anew (Koehn
// 2004, "Statistical significance tests for machine translation evaluation") or by exchanging the outputs of two
// systems at random (Riezler and Maxwell 2005, "On some pitfalls in automatic evaluation and significance testing for
// MT"). As sacreBLEU does it, but for the random numbers: figures agree with its figures within sampling noise.
namespace nmt::metrics {

inline constexpr size_t kBootstrapSamples = 1000;
inline constexpr size_t kRandomizationTrials = 10000;
inline constexpr uint64_t kResamplingSeed = 12345;

struct ResamplingOptions {
  size_t samples = kBootstrapSamples;
  uint64_t seed = kResamplingSeed;  // the same seed draws the same lines for every system and metric
  int threads = 1;                  // results don't depend on it
};

// Mean of the resampled scores, and half the width of the interval that holds the middle 95 % of them.
struct ScoreInterval {
  double mean = 0;
  double half_width = 0;
};

// The scores of samples of as many lines, drawn with replacement. `lines` holds the statistics of all lines.
std::vector<double> bootstrap_scores(const Metric& metric, std::span<const double> lines,
                                     const ResamplingOptions& options);

ScoreInterval interval(std::vector<double> scores);

// The chance of a score difference of this size or more between systems of equal quality: of bootstrap scores, by
// their differences about the mean difference.
double paired_bootstrap_p(std::span<const double> baseline_scores, std::span<const double> system_scores,
                          double difference);

// The same by approximate randomization: each line's two outputs change places with probability 1/2.
double paired_randomization_p(const Metric& metric, std::span<const double> baseline_lines,
                              std::span<const double> system_lines, double difference,
                              const ResamplingOptions& options);

}  // namespace nmt::metrics
