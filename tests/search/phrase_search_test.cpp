#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "plain_phrases.h"
#include "search/beam_search.h"
#include "search/phrase_candidates.h"
#include "table_stepper.h"

namespace nmt {
namespace {

using test::expect_same;
using test::Found;
using test::Pieces;
using test::PlainPhrases;
using test::Table;
using test::TableStepper;
using test::Task;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr float kNever = -std::numeric_limits<float>::infinity();

SearchOptions options_of(int64_t beam, int64_t max_pieces, const PlainPhrases& phrases = {}) {
  SearchConfig config;
  config.beam = beam;
  config.max_length_ratio = 1;
  config.max_length_extra = max_pieces - 1;  // the sources have one piece
  SearchOptions options(config);
  options.continues_word = phrases.continues_word;
  return options;
}

Task task_of(uint64_t seed, int64_t vocab, int64_t max_pieces, double peak = 2) {
  return {test::random_table(seed, vocab, peak), 0, max_pieces,
          [](double p, int64_t n) { return p / ((5.0 + double(n)) / 6.0); }};
}

std::vector<Hypothesis> search_one(const Task& task, int64_t vocab, const SearchOptions& options,
                                   const SentenceRequest& request) {
  TableStepper stepper(task.table, vocab, {task.sentence}, {2});
  return beam_search(stepper, options, {request}).at(0);
}

std::vector<Found> with_all_phrases(const Task& task, const PlainPhrases& phrases) {
  std::vector<Found> found = test::all_translations(task);
  std::erase_if(found, [&](const Found& one) { return !phrases.missing(one.pieces).empty(); });
  return found;
}

TEST(PhraseSearch, AsWideAsTheSpaceItFindsTheBestTranslationsThatHoldThePhrases) {
  constexpr int64_t kVocab = 7;
  size_t compared = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const PlainPhrases phrases = test::random_phrases(seed, kVocab);
    const Task task = task_of(seed, kVocab, 4, 1 + double(seed % 4));
    SearchOptions options = options_of(400, 4, phrases);
    options.n_best = 10;
    const std::vector<Found> all = with_all_phrases(task, phrases);
    if (all.empty()) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto got = search_one(task, kVocab, options, {{}, 0, phrases.phrases});
    expect_same(got, all, 10);
    for (const Hypothesis& one : got) EXPECT_THAT(one.missing, IsEmpty());
    ++compared;
  }
  EXPECT_GT(compared, 20U);
}

TEST(PhraseSearch, AgreesWithDynamicBeamAllocationWrittenPlainly) {
  size_t incomplete = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const auto vocab = static_cast<int64_t>(6 + seed % 6);
    const auto beam = static_cast<int64_t>(1 + seed % 5);
    const auto limit = static_cast<int64_t>(4 + seed % 5);
    const PlainPhrases phrases = test::random_phrases(seed * 7, vocab);
    const Task task = task_of(seed, vocab, limit, 0.5 + double(seed % 5));
    SearchOptions options = options_of(beam, limit, phrases);
    options.n_best = 1 + static_cast<int64_t>(seed) % beam;
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto got = search_one(task, vocab, options, {{}, 0, phrases.phrases});
    expect_same(got, test::reference_phrase_beam(task, phrases, static_cast<size_t>(beam)),
                static_cast<size_t>(options.n_best));
    for (const Hypothesis& one : got) EXPECT_EQ(one.missing, phrases.missing(one.pieces));
    incomplete += got.front().missing.empty() ? 0 : 1;
  }
  EXPECT_GT(incomplete, 5U);  // phrases longer than the limit
  EXPECT_LT(incomplete, 100U);
}

TEST(PhraseSearch, GreedySearchHoldsThePhrasesWheneverTheyFit) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    constexpr int64_t kVocab = 12;
    PlainPhrases phrases = test::random_phrases(seed, kVocab);
    for (RequiredPhrase& one : phrases.phrases) one.at_start.clear();
    phrases.continues_word.assign(kVocab, false);
    const Task task = task_of(seed, kVocab, phrases.pieces(), 5);
    const auto got = search_one(task, kVocab, options_of(1, phrases.pieces(), phrases), {{}, 0, phrases.phrases});
    EXPECT_TRUE(got.at(0).finished);
    EXPECT_THAT(phrases.missing(got[0].pieces), IsEmpty()) << "seed " << seed;
  }
}

