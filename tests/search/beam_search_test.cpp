#include "search/beam_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "search_one.h"

namespace nmt {
namespace {

using test::options_of;
using test::Pieces;
using test::search_one;
using test::Table;
using test::TableStepper;

constexpr float kNever = -std::numeric_limits<float>::infinity();
constexpr PieceId kA = 4;
constexpr PieceId kB = 5;

// A table small enough to follow by hand: P(a)=0.6, P(b)=0.4; after a everything is flat, after b the end is certain.
std::vector<float> by_hand(int64_t, const Pieces& prefix) {
  const auto ln = [](double p) { return static_cast<float>(std::log(p)); };
  if (prefix.empty()) return {kNever, kNever, kNever, kNever, ln(0.6), ln(0.4)};
  if (prefix.size() == 1 && prefix[0] == kB) return {kNever, kNever, kNever, ln(1), kNever, kNever};
  if (prefix.size() == 1) return {kNever, kNever, kNever, ln(0.3), ln(0.35), ln(0.35)};
  return {kNever, kNever, kNever, ln(1), kNever, kNever};
}

TEST(BeamSearch, GreedyFollowsTheLikeliestPieceAndBeamTwoFindsTheBetterTranslation) {
  const std::vector<Hypothesis> greedy = search_one(by_hand, 6, 0, 2, options_of(1, 0));
  ASSERT_EQ(greedy.size(), 1U);
  EXPECT_EQ(greedy[0].pieces, (Pieces{kA, kA}));  // 0.6 x 0.35; of the two with 0.35 the lower id
  EXPECT_NEAR(greedy[0].log_prob, std::log(0.6 * 0.35), 1e-6);
  const std::vector<Hypothesis> wider = search_one(by_hand, 6, 0, 2, options_of(2, 0));
  EXPECT_EQ(wider[0].pieces, Pieces{kB});
  EXPECT_NEAR(wider[0].log_prob, std::log(0.4), 1e-6);
}

// What each way of choosing makes of scores that aren't normalized, with a prefix and phrases in some sentences.
TEST(BeamSearch, TakesNormalizersOff) {
  constexpr int64_t kVocab = 80;
  const Table table = test::random_table(7, kVocab, 2);
  SearchOptions plain = options_of(4, 1, 1.5, 3);
  plain.n_best = 2;
  plain.piece_log_probs = true;
  SearchOptions grouped = plain, sampled = plain;
  grouped.diversity_groups = 2;
  grouped.diversity_penalty = 0.5;
  sampled.sampling.enabled = true;
  for (const SearchOptions& options : {plain, grouped, sampled}) {
    std::vector<SentenceRequest> requests(3);
    requests[1].prefix = {kA, kB};
    if (!options.sampling.enabled && options.diversity_groups == 1) requests[2].phrases = {{{kB, kA}}};
    TableStepper normalized(table, kVocab, {0, 1, 2}, {3, 4, 5});
    TableStepper shifted(table, kVocab, {0, 1, 2}, {3, 4, 5});
    shifted.shift(2.75);
    const auto wanted = beam_search(normalized, options, requests);
    const auto got = beam_search(shifted, options, requests);
    for (size_t b = 0; b < 3; ++b) {
      ASSERT_EQ(got[b].size(), wanted[b].size());
      for (size_t i = 0; i < got[b].size(); ++i) {
        EXPECT_EQ(got[b][i].pieces, wanted[b][i].pieces);
        EXPECT_NEAR(got[b][i].log_prob, wanted[b][i].log_prob, 1e-4);
        for (size_t t = 0; t < got[b][i].piece_log_probs.size(); ++t) {
          EXPECT_NEAR(got[b][i].piece_log_probs[t], wanted[b][i].piece_log_probs[t], 1e-5);
        }
      }
    }
  }
}

TEST(BeamSearch, ABatchGivesWhatItsSentencesGiveAlone) {
  constexpr int64_t kVocab = 12;
  const Table table = test::random_table(99, kVocab, 2);
  std::vector<int64_t> sentences;
  std::vector<int64_t> lengths;
  for (int64_t b = 0; b < 17; ++b) {
    sentences.push_back(b);
    lengths.push_back(1 + (b * 5) % 9);
  }
  SearchOptions options = options_of(4, 1, 1.5, 3);
  options.n_best = 3;
  TableStepper batch(table, kVocab, sentences, lengths);
  const auto together = beam_search(batch, options);
  std::vector<int64_t> reversed_sentences(sentences.rbegin(), sentences.rend());
  std::vector<int64_t> reversed_lengths(lengths.rbegin(), lengths.rend());
  TableStepper permuted(table, kVocab, reversed_sentences, reversed_lengths);
  const auto backwards = beam_search(permuted, options);
  for (size_t b = 0; b < sentences.size(); ++b) {
    TableStepper single(table, kVocab, {sentences[b]}, {lengths[b]});
    const auto alone = beam_search(single, options).at(0);
    const auto& mirrored = backwards[sentences.size() - 1 - b];
    ASSERT_EQ(together[b].size(), alone.size());
    ASSERT_EQ(mirrored.size(), alone.size());
    for (size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(together[b][i].pieces, alone[i].pieces);
      EXPECT_EQ(together[b][i].score, alone[i].score);
      EXPECT_EQ(mirrored[i].pieces, alone[i].pieces);
      EXPECT_EQ(mirrored[i].score, alone[i].score);
    }
  }
}

TEST(BeamSearch, FinishedSentencesLeaveTheBatch) {
  // Sentence b ends after b pieces, certainly.
  const Table table = [](int64_t sentence, const Pieces& prefix) {
    std::vector<float> row(6, kNever);
    row[static_cast<int64_t>(prefix.size()) < sentence ? kA : kEosId] = 0;
    return row;
  };
  TableStepper stepper(table, 6, {0, 1, 2, 3}, {4, 4, 4, 4});
  const auto found = beam_search(stepper, options_of(3, 1));
  for (size_t b = 0; b < 4; ++b) EXPECT_EQ(found[b].at(0).pieces, Pieces(b, kA));
  EXPECT_EQ(stepper.rows_per_step, (std::vector<size_t>{4, 3, 2, 1}));
}

TEST(BeamSearch, TheEndAtOnceGivesAnEmptyTranslationInOneStep) {
  const Table table = [](int64_t, const Pieces&) { return std::vector<float>{kNever, kNever, kNever, 0, kNever}; };
  TableStepper stepper(table, 5, {0, 1}, {5, 9});
  for (const auto& hypotheses : beam_search(stepper, options_of(5, 1))) {
    ASSERT_EQ(hypotheses.size(), 1U);
    EXPECT_TRUE(hypotheses[0].pieces.empty());
    EXPECT_TRUE(hypotheses[0].finished);
    EXPECT_EQ(hypotheses[0].log_prob, 0);
  }
  EXPECT_EQ(stepper.rows_per_step.size(), 1U);
}

TEST(BeamSearch, WithoutAnEndTheLimitCutsAndTheHypothesisSaysSo) {
  const Table table = [](int64_t, const Pieces&) {
    return std::vector<float>{kNever, kNever, kNever, kNever, -0.1F, -2.4F};
  };
  SearchOptions options = options_of(2, 1, 2, 3);
  options.n_best = 2;
  const auto found = search_one(table, 6, 0, 4, options);  // 2 x 4 + 3 pieces
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].pieces, Pieces(11, kA));
  EXPECT_FALSE(found[0].finished);
  EXPECT_NEAR(found[0].score, 11 * -0.1 / (16.0 / 6.0), 1e-6);
}

