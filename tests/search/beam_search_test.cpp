#include "search/beam_search.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "reference_search.h"
#include "table_stepper.h"

namespace nmt {
namespace {

using test::Found;
using test::Pieces;
using test::Table;
using test::TableStepper;
using test::Task;

constexpr float kNever = -std::numeric_limits<float>::infinity();
constexpr PieceId kA = 4;
constexpr PieceId kB = 5;

SearchOptions options_of(int64_t beam, double length_penalty, double ratio = 1, int64_t extra = 0) {
  SearchConfig config;
  config.beam = beam;
  config.length_penalty = length_penalty;
  config.max_length_ratio = ratio;
  config.max_length_extra = extra;
  return SearchOptions(config);
}

std::vector<Hypothesis> search_one(const Table& table, int64_t vocab, int64_t sentence, int64_t source_pieces,
                                   const SearchOptions& options) {
  TableStepper stepper(table, vocab, {sentence}, {source_pieces + 1});
  return beam_search(stepper, options).at(0);
}

void expect_same(const std::vector<Hypothesis>& got, const std::vector<Found>& wanted, size_t count) {
  ASSERT_EQ(got.size(), std::min(count, wanted.size()));
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].pieces, wanted[i].pieces) << "hypothesis " << i;
    EXPECT_NEAR(got[i].log_prob, wanted[i].log_prob, 1e-9);
    EXPECT_NEAR(got[i].score, wanted[i].score, 1e-9);
    EXPECT_EQ(got[i].finished, wanted[i].finished);
  }
}

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

struct RuleCase {
  const char* name;
  ScoreRule rule;
  test::Scorer scorer;
};

// The scores written out again, from the papers' formulas.
std::vector<RuleCase> rules() {
  const auto gnmt = [](double alpha, double reward) {
    return [=](double log_prob, int64_t n) {
      return (log_prob + reward * double(n)) / (std::pow(5.0 + double(n), alpha) / std::pow(6.0, alpha));
    };
  };
  return {
      {"none", {LengthNormalization::kNone, 1, 0, 0}, [](double p, int64_t) { return p; }},
      {"average", {LengthNormalization::kAverage, 1, 0, 0}, [](double p, int64_t n) { return p / double(n); }},
      {"gnmt 0", {LengthNormalization::kGnmt, 0, 0, 0}, gnmt(0, 0)},
      {"gnmt 0.6", {LengthNormalization::kGnmt, 0.6, 0, 0}, gnmt(0.6, 0)},
      {"gnmt 1", {LengthNormalization::kGnmt, 1, 0, 0}, gnmt(1, 0)},
      {"gnmt 2.5", {LengthNormalization::kGnmt, 2.5, 0, 0}, gnmt(2.5, 0)},
      {"reward", {LengthNormalization::kNone, 1, 0.7, 0}, [](double p, int64_t n) { return p + 0.7 * double(n); }},
      {"penalty", {LengthNormalization::kGnmt, 1, -0.4, 0}, gnmt(1, -0.4)},
      {"large reward", {LengthNormalization::kGnmt, 1, 3, 0}, gnmt(1, 3)},
  };
}

TEST(BeamSearch, AsWideAsTheSpaceItFindsTheBestOfAllTranslations) {
  constexpr int64_t kVocab = 7;  // unknown and three words can be produced: 4^4 + ... + 1 = 341 translations
  for (const RuleCase& one : rules()) {
    for (uint64_t seed = 0; seed < 12; ++seed) {
      Task task{test::random_table(seed, kVocab, 1 + double(seed % 4)), 0, 4, one.scorer};
      SearchOptions options = options_of(1000, 0, 1, 0);
      options.rule = one.rule;
      options.n_best = 10;
      SCOPED_TRACE(std::string(one.name) + ", seed " + std::to_string(seed));
      expect_same(search_one(task.table, kVocab, 0, 4, options), test::all_translations(task), 10);
    }
  }
}

TEST(BeamSearch, AgreesWithAPlainSearchThatNeverStopsEarly) {
  const std::vector<RuleCase> all = rules();
  size_t early = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const auto vocab = static_cast<int64_t>(5 + seed % 9);
    const auto beam = static_cast<int64_t>(1 + seed % 7);
    const auto n_best = static_cast<int64_t>(1 + seed % static_cast<uint64_t>(beam));
    const auto source = static_cast<int64_t>(1 + seed % 6);
    const RuleCase& one = all[seed % all.size()];
    const double patience = seed % 3 == 0 ? 2 : 1;
    SearchOptions options = options_of(beam, 0, 1.5, 2);
    options.rule = one.rule;
    options.n_best = n_best;
    options.patience = patience;
    const auto limit = static_cast<int64_t>(std::floor(1.5 * double(source))) + 2;
    Task task{test::random_table(seed, vocab, 0.5 + double(seed % 5)), 3, limit, one.scorer};
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + one.name);
    const auto enough = static_cast<size_t>(std::llround(double(beam) * patience));
    TableStepper stepper(task.table, vocab, {3}, {source + 1});
    const auto got = beam_search(stepper, options).at(0);
    expect_same(got, test::reference_beam(task, static_cast<size_t>(beam), enough), static_cast<size_t>(n_best));
    early += stepper.rows_per_step.size() <= static_cast<size_t>(limit) ? 1 : 0;
  }
  EXPECT_GT(early, 50U);  // else nothing was learnt about stopping early
}

