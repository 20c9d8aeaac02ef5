#include "search/score.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "search/constraints.h"
#include "search/search_options.h"

namespace nmt {
namespace {

TEST(Score, IsWhatTheFormulasGiveByHand) {
  ScoreRule rule;  // gnmt, alpha 1
  EXPECT_DOUBLE_EQ(rule.score(-6, 7), -3);
  rule.alpha = 2;
  EXPECT_DOUBLE_EQ(rule.score(-6, 7), -1.5);
  rule.alpha = 0;
  EXPECT_DOUBLE_EQ(rule.score(-6, 7), -6);
  rule.normalization = LengthNormalization::kAverage;
  EXPECT_DOUBLE_EQ(rule.score(-6, 3), -2);
  rule.word_reward = 0.5;
  EXPECT_DOUBLE_EQ(rule.score(-6, 3), -1.5);
  rule.normalization = LengthNormalization::kNone;
  EXPECT_DOUBLE_EQ(rule.score(-6, 3), -4.5);
  rule.coverage_penalty = 0.2;
  EXPECT_DOUBLE_EQ(rule.score(-6, 3, -10), -6.5);
}

TEST(Score, CoverageSumsTheLogarithmsOfWhatIsMissing) {
  const std::vector<float> sums = {1.7F, 1, 0.5F, 0.25F};
  EXPECT_NEAR(coverage_of(sums), std::log(0.5) + std::log(0.25), 1e-12);
  EXPECT_TRUE(std::isfinite(coverage_of(std::vector<float>{0})));
}

TEST(Score, NoContinuationScoresAboveTheBound) {
  std::mt19937_64 random(5);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1.0p-53;
  };
  for (int i = 0; i < 20000; ++i) {
    ScoreRule rule;
    rule.normalization = static_cast<LengthNormalization>(random() % 3);
    rule.alpha = uniform(0, 3);
    rule.word_reward = i % 2 == 0 ? 0 : uniform(-2, 2);
    rule.coverage_penalty = uniform(0, 2);
    const double prefix = uniform(-30, 0);
    const auto depth = static_cast<int64_t>(random() % 20);
    const auto longest = depth + 1 + static_cast<int64_t>(random() % 20);
    const double bound = rule.best_reachable(prefix, depth + 1, longest);
    const auto length = depth + 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(longest - depth));
    const double total = prefix - uniform(0, 5) * static_cast<double>(random() % 2);
    EXPECT_LE(rule.score(total, length, -uniform(0, 3)), bound + 1e-12);
  }
}

TEST(Limits, FollowTheSource) {
  SearchOptions options;
  options.max_length_ratio = 1.5;
  options.max_length_extra = 2;
  EXPECT_EQ(options.max_pieces(5), 9);
  EXPECT_EQ(options.max_pieces(0), 2);
  options.max_length_extra = 0;
  EXPECT_EQ(options.max_pieces(0), 1);
  EXPECT_EQ(options.min_pieces(10), 0);
  options.min_length_ratio = 0.25;
  EXPECT_EQ(options.min_pieces(10), 3);
  options.min_length = 7;
  EXPECT_EQ(options.min_pieces(10), 7);
  options.min_length = 70;
  EXPECT_EQ(options.min_pieces(10), 15);  // never above the maximum
}

TEST(Repeats, AreTheContinuationsOfEarlierNgrams) {
  const std::vector<PieceId> pieces = {7, 8, 9, 7, 8, 5, 7, 8};
  EXPECT_EQ(repeating_pieces(pieces, 3), (std::vector<PieceId>{9, 5}));
  EXPECT_EQ(repeating_pieces(pieces, 4), (std::vector<PieceId>{}));
  EXPECT_EQ(repeating_pieces(pieces, 1), pieces);
  EXPECT_EQ(repeating_pieces({}, 1), (std::vector<PieceId>{}));
  EXPECT_EQ(repeating_pieces({}, 2), (std::vector<PieceId>{}));
}

TEST(NeverProduced, HoldsPaddingBeginAndWhatIsAsked) {
  SearchOptions options;
  EXPECT_EQ(pieces_never_produced(options, 10), (std::vector<PieceId>{kPadId, kBosId}));
  options.forbid_unknown = true;
  options.forbidden = {9, 5, 5, 12, -1};
  EXPECT_EQ(pieces_never_produced(options, 10), (std::vector<PieceId>{kPadId, kUnkId, kBosId, 5, 9}));
}

}  // namespace
}  // namespace nmt
