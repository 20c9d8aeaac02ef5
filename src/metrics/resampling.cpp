#include "metrics/resampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

#include "base/random.h"

namespace nmt::metrics {

namespace {

// Calls work(first, last) for a share of [0, count) in each thread.
template <class Work>
void in_threads(size_t count, int threads, const Work& work) {
  const size_t shares = std::min(count, static_cast<size_t>(std::max(1, threads)));
  std::vector<std::jthread> helpers;
  for (size_t t = 1; t < shares; ++t) {
    helpers.emplace_back([=, &work] { work(count * t / shares, count * (t + 1) / shares); });
  }
  if (shares > 0) work(0, count / shares);
}

void add_line(std::vector<double>& sums, std::span<const double> lines, size_t line) {
  const double* statistics = lines.data() + line * sums.size();
  for (size_t k = 0; k < sums.size(); ++k) sums[k] += statistics[k];
}

// With the actual arrangement counted as one of the samples, a p-value is never 0 (Riezler and Maxwell, section 4).
double p_value(size_t at_least_as_far, size_t samples) {
  return static_cast<double>(at_least_as_far + 1) / static_cast<double>(samples + 1);
}

}  // namespace

std::vector<double> bootstrap_scores(const Metric& metric, std::span<const double> lines,
                                     const ResamplingOptions& options) {
  const size_t count = lines.size() / metric.statistics();
  std::vector<double> scores(options.samples);
  in_threads(options.samples, options.threads, [&](size_t first, size_t last) {
    std::vector<double> sums;
    for (size_t sample = first; sample < last; ++sample) {
      SplitMix64 random(mix_seed(options.seed, sample));  // its own, so that threads don't matter
      sums.assign(metric.statistics(), 0.0);
      for (size_t i = 0; i < count; ++i) add_line(sums, lines, random.below(count));
      scores[sample] = metric.value(sums);
    }
  });
  return scores;
}

ScoreInterval interval(std::vector<double> scores) {
  std::sort(scores.begin(), scores.end());
  const size_t cut = scores.size() / 40;  // 2.5 % at each end
  const double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
  return {sum / static_cast<double>(scores.size()), (scores[scores.size() - 1 - cut] - scores[cut]) / 2};
}

double paired_bootstrap_p(std::span<const double> baseline_scores, std::span<const double> system_scores,
                          double difference) {
  if (difference == 0) return 1;
  const size_t samples = baseline_scores.size();
  std::vector<double> differences(samples);
  for (size_t i = 0; i < samples; ++i) differences[i] = std::abs(system_scores[i] - baseline_scores[i]);
  const double mean = std::accumulate(differences.begin(), differences.end(), 0.0) / static_cast<double>(samples);
  const auto farther =
      std::count_if(differences.begin(), differences.end(), [&](double d) { return d - mean > std::abs(difference); });
  return p_value(static_cast<size_t>(farther), samples);
}

double paired_randomization_p(const Metric& metric, std::span<const double> baseline_lines,
                              std::span<const double> system_lines, double difference,
                              const ResamplingOptions& options) {
  if (difference == 0) return 1;
  const size_t count = baseline_lines.size() / metric.statistics();
  std::vector<char> farther(options.samples, 0);
  in_threads(options.samples, options.threads, [&](size_t first, size_t last) {
    std::vector<double> a, b;
    for (size_t trial = first; trial < last; ++trial) {
      SplitMix64 random(mix_seed(options.seed, trial));
      a.assign(metric.statistics(), 0.0);
      b = a;
      for (uint64_t i = 0, bits = 0; i < count; ++i, bits >>= 1) {
        if (i % 64 == 0) bits = random.next();
        add_line(a, (bits & 1) ? baseline_lines : system_lines, i);
        add_line(b, (bits & 1) ? system_lines : baseline_lines, i);
      }
      farther[trial] = std::abs(metric.value(a) - metric.value(b)) > std::abs(difference);
    }
  });
  return p_value(static_cast<size_t>(std::count(farther.begin(), farther.end(), 1)), options.samples);
}

}  // namespace nmt::metrics