TEST(BeamSearch, KeepsToMinimumLengthForbiddenPiecesAndNoRepeat) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    constexpr int64_t kVocab = 9;
    const auto beam = static_cast<int64_t>(1 + seed % 5);
    const auto ngram = static_cast<int64_t>(seed % 4);
    const auto shortest = static_cast<size_t>(seed % 5);
    SearchOptions options = options_of(beam, 1, 1, 4);
    options.min_length = static_cast<int64_t>(shortest);
    options.no_repeat_ngram = ngram;
    options.forbidden = {kB};
    options.forbid_unknown = seed % 2 == 0;
    Task task{test::random_table(seed, kVocab, 2), 0, 8,
              [](double p, int64_t n) { return p / ((5.0 + double(n)) / 6.0); }};
    task.allowed = [&](const Pieces& prefix, PieceId next) {
      if (next == kEosId) return prefix.size() >= shortest;
      if (next == kB || (options.forbid_unknown && next == kUnkId)) return false;
      if (ngram == 0) return true;
      Pieces longer = prefix;
      longer.push_back(next);
      const auto n = static_cast<size_t>(ngram);
      for (size_t i = 0; i + n < longer.size(); ++i) {
        if (std::equal(longer.end() - ngram, longer.end(), longer.begin() + static_cast<std::ptrdiff_t>(i)))
          return false;
      }
      return true;
    };
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_same(search_one(task.table, kVocab, 0, 4, options),
                test::reference_beam(task, static_cast<size_t>(beam), static_cast<size_t>(beam)), 1);
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

TEST(BeamSearch, AVocabularySmallerThanTheBeamIsFine) {
  Task task{test::random_table(5, 5, 1), 0, 3, [](double p, int64_t n) { return p / ((5.0 + double(n)) / 6.0); }};
  SearchOptions options = options_of(50, 1);
  options.n_best = 50;  // {unknown, word}^0..3 with an end: 15 translations
  const auto found = search_one(task.table, 5, 0, 3, options);
  EXPECT_EQ(found.size(), 15U);
  expect_same(found, test::all_translations(task), 15);
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

TEST(BeamSearch, TheCoveragePenaltyFindsTheBestOfAllTranslations) {
  constexpr int64_t kVocab = 7;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const Table table = test::random_table(seed, kVocab, 2);
    const Table attention = [seed](int64_t sentence, const Pieces& prefix) {
      std::vector<float> weights = test::random_table(seed + 50, 4, 2)(sentence, prefix);
      for (float& weight : weights) weight = std::exp(weight);
      return weights;
    };
    Task task{table, 0, 3};
    std::vector<Found> all = test::all_translations(task);
    for (Found& one : all) {
      std::vector<double> sums(4);
      for (size_t t = 0; t <= one.pieces.size(); ++t) {
        const auto row = attention(0, Pieces(one.pieces.begin(), one.pieces.begin() + static_cast<std::ptrdiff_t>(t)));
        for (size_t i = 0; i < 4; ++i) sums[i] += double(row[i]);
      }
      one.score = one.log_prob / ((5.0 + double(one.pieces.size()) + 1) / 6.0);
      for (const double sum : sums) one.score += 0.8 * std::log(std::min(sum, 1.0));
    }
    test::sort_by_score(all);
    SearchOptions options = options_of(500, 1);
    options.rule.coverage_penalty = 0.8;
    options.n_best = 5;
    TableStepper stepper(table, kVocab, {0}, {4});
    stepper.attend(attention);
    const auto found = beam_search(stepper, options).at(0);
    ASSERT_EQ(found.size(), 5U);
    for (size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(found[i].pieces, all[i].pieces);
      EXPECT_NEAR(found[i].score, all[i].score, 1e-5);
    }
  }
}

TEST(BeamSearch, TranslationsBeginWithTheirPrefix) {
  constexpr int64_t kVocab = 8;
  const Table table = test::random_table(21, kVocab, 2);
  const std::vector<SentenceRequest> requests = {{{5, 4}, 0}, {{}, 0}, {{6, 6, 6, 6}, 0}};
  TableStepper stepper(table, kVocab, {0, 1, 2}, {4, 4, 3});
  SearchOptions options = options_of(500, 1);
  options.n_best = 3;
  const auto found = beam_search(stepper, options, requests);
  for (size_t b = 0; b < 3; ++b) {
    const Pieces& prefix = requests[b].prefix;
    const int64_t limit = b == 2 ? 4 : 3;  // a prefix longer than the limit stretches it
    Task task{table, static_cast<int64_t>(b), limit, [](double p, int64_t n) { return p / ((5.0 + double(n)) / 6.0); }};
    std::vector<Found> all;
    for (const Found& one : test::all_translations(task)) {
      if (one.pieces.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), one.pieces.begin())) {
        all.push_back(one);
      }
    }
    SCOPED_TRACE("sentence " + std::to_string(b));
    expect_same(found[b], all, 3);
  }
  EXPECT_THROW(beam_search(stepper, options, {{{kEosId}, 0}, {}, {}}), UsageError);
  EXPECT_THROW(beam_search(stepper, options, {{{8}, 0}, {}, {}}), UsageError);
  EXPECT_THROW(beam_search(stepper, options, {{}}), InternalError);
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