TEST(PhraseSearch, ABatchGivesWhatItsSentencesGiveAloneWithAndWithoutPhrases) {
  constexpr int64_t kVocab = 10;
  const Table table = test::random_table(99, kVocab, 2);
  SearchOptions options = options_of(3, 8);
  options.n_best = 3;
  std::vector<int64_t> sentences;
  std::vector<SentenceRequest> requests;
  for (int64_t b = 0; b < 12; ++b) {
    sentences.push_back(b);
    SentenceRequest request;
    if (b % 3 != 0) request.phrases = test::random_phrases(static_cast<uint64_t>(b), kVocab).phrases;
    if (b % 4 == 0) request.prefix = {5, 4};
    requests.push_back(request);
  }
  TableStepper batch(table, kVocab, sentences, std::vector<int64_t>(12, 2));
  const auto together = beam_search(batch, options, requests);
  for (size_t b = 0; b < sentences.size(); ++b) {
    TableStepper single(table, kVocab, {sentences[b]}, {2});
    const auto alone = beam_search(single, options, {requests[b]}).at(0);
    ASSERT_EQ(together[b].size(), alone.size());
    for (size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(together[b][i].pieces, alone[i].pieces);
      EXPECT_EQ(together[b][i].score, alone[i].score);
      EXPECT_EQ(together[b][i].missing, alone[i].missing);
    }
  }
}

TEST(PhraseSearch, APrefixCountsAndMayBreakOffInsideAPhrase) {
  constexpr int64_t kVocab = 7;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const PlainPhrases phrases = {{{{4, 5}}, {{6}}}, std::vector<bool>(7)};
    const Task task = task_of(seed, kVocab, 4);
    for (const Pieces& prefix : {Pieces{4}, Pieces{6}, Pieces{4, 5}, Pieces{5, 4}}) {
      std::vector<Found> all = with_all_phrases(task, phrases);
      std::erase_if(all, [&](const Found& one) {
        return one.pieces.size() < prefix.size() || !std::equal(prefix.begin(), prefix.end(), one.pieces.begin());
      });
      SearchOptions options = options_of(400, 4, phrases);
      options.n_best = 3;
      expect_same(search_one(task, kVocab, options, {prefix, 0, phrases.phrases}), all, 3);
    }
  }
}

TEST(PhraseSearch, NoRepeatAndForbiddenPiecesHoldForPhrasesToo) {
  constexpr int64_t kVocab = 8;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const PlainPhrases twice = {{{{4, 5}}, {{4, 5}}}, std::vector<bool>(8)};
    const Task task = task_of(seed, kVocab, 6);
    SearchOptions options = options_of(3, 6, twice);
    options.no_repeat_ngram = 2;
    const auto once = search_one(task, kVocab, options, {{}, 0, twice.phrases});
    EXPECT_THAT(once.at(0).missing, ElementsAre(1));
    EXPECT_TRUE(once[0].finished);
    options = options_of(3, 6, twice);
    options.forbidden = {5};
    EXPECT_THAT(search_one(task, kVocab, options, {{}, 0, twice.phrases}).at(0).missing, ElementsAre(0, 1));
  }
}

TEST(PhraseSearch, WhatCannotBeMetIsToldAndTheRestIsKept) {
  constexpr int64_t kVocab = 9;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Task task = task_of(seed, kVocab, 3);
    const std::vector<RequiredPhrase> phrases = {{{4, 5, 6, 7}}, {{8}}};
    const auto got = search_one(task, kVocab, options_of(2, 3), {{}, 0, phrases});
    EXPECT_TRUE(got.at(0).finished);
    EXPECT_THAT(got[0].missing, ElementsAre(0)) << "seed " << seed;
    // Without pieces a phrase can't be searched for; the search is the usual one.
    const auto unspelt = search_one(task, kVocab, options_of(2, 3), {{}, 0, {{{}}}});
    const auto usual = search_one(task, kVocab, options_of(2, 3), {});
    EXPECT_EQ(unspelt.at(0).pieces, usual.at(0).pieces);
    EXPECT_EQ(unspelt[0].score, usual[0].score);
    EXPECT_THAT(unspelt[0].missing, ElementsAre(0));
  }
}