TEST(BeamSearch, AnUnfinishedHypothesisIsGivenOnlyWhereNothingFinished) {
  // The end has probability 0.01 everywhere; the likeliest path never takes it.
  const Table table = [](int64_t, const Pieces&) {
    return std::vector<float>{kNever, kNever, kNever, std::log(0.01F), std::log(0.99F)};
  };
  const auto found = search_one(table, 5, 0, 3, options_of(2, 0));
  EXPECT_TRUE(found[0].finished);
  EXPECT_TRUE(found[0].pieces.empty());  // 0.01, with the sum as score: each further piece costs
}

TEST(BeamSearch, DeadEndsGiveWhatWasFoundBefore) {
  const Table table = [](int64_t, const Pieces& prefix) {
    std::vector<float> row(6, kNever);
    if (prefix.size() < 2) row[kB] = -0.5F;
    return row;
  };
  const auto found = search_one(table, 6, 0, 9, options_of(3, 1));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].pieces, (Pieces{kB, kB}));
  EXPECT_FALSE(found[0].finished);
  const Table nothing = [](int64_t, const Pieces&) { return std::vector<float>(6, kNever); };
  const auto empty = search_one(nothing, 6, 0, 9, options_of(3, 1));
  ASSERT_EQ(empty.size(), 1U);
  EXPECT_TRUE(empty[0].pieces.empty());
  EXPECT_FALSE(empty[0].finished);
}

