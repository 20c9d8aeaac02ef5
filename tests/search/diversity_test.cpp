#include "search/diversity.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "base/error.h"
#include "reference_search.h"
#include "search/beam_search.h"
#include "table_stepper.h"

namespace nmt {
namespace {

using test::Found;
using test::Pieces;
using test::Table;
using test::TableStepper;

constexpr float kNever = -std::numeric_limits<float>::infinity();

// The sum of log-probabilities as score: the bound for stopping is then the likeliest prefix itself.
SearchOptions options_of(int64_t beam, int64_t groups, double penalty, int64_t n_best) {
  SearchConfig config;
  config.beam = beam;
  config.length_penalty = 0;
  config.max_length_ratio = 1;
  config.max_length_extra = 5;
  SearchOptions options(config);
  options.diversity_groups = groups;
  options.diversity_penalty = penalty;
  options.n_best = n_best;
  return options;
}

// One group, step by step.
struct PlainGroup {
  std::vector<std::pair<Pieces, double>> live = {{{}, 0}};
  std::vector<Found> finished;
  bool done = false;
};

void step(PlainGroup& group, const Table& table, int64_t sentence, int64_t limit, size_t places, size_t n_best,
          double penalty, std::multiset<PieceId>& chosen_before) {
  std::vector<std::tuple<double, size_t, PieceId>> choices;
  for (size_t r = 0; r < group.live.size(); ++r) {
    const std::vector<float> row = table(sentence, group.live[r].first);
    for (PieceId v = kUnkId; v < static_cast<PieceId>(row.size()); ++v) {
      if (v == kBosId) continue;
      const double lost = penalty * double(chosen_before.count(v));
      const auto value = static_cast<double>(row[static_cast<size_t>(v)] - static_cast<float>(lost));
      choices.emplace_back(-(group.live[r].second + value), r, v);
    }
  }
  std::sort(choices.begin(), choices.end());
  choices.resize(std::min(choices.size(), places - group.finished.size()));
  std::vector<std::tuple<double, size_t, PieceId>> own;  // by what they are worth without the penalty
  for (const auto& [minus, r, v] : choices) {
    own.emplace_back(-(group.live[r].second + double(table(sentence, group.live[r].first)[static_cast<size_t>(v)])), r,
                     v);
    chosen_before.insert(v);
  }
  std::sort(own.begin(), own.end());
  std::vector<std::pair<Pieces, double>> next;
  for (const auto& [minus, r, v] : own) {
    Pieces pieces = group.live[r].first;
    if (v == kEosId) {
      group.finished.push_back({pieces, -minus, -minus, true});
    } else if (static_cast<int64_t>(pieces.size()) < limit) {
      pieces.push_back(v);
      next.emplace_back(pieces, -minus);
    }
  }
  test::sort_by_score(group.finished);
  if (next.empty() && group.finished.empty()) {
    group.done = true;
    return;
  }
  group.live = next;
  group.done = next.empty() || group.finished.size() >= places ||
               (group.finished.size() >= n_best && group.finished[n_best - 1].score >= next.front().second);
}

std::vector<Found> plain_diverse_search(const Table& table, int64_t sentence, int64_t limit, size_t beam, size_t groups,
                                        double penalty, size_t n_best) {
  const size_t places = beam / groups;
  std::vector<PlainGroup> all(groups);
  const auto is_done = [](const PlainGroup& group) { return group.done; };
  while (!std::all_of(all.begin(), all.end(), is_done)) {
    std::multiset<PieceId> chosen;
    for (PlainGroup& group : all) {
      if (!group.done) step(group, table, sentence, limit, places, std::min(n_best, places), penalty, chosen);
    }
  }
  std::vector<Found> merged;
  std::set<Pieces> seen;
  for (PlainGroup& group : all) {
    group.finished.resize(std::min(group.finished.size(), std::min(n_best, places)));
    merged.insert(merged.end(), group.finished.begin(), group.finished.end());
  }
  test::sort_by_score(merged);
  std::erase_if(merged, [&](const Found& one) { return !seen.insert(one.pieces).second; });
  merged.resize(std::min(merged.size(), n_best));
  return merged;
}

TEST(Diversity, ASecondGroupTakesAnotherPieceWhereThePenaltyOutweighsItsPrice) {
  const auto ln = [](double p) { return static_cast<float>(std::log(p)); };
  const Table table = [&](int64_t, const Pieces& prefix) {
    if (prefix.empty()) return std::vector<float>{kNever, kNever, kNever, kNever, ln(0.6), ln(0.3), ln(0.1)};
    return std::vector<float>{kNever, kNever, kNever, ln(1), kNever, kNever, kNever};
  };
  // ln 0.6 - ln 0.3 = 0.693: a smaller penalty gives the same piece twice, found once.
  for (const auto& [penalty, found] : {std::pair{0.69, size_t{1}}, {0.70, size_t{2}}}) {
    TableStepper stepper(table, 7, {0}, {2});
    const auto best = beam_search(stepper, options_of(2, 2, penalty, 2)).at(0);
    ASSERT_EQ(best.size(), found) << penalty;
    EXPECT_EQ(best[0].pieces, Pieces{4});
    EXPECT_NEAR(best[0].score, std::log(0.6), 1e-6);
    if (found == 2) {
      EXPECT_EQ(best[1].pieces, Pieces{5});
      EXPECT_NEAR(best[1].score, std::log(0.3), 1e-6);  // without the penalty
    }
  }
  // The third group sees two choices of piece 4: after 4 and 5, ln 0.1 beats ln 0.6 - P and ln 0.3 - P from 1.79 on.
  TableStepper stepper(table, 7, {0}, {2});
  const auto three = beam_search(stepper, options_of(3, 3, 1.8, 3)).at(0);
  ASSERT_EQ(three.size(), 3U);
  EXPECT_EQ(three[2].pieces, Pieces{6});
}

TEST(Diversity, AgreesWithTheAlgorithmWrittenPlainly) {
  size_t different = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    const auto vocab = static_cast<int64_t>(6 + seed % 8);
    const auto groups = static_cast<int64_t>(2 + seed % 3);
    const auto beam = groups * static_cast<int64_t>(1 + seed % 3);
    const double penalty = 0.3 * double(seed % 6);
    const int64_t n_best = 1 + static_cast<int64_t>(seed) % beam;
    const Table table = test::random_table(seed, vocab, 0.5 + double(seed % 4));
    TableStepper stepper(table, vocab, {0, 1}, {2, 4});
    const auto got = beam_search(stepper, options_of(beam, groups, penalty, n_best));
    for (size_t b = 0; b < 2; ++b) {
      const auto wanted =
          plain_diverse_search(table, static_cast<int64_t>(b), b == 0 ? 6 : 8, static_cast<size_t>(beam),
                               static_cast<size_t>(groups), penalty, static_cast<size_t>(n_best));
      SCOPED_TRACE("seed " + std::to_string(seed) + ", sentence " + std::to_string(b));
      if (wanted.empty()) {
        EXPECT_FALSE(got[b].at(0).finished);
        continue;
      }
      ASSERT_EQ(got[b].size(), wanted.size());
      for (size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(got[b][i].pieces, wanted[i].pieces);
        EXPECT_NEAR(got[b][i].score, wanted[i].score, 1e-6);
      }
      TableStepper usual(table, vocab, {static_cast<int64_t>(b)}, {b == 0 ? 2 : 4});
      const auto plain = beam_search(usual, options_of(beam, 1, penalty, n_best)).at(0);
      different += plain.size() != got[b].size() || plain.back().pieces != got[b].back().pieces ? 1 : 0;
    }
  }
  EXPECT_GT(different, 50U);
}

TEST(Diversity, ABatchGivesWhatItsSentencesGiveAlone) {
  constexpr int64_t kVocab = 11;
  const Table table = test::random_table(5, kVocab, 2);
  const SearchOptions options = options_of(6, 3, 0.5, 6);
  const std::vector<int64_t> sentences = {0, 1, 2, 3, 4, 5, 6};
  const std::vector<int64_t> lengths = {3, 5, 2, 7, 3, 4, 2};
  TableStepper batch(table, kVocab, sentences, lengths);
  const auto together = beam_search(batch, options);
  EXPECT_EQ(batch.rows_per_step.front(), 21U);
  for (size_t b = 0; b < sentences.size(); ++b) {
    TableStepper single(table, kVocab, {sentences[b]}, {lengths[b]});
    const auto alone = beam_search(single, options).at(0);
    ASSERT_EQ(together[b].size(), alone.size());
    for (size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(together[b][i].pieces, alone[i].pieces);
      EXPECT_EQ(together[b][i].score, alone[i].score);
    }
  }
}

TEST(Diversity, MergingGivesEachOnceAndUnfinishedOnesOnlyWhereNothingElseIs) {
  const auto one = [](Pieces pieces, double score, bool finished) {
    Hypothesis hypothesis;
    hypothesis.pieces = std::move(pieces);
    hypothesis.score = score;
    hypothesis.finished = finished;
    return hypothesis;
  };
  const auto merged = merge_groups(
      {{one({4}, -3, true), one({5}, -4, true)}, {one({6}, -1, false)}, {one({4}, -3, true), one({7}, -2, true)}}, 5);
  ASSERT_EQ(merged.size(), 3U);
  EXPECT_EQ(merged[0].pieces, Pieces{7});
  EXPECT_EQ(merged[1].pieces, Pieces{4});
  EXPECT_EQ(merged[2].pieces, Pieces{5});
  EXPECT_EQ(merge_groups({{one({6}, -1, false)}, {one({7}, -2, false)}}, 1).at(0).pieces, Pieces{6});
}

TEST(Diversity, OptionsThatDoNotFitAreRefused) {
  TableStepper stepper(test::random_table(1, 6), 6, {0}, {3});
  EXPECT_THROW(beam_search(stepper, options_of(5, 2, 0.5, 1)), UsageError);
  EXPECT_THROW(beam_search(stepper, options_of(4, 0, 0.5, 1)), UsageError);
  EXPECT_THROW(beam_search(stepper, options_of(4, 2, -0.5, 1)), UsageError);
  SearchOptions sampled = options_of(4, 2, 0.5, 1);
  sampled.sampling.enabled = true;
  EXPECT_THROW(beam_search(stepper, sampled), UsageError);
}

}  // namespace
}  // namespace nmt
