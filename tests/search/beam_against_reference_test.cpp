// Beam search beside enumeration and beside a plain search that shares no code with it.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "reference_search.h"
#include "search_one.h"

namespace nmt {
namespace {

using test::expect_same;
using test::Found;
using test::options_of;
using test::Pieces;
using test::search_one;
using test::Table;
using test::TableStepper;
using test::Task;

constexpr PieceId kB = 5;

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

TEST(BeamSearchFinds, AsWideAsTheSpaceItFindsTheBestOfAllTranslations) {
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

TEST(BeamSearchFinds, AgreesWithAPlainSearchThatNeverStopsEarly) {
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

TEST(BeamSearchFinds, KeepsToMinimumLengthForbiddenPiecesAndNoRepeat) {
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

TEST(BeamSearchFinds, AVocabularySmallerThanTheBeamIsFine) {
  Task task{test::random_table(5, 5, 1), 0, 3, [](double p, int64_t n) { return p / ((5.0 + double(n)) / 6.0); }};
  SearchOptions options = options_of(50, 1);
  options.n_best = 50;  // {unknown, word}^0..3 with an end: 15 translations
  const auto found = search_one(task.table, 5, 0, 3, options);
  EXPECT_EQ(found.size(), 15U);
  expect_same(found, test::all_translations(task), 15);
}

TEST(BeamSearchFinds, TheCoveragePenaltyFindsTheBestOfAllTranslations) {
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

TEST(BeamSearchFinds, TranslationsBeginWithTheirPrefix) {
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

}  // namespace
}  // namespace nmt
