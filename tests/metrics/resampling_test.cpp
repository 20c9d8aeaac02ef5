#include "metrics/resampling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "metrics/parity.h"

namespace nmt::metrics {
namespace {

// The mean of one number a line, whose sampling distribution is known.
class MeanMetric : public Metric {
 public:
  std::string name() const override { return "mean"; }
  size_t statistics() const override { return 2; }
  std::unique_ptr<SegmentCounter> make_counter() const override { return nullptr; }
  Score score(std::span<const double> sums) const override { return {name(), value(sums), ""}; }
  double value(std::span<const double> sums) const override { return sums[0] / sums[1]; }
  void describe(Signature&) const override {}
};

std::vector<double> uniform_lines(size_t count, uint64_t seed, double shift) {
  SplitMix64 random(seed);
  std::vector<double> lines;
  for (size_t i = 0; i < count; ++i) lines.insert(lines.end(), {random.unit() + shift, 1});
  return lines;
}

double mean_of(const std::vector<double>& lines) {
  double sum = 0;
  for (size_t i = 0; i < lines.size(); i += 2) sum += lines[i];
  return sum / (static_cast<double>(lines.size()) / 2);
}

TEST(Resampling, IntervalOfAMeanIsTheNormalOne) {
  const std::vector<double> lines = uniform_lines(1000, 1, 0);
  const ScoreInterval found = interval(bootstrap_scores(MeanMetric(), lines, {.samples = 4000}));
  double squares = 0;
  for (size_t i = 0; i < lines.size(); i += 2) squares += std::pow(lines[i] - mean_of(lines), 2);
  const double deviation = std::sqrt(squares / 1000 / 1000);
  EXPECT_NEAR(found.mean, mean_of(lines), 4 * deviation / std::sqrt(4000));
  EXPECT_NEAR(found.half_width, 1.96 * deviation, 0.08 * deviation);
}

TEST(Resampling, IntervalCutsAFortiethAtEachEnd) {
  std::vector<double> scores;
  for (int i = 100; i > 0; --i) scores.push_back(i);
  EXPECT_EQ(interval(scores).half_width, (98 - 3) / 2.0);
  EXPECT_EQ(interval(scores).mean, 50.5);
}

TEST(Resampling, RandomizationFindsTheExactProbability) {
  // Lines 1, 2, 4 better by: of the 8 ways to exchange them none exceeds the difference, two equal it; exchanged lines
  // with differences 3, 1, 1: a difference of sums above 1 comes of the 6 ways in which not (+3 -1 -1) or its opposite.
  const std::vector<double> base = {0, 1, 0, 1, 0, 1};
  const ResamplingOptions options = {.samples = 20000};
  EXPECT_NEAR(paired_randomization_p(MeanMetric(), base, std::vector<double>{1, 1, 2, 1, 4, 1}, 7.0 / 3, options), 0,
              1e-4);
  EXPECT_NEAR(paired_randomization_p(MeanMetric(), base, std::vector<double>{3, 1, -1, 1, -1, 1}, 1.0 / 3, options),
              0.75, 0.02);
}

TEST(Resampling, SystemsThatScoreTheSameDoNotDiffer) {
  const std::vector<double> lines = uniform_lines(50, 3, 0);
  EXPECT_EQ(paired_randomization_p(MeanMetric(), lines, lines, 0, {}), 1);
  const std::vector<double> scores = bootstrap_scores(MeanMetric(), lines, {});
  EXPECT_EQ(paired_bootstrap_p(scores, scores, 0), 1);
}

TEST(Resampling, PValuesTellChanceFromADifference) {
  const MeanMetric mean;
  const std::vector<double> a = uniform_lines(400, 1, 0);
  const std::vector<double> same = uniform_lines(400, 2, 0);
  const std::vector<double> better = uniform_lines(400, 2, 0.2);
  const auto both = [&](const std::vector<double>& b) {
    const double difference = mean_of(b) - mean_of(a);
    return std::pair(paired_bootstrap_p(bootstrap_scores(mean, a, {}), bootstrap_scores(mean, b, {}), difference),
                     paired_randomization_p(mean, a, b, difference, {}));
  };
  EXPECT_GT(both(same).first, 0.05);
  EXPECT_GT(both(same).second, 0.05);
  EXPECT_LT(both(better).first, 0.01);
  EXPECT_LT(both(better).second, 0.001);
}

TEST(Resampling, SeedsAndThreads) {
  const std::vector<double> lines = uniform_lines(100, 1, 0);
  const std::vector<double> one = bootstrap_scores(MeanMetric(), lines, {.samples = 101, .threads = 1});
  EXPECT_EQ(one, bootstrap_scores(MeanMetric(), lines, {.samples = 101, .threads = 3}));
  EXPECT_NE(one, bootstrap_scores(MeanMetric(), lines, {.samples = 101, .seed = 1}));
}

// sacreBLEU 2.6.0 on two systems of the shared data (head100, generaltest2022.en-de, reference A, PROMT and OpenNMT;
// --confidence-n and --paired-bs-n 1000, --paired-ar-n 10000). Its random numbers differ: from samples of 1000 a mean
// is known to about 0.05 points here, an interval's half width to about 6 %, a p-value to 0.03 (bootstrap) and 0.01.
struct Expected {
  const char* metric;
  double mean, half_width, system_mean, system_half_width, p_bootstrap, p_randomization;
};

TEST(Resampling, AgreesWithSacreBleuWithinSamplingNoise) {
  NMT_SKIP_WITHOUT_SHARED("data/metrics/head100");
  FileCache files(shared_metrics());
  const std::string pair = "head100/generaltest2022.en-de.";
  const auto lines_of = [&](const Metric& metric, const std::string& system) {
    const std::vector<std::string>& hypotheses = files.lines(pair + "hyp." + system + ".de");
    std::vector<double> out;
    for (size_t i = 0; i < hypotheses.size(); ++i) {
      const auto line = count_corpus(metric, {hypotheses[i]}, {files.references(pair + "ref.A.de")[i]}).sums;
      out.insert(out.end(), line.begin(), line.end());
    }
    return out;
  };
  const auto sums = [](const Metric& metric, const std::vector<double>& lines) {
    std::vector<double> out(metric.statistics(), 0.0);
    for (size_t i = 0; i < lines.size(); ++i) out[i % out.size()] += lines[i];
    return metric.value(out);
  };
  for (const Expected& expected : {
           Expected{"BLEU", 37.7250, 3.7105, 37.2508, 3.5228, 0.2368, 0.6738},
           Expected{"chrF2", 64.3953, 2.5197, 64.8293, 2.5731, 0.2198, 0.6251},
           Expected{"TER", 49.8518, 3.6332, 49.7348, 3.8136, 0.4126, 0.9282},
       }) {
    SCOPED_TRACE(expected.metric);
    const auto metric = metric_from_params(expected.metric, nlohmann::json::object());
    const std::vector<double> baseline = lines_of(*metric, "PROMT");
    const std::vector<double> system = lines_of(*metric, "OpenNMT");
    const std::vector<double> baseline_scores = bootstrap_scores(*metric, baseline, {});
    const std::vector<double> system_scores = bootstrap_scores(*metric, system, {});
    EXPECT_NEAR(interval(baseline_scores).mean, expected.mean, 0.3);
    EXPECT_NEAR(interval(baseline_scores).half_width, expected.half_width, 0.12 * expected.half_width);
    EXPECT_NEAR(interval(system_scores).mean, expected.system_mean, 0.3);
    EXPECT_NEAR(interval(system_scores).half_width, expected.system_half_width, 0.12 * expected.system_half_width);
    const double difference = sums(*metric, system) - sums(*metric, baseline);
    EXPECT_NEAR(paired_bootstrap_p(baseline_scores, system_scores, difference), expected.p_bootstrap, 0.06);
    EXPECT_NEAR(paired_randomization_p(*metric, baseline, system, difference, {}), expected.p_randomization, 0.03);
  }
}

}  // namespace
}  // namespace nmt::metrics
