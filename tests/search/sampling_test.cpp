#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "search/beam_search.h"
#include "search/sampler.h"
#include "table_stepper.h"

namespace nmt {
namespace {

using test::Pieces;
using test::TableStepper;

constexpr float kNever = -std::numeric_limits<float>::infinity();

std::vector<float> logs(const std::vector<double>& probabilities) {
  std::vector<float> out;
  for (const double p : probabilities) out.push_back(static_cast<float>(std::log(p)));
  return out;
}

// The piece drawn for evenly spread numbers: each comes as often as its probability says.
std::map<PieceId, double> shares(const std::vector<float>& row, const SamplingOptions& options) {
  constexpr int kDraws = 1000;
  std::map<PieceId, double> counts;
  for (int i = 0; i < kDraws; ++i) counts[draw_piece(row, options, (i + 0.5) / kDraws)] += 1.0 / kDraws;
  return counts;
}

TEST(Sampling, DrawsEachPieceAsOftenAsItsProbabilitySays) {
  const std::map<PieceId, double> drawn = shares(logs({0.5, 0, 0.2, 0.3}), {});
  EXPECT_EQ(drawn.size(), 3U);
  EXPECT_NEAR(drawn.at(0), 0.5, 0.002);
  EXPECT_NEAR(drawn.at(2), 0.2, 0.002);
  EXPECT_NEAR(drawn.at(3), 0.3, 0.002);
}

TEST(Sampling, TemperatureTwoTakesTheSquareRootOfProbabilities) {
  SamplingOptions options;
  options.temperature = 2;
  const std::map<PieceId, double> drawn = shares(logs({0.64, 0.36}), options);
  EXPECT_NEAR(drawn.at(0), 0.8 / 1.4, 0.002);
}

TEST(Sampling, TopKAndTopPKeepTheLikeliest) {
  SamplingOptions options;
  options.top_k = 2;
  std::map<PieceId, double> drawn = shares(logs({0.1, 0.4, 0.2, 0.3}), options);
  EXPECT_EQ(drawn.size(), 2U);
  EXPECT_NEAR(drawn.at(1), 0.4 / 0.7, 0.002);
  EXPECT_NEAR(drawn.at(3), 0.3 / 0.7, 0.002);
  options.top_k = 0;
  options.top_p = 0.65;  // 0.4 + 0.3 reach it
  drawn = shares(logs({0.1, 0.4, 0.2, 0.3}), options);
  EXPECT_EQ(drawn.size(), 2U);
  EXPECT_NEAR(drawn.at(1), 0.4 / 0.7, 0.002);
  options.top_p = 0.01;  // the likeliest alone
  EXPECT_EQ(shares(logs({0.1, 0.4, 0.2, 0.3}), options).size(), 1U);
}

TEST(Sampling, NothingPossibleGivesNothing) {
  EXPECT_EQ(draw_piece(std::vector<float>(5, kNever), {}, 0.5), -1);
  EXPECT_EQ(draw_piece({}, {}, 0.5), -1);
}

TEST(Sampling, UniformNumbersAreUniformAndDependOnEveryArgument) {
  double sum = 0;
  for (uint64_t i = 0; i < 10000; ++i) {
    const double u = uniform_of(1, i, 0, 0);
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.01);  // standard error 0.003
  EXPECT_NE(uniform_of(1, 2, 3, 4), uniform_of(2, 2, 3, 4));
  EXPECT_NE(uniform_of(1, 2, 3, 4), uniform_of(1, 3, 3, 4));
  EXPECT_NE(uniform_of(1, 2, 3, 4), uniform_of(1, 2, 4, 4));
  EXPECT_NE(uniform_of(1, 2, 3, 4), uniform_of(1, 2, 3, 5));
}

TEST(Sampling, TranslationsComeAsOftenAsTheModelSays) {
  // "a end" 0.7 x 1, "b end" 0.3 x 0.5, "b a end" 0.3 x 0.5.
  const test::Table table = [](int64_t, const Pieces& prefix) {
    if (prefix.empty()) return logs({0, 0, 0, 0, 0.7, 0.3});
    if (prefix == Pieces{5}) return logs({0, 0, 0, 0.5, 0.5, 0});
    return logs({0, 0, 0, 1, 0, 0});
  };
  SearchOptions options;
  options.beam = 500;
  options.n_best = 500;
  options.sampling.enabled = true;
  TableStepper stepper(table, 6, {0}, {4});
  std::map<Pieces, int> counts;
  const auto found = beam_search(stepper, options);
  for (const Hypothesis& one : found.at(0)) ++counts[one.pieces];
  EXPECT_EQ(counts.size(), 3U);
  EXPECT_NEAR(counts[Pieces{4}], 350, 45);  // standard deviation 10
  EXPECT_NEAR(counts[Pieces{5}], 75, 35);
}

TEST(Sampling, TheSameSeedAndKeyGiveTheSameWhateverTheBatch) {
  const test::Table table = test::random_table(8, 30, 0.5);
  SearchOptions options;
  options.beam = options.n_best = 3;
  options.sampling.enabled = true;
  TableStepper together(table, 30, {5, 6, 7}, {4, 9, 6});
  const auto batch = beam_search(together, options, {{{}, 50}, {{}, 60}, {{}, 70}});
  TableStepper single(table, 30, {6}, {9});
  const auto alone = beam_search(single, options, {{{}, 60}});
  ASSERT_EQ(batch[1].size(), alone[0].size());
  for (size_t i = 0; i < alone[0].size(); ++i) EXPECT_EQ(batch[1][i].pieces, alone[0][i].pieces);
  options.sampling.seed = 2;
  TableStepper reseeded(table, 30, {6}, {9});
  EXPECT_NE(beam_search(reseeded, options, {{{}, 60}})[0][0].pieces, alone[0][0].pieces);
}

}  // namespace
}  // namespace nmt
