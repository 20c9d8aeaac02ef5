#include "translate/forced_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/stop.h"
#include "small_model.h"
#include "translate/open_models.h"
#include "translate/open_translator.h"

namespace nmt {
namespace {

using test::invented_lines;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Forced : public ::testing::Test {
 protected:
  ForcedDecoder decoder(const std::vector<std::string>& models, const ForcedOptions& options = {}) const {
    OpenedModels opened = open_models(models, {"cpu", 1, {}, EnsembleAverage::kLog});
    return {opened.tokenizers, opened.ensemble, options};
  }

  // Each line with the next one as its translation: any will do.
  static std::vector<LinePair> shifted(const std::vector<std::string>& lines) {
    std::vector<LinePair> pairs;
    for (size_t i = 0; i < lines.size(); ++i) pairs.push_back({lines[i], lines[(i + 1) % lines.size()]});
    return pairs;
  }

  const test::TemporaryFolder folder_;
  const TokenizerPair tokenizers_ = test::small_tokenizers(folder_, 60, 1);
  const std::string a_ = test::make_model(folder_, "a", tokenizers_, 5);
  const std::string b_ = test::make_model(folder_, "b", tokenizers_, 6);
};

// What the search found, walked through again: the same log-probabilities, score and attention.
TEST_F(Forced, GivesTheNumbersOfSearch) {
  for (const std::vector<std::string>& models : {std::vector{a_}, std::vector{a_, b_}}) {
    OpenOptions open;
    open.device = "cpu";
    open.threads = 1;
    open.adjust_search = [](SearchOptions& search) {
      search.min_length = 4;
      search.n_best = 3;
      search.rule.coverage_penalty = 0.3;
      search.piece_log_probs = search.attention = true;
    };
    const TextTranslator translator = open_translator(models, open);
    std::vector<ForcedPair> pairs;
    std::vector<Hypothesis> wanted;
    for (const std::string& line : invented_lines(30, 4)) {
      const Translation translation = translator.translate({{line, "", 1}}).at(0);
      for (const TranslatedSegment& segment : translation.segments) {
        for (const Hypothesis& one : segment.hypotheses) {
          if (!one.finished) continue;
          pairs.push_back({});
          pairs.back().source_pieces = segment.source_pieces;
          pairs.back().target_pieces = one.pieces;
          wanted.push_back(one);
        }
      }
    }
    ASSERT_GT(pairs.size(), 30U);
    ForcedOptions everything;
    everything.attention = everything.coverage = true;
    everything.batch_sentences = 8;
    decoder(models, everything).decode(pairs);
    for (size_t i = 0; i < pairs.size(); ++i) {
      ASSERT_THAT(pairs[i].piece_log_probs, SizeIs(wanted[i].piece_log_probs.size()));
      EXPECT_NEAR(pairs[i].log_prob, wanted[i].log_prob, 1e-4 - 1e-5 * wanted[i].log_prob);  // sums of up to -80
      EXPECT_NEAR(pairs[i].score(translator.search_options().rule), wanted[i].score, 1e-4);
      ASSERT_THAT(pairs[i].attention, SizeIs(wanted[i].attention.size()));
      for (size_t t = 0; t < wanted[i].attention.size(); ++t) {
        EXPECT_NEAR(pairs[i].piece_log_probs[t], wanted[i].piece_log_probs[t], 1e-4);
        EXPECT_THAT(pairs[i].attention[t], ::testing::Pointwise(::testing::FloatNear(1e-4F), wanted[i].attention[t]));
      }
    }
  }
}

TEST_F(Forced, NumbersDependOnNeitherBatchNorOrderNorThreads) {
  std::vector<LinePair> lines = shifted(invented_lines(50, 2));
  ForcedOptions single;
  single.batch_sentences = 1;
  const std::vector<ForcedPair> alone = decoder({a_}, single).decode(lines);
  for (const int threads : {1, 3}) {
    ForcedOptions options;
    options.batch_sentences = 7;
    options.threads = threads;
    const std::vector<ForcedPair> together = decoder({a_}, options).decode(lines);
    for (size_t i = 0; i < alone.size(); ++i) EXPECT_NEAR(together[i].log_prob, alone[i].log_prob, 1e-4);
  }
  std::reverse(lines.begin(), lines.end());
  std::vector<ForcedPair> reversed = decoder({a_}).decode(lines);
  std::reverse(reversed.begin(), reversed.end());
  for (size_t i = 0; i < alone.size(); ++i) EXPECT_NEAR(reversed[i].log_prob, alone[i].log_prob, 1e-4);
}

// Over all pieces that may follow, the probabilities sum to 1: shown by the first prediction of one-piece targets.
TEST_F(Forced, ProbabilitiesOfTheFirstPieceSumToOne) {
  std::vector<ForcedPair> pairs;
  for (PieceId piece = 0; piece < tokenizers_.target->vocab_size(); ++piece) {
    pairs.push_back({});
    pairs.back().source_pieces = {5, 6};
    pairs.back().target_pieces = {piece};
  }
  decoder({a_}).decode(pairs);
  double sum = 0;
  for (const ForcedPair& pair : pairs) sum += std::exp(double(pair.piece_log_probs.at(0)));
  EXPECT_NEAR(sum, 1, 1e-4);
}

TEST_F(Forced, OddLinesHaveTheirPlace) {
  ForcedOptions options;
  options.max_pieces = 20;
  options.attention = true;
  const std::string long_line(200, 'a');
  const std::vector<ForcedPair> pairs = decoder({a_}, options)
                                            .decode({{"ab cd", ""},
                                                     {"", "ab"},
                                                     {" ", "\xc2\xa0"},
                                                     {"ab", long_line},
                                                     {long_line, "ab"},
                                                     {"a\xff", "b\r\nc"},
                                                     {"a", "b c"}});
  ASSERT_THAT(pairs, SizeIs(7));
  EXPECT_EQ(pairs[0].predictions(), 1);  // that it ends at once
  EXPECT_LT(pairs[0].log_prob, 0);
  EXPECT_EQ(pairs[1].source_pieces.size(), 0U);
  EXPECT_THAT(pairs[1].attention.at(0), SizeIs(1));  // the source's end mark
  EXPECT_LT(pairs[1].log_prob, 0);
  EXPECT_TRUE(pairs[2].blank());
  EXPECT_EQ(pairs[2].predictions(), 0);
  EXPECT_EQ(pairs[2].log_prob, 0);
  EXPECT_EQ(pairs[2].score({}), 0);
  for (const size_t i : {3, 4}) {
    EXPECT_TRUE(pairs[i].too_long);
    EXPECT_THAT(pairs[i].piece_log_probs, IsEmpty());
  }
  EXPECT_EQ(pairs[5].replaced_utf8, 1);
  EXPECT_EQ(pairs[5].target, "b  c");
  EXPECT_EQ(pairs[6].predictions(), static_cast<int64_t>(pairs[6].target_pieces.size()) + 1);
  EXPECT_THAT(decoder({a_}).decode(std::vector<LinePair>{}), IsEmpty());
}

TEST_F(Forced, StopsWhenAsked) {
  request_stop();
  EXPECT_THROW(decoder({a_}).decode(shifted(invented_lines(5, 2))), InterruptedError);
  clear_stop_request();
}

}  // namespace
}  // namespace nmt