TEST(BeamSearch, TiesGoToTheLowerRowThenTheLowerPiece) {
  const Table flat = [](int64_t, const Pieces& prefix) {
    std::vector<float> row(8, -1.5F);
    row[kEosId] = prefix.size() < 2 ? kNever : 0;
    return row;
  };
  SearchOptions options = options_of(3, 0, 1);
  options.n_best = 3;
  options.forbid_unknown = true;
  const auto found = search_one(flat, 8, 0, 2, options);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].pieces, (Pieces{4, 4}));
  EXPECT_EQ(found[1].pieces, (Pieces{4, 5}));
  EXPECT_EQ(found[2].pieces, (Pieces{4, 6}));
}

TEST(BeamSearch, NanAndPositiveLogProbabilitiesAreNamed) {
  for (const float bad : {std::nanf(""), 0.5F, std::numeric_limits<float>::infinity()}) {
    for (const bool sampled : {false, true}) {
      const Table table = [bad](int64_t sentence, const Pieces& prefix) {
        std::vector<float> row(100, -5);
        if (sentence == 1 && prefix.size() == 2) row[70] = bad;
        return row;
      };
      TableStepper stepper(table, 100, {0, 1}, {9, 9});
      SearchOptions options = options_of(2, 1);
      options.sampling.enabled = sampled;
      options.min_length = 5;
      try {
        beam_search(stepper, options);
        FAIL() << "not noticed: " << bad;
      } catch (const InternalError& error) {
        EXPECT_NE(std::string(error.what()).find("NaN"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("piece 70 at step 3 of sentence 2"), std::string::npos)
            << error.what();
      }
    }
  }
}

TEST(BeamSearch, AttentionAndPieceLogProbsBelongToThePathFound) {
  constexpr int64_t kVocab = 9;
  const Table table = test::random_table(3, kVocab, 1);
  const Table attention = test::random_table(4, 6, 1);  // any numbers that tell prefixes apart
  for (const bool asked : {false, true}) {
    TableStepper stepper(table, kVocab, {0, 1, 2}, {4, 6, 5});
    stepper.attend(attention);
    SearchOptions options = options_of(4, 1, 1, 2);
    options.n_best = 4;
    options.attention = asked;
    options.piece_log_probs = asked;
    const auto found = beam_search(stepper, options);
    for (int64_t b = 0; b < 3; ++b) {
      for (const Hypothesis& one : found[static_cast<size_t>(b)]) {
        if (!asked) {
          EXPECT_TRUE(one.attention.empty());
          EXPECT_TRUE(one.piece_log_probs.empty());
          continue;
        }
        ASSERT_EQ(one.attention.size(), one.pieces.size() + 1);
        ASSERT_EQ(one.piece_log_probs.size(), one.pieces.size() + 1);
        for (size_t t = 0; t <= one.pieces.size(); ++t) {
          const Pieces prefix(one.pieces.begin(), one.pieces.begin() + static_cast<std::ptrdiff_t>(t));
          std::vector<float> weights = attention(b, prefix);
          weights.resize(static_cast<size_t>(stepper.source_length(b)));
          EXPECT_EQ(one.attention[t], weights);
          const PieceId piece = t < one.pieces.size() ? one.pieces[t] : kEosId;
          EXPECT_EQ(one.piece_log_probs[t], table(b, prefix)[static_cast<size_t>(piece)]);
        }
      }
    }
  }
}

TEST(BeamSearch, OptionsOutOfRangeAreRefused) {
  TableStepper stepper(test::random_table(1, 6), 6, {0}, {3});
  SearchOptions options;
  options.n_best = 6;
  EXPECT_THROW(beam_search(stepper, options), UsageError);
  options = SearchOptions();
  options.forbidden = {kEosId};
  EXPECT_THROW(beam_search(stepper, options), UsageError);
  options = SearchOptions();
  options.rule.coverage_penalty = -1;
  EXPECT_THROW(beam_search(stepper, options), UsageError);
}

}  // namespace
}  // namespace nmt