TEST(PhraseSearch, WithoutAnyEndTheLimitCutsAsUsual) {
  const Table endless = [](int64_t, const Pieces&) {
    return std::vector<float>{kNever, kNever, kNever, kNever, -0.1F, -2.4F};
  };
  TableStepper stepper(endless, 6, {0}, {2});
  const auto got = beam_search(stepper, options_of(2, 5), {{{}, 0, {{{5}}}}}).at(0);
  EXPECT_FALSE(got.at(0).finished);
  EXPECT_EQ(got[0].pieces.size(), 5U);
}

TEST(PhraseSearch, ScoresAreThoseOfThePiecesFound) {
  constexpr int64_t kVocab = 9;
  const Task task = task_of(3, kVocab, 7);
  SearchOptions options = options_of(2, 7);
  options.n_best = 2;
  options.piece_log_probs = true;
  for (const Hypothesis& one : search_one(task, kVocab, options, {{}, 0, {{{4, 8}}, {{6}}}})) {
    double sum = 0;
    for (size_t t = 0; t <= one.pieces.size(); ++t) {
      const Pieces prefix(one.pieces.begin(), one.pieces.begin() + static_cast<std::ptrdiff_t>(t));
      const PieceId piece = t < one.pieces.size() ? one.pieces[t] : kEosId;
      const float wanted = task.table(0, prefix)[static_cast<size_t>(piece)];
      EXPECT_EQ(one.piece_log_probs.at(t), wanted);
      sum += static_cast<double>(wanted);
    }
    EXPECT_NEAR(one.log_prob, sum, 1e-9);
  }
}

TEST(PhraseSearch, WhatMakesNoSenseIsRefused) {
  const Task task = task_of(1, 8, 5);
  SearchOptions sampled = options_of(2, 5);
  sampled.sampling.enabled = true;
  EXPECT_THROW(search_one(task, 8, sampled, {{}, 0, {{{4}}}}), UsageError);
  SearchOptions diverse = options_of(2, 5);
  diverse.diversity_groups = 2;
  EXPECT_THROW(search_one(task, 8, diverse, {{}, 0, {{{4}}}}), UsageError);
  EXPECT_THROW(search_one(task, 8, options_of(2, 5), {{}, 0, {{{kEosId}}}}), UsageError);
  EXPECT_THROW(search_one(task, 8, options_of(2, 5), {{}, 0, {{{8}}}}), UsageError);
}

TEST(PhraseSearch, NanIsNamedHereToo) {
  for (const PieceId bad : {PieceId{3}, PieceId{5}, PieceId{6}}) {
    const Table table = [bad](int64_t, const Pieces& prefix) {
      std::vector<float> row(8, -2);
      if (prefix.size() == 1) row[static_cast<size_t>(bad)] = std::nanf("");
      return row;
    };
    TableStepper stepper(table, 8, {0}, {2});
    EXPECT_THROW(beam_search(stepper, options_of(2, 5), {{{}, 0, {{{5, 6}}}}}), InternalError);
  }
}

TEST(AllocatePlaces, SharesPlacesAmongBanksAndGivesTheRestToTheBest) {
  const auto banked = [](double total, int64_t row, int64_t bank) { return BankedCandidate{{row, 4, 0, total}, bank}; };
  const std::vector<BankedCandidate> all = {banked(-1, 0, 0), banked(-2, 1, 0), banked(-3, 2, 0), banked(-9, 3, 1),
                                            banked(-8, 4, 2), banked(-7, 5, 2), banked(-6, 6, 2)};
  const auto rows = [&](size_t places) {
    std::vector<int64_t> kept;
    for (const Candidate& one : allocate_places(all, 3, places)) kept.push_back(one.row);
    return kept;
  };
  EXPECT_THAT(rows(3), ElementsAre(0, 6, 3));
  EXPECT_THAT(rows(4), ElementsAre(0, 6, 5, 3));        // the fourth place is the highest bank's
  EXPECT_THAT(rows(6), ElementsAre(0, 1, 2, 6, 5, 3));  // bank 1 has one candidate for two places
  EXPECT_THAT(rows(9), ElementsAre(0, 1, 2, 6, 5, 4, 3));
}

}  // namespace
}  // namespace nmt
