#include "metrics/bleu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace nmt::metrics {
namespace {

using Lines = std::vector<std::string>;

const Lines kHypotheses = {"The cat sat on the mat, didn't it?", "Twelve boats left the harbour at 5.30 this morning.",
                           "Nobody knows why."};
const std::vector<Lines> kReferences = {
    {"The cat sat on the mat, did it not?", "A cat was sitting on the mat, wasn't it?"},
    {"Twelve boats left the port at 5.30 this morning.", "This morning at 5.30, twelve boats left the harbour."},
    {"No one knows why.", "Nobody knows the reason."}};

TEST(Bleu, IdenticalTextIsExactly100) {
  const BleuScore score = corpus_bleu(kHypotheses, kHypotheses);
  EXPECT_EQ(score.score, 100.0);
  EXPECT_EQ(score.verbose(), "100.0/100.0/100.0/100.0 (BP = 1.000 ratio = 1.000 hyp_len = 24 ref_len = 24)");
}

TEST(Bleu, HandCount) {
  // Words: a b c d e against a b x d e: unigrams 4 of 5, bigrams 2 of 4, no trigram of 3, no 4-gram of 2.
  const BleuScore score = corpus_bleu({"a b c d e"}, Lines{"a b x d e"});
  EXPECT_EQ(score.counts, (std::vector<double>{4, 2, 0, 0}));
  EXPECT_EQ(score.totals, (std::vector<double>{5, 4, 3, 2}));
  EXPECT_EQ(score.precisions, (std::vector<double>{80, 50, 100. / 6, 100. / 8}));
  EXPECT_NEAR(score.score, 100 * std::pow(0.8 * 0.5 / 6 / 8, 0.25), 1e-12);
}

TEST(Bleu, MatchesAreClippedByTheReferenceThatHasMost) {
  const BleuScore score = corpus_bleu({"the the the the"}, std::vector<Lines>{{"the cat", "the dog and the cat"}});
  EXPECT_EQ(score.counts[0], 2);
}

TEST(Bleu, NearestReferenceLengthPrefersTheShorter) {
  EXPECT_EQ(corpus_bleu({"a b c"}, std::vector<Lines>{{"a b c d", "a b"}}).reference_length, 2);
}

TEST(Bleu, OrderOfReferencesAndOfLinesDoesNotMatter) {
  const BleuScore base = corpus_bleu(kHypotheses, kReferences);
  std::vector<Lines> swapped = kReferences;
  for (Lines& references : swapped) std::reverse(references.begin(), references.end());
  EXPECT_EQ(corpus_bleu(kHypotheses, swapped).score, base.score);
  const Lines hypotheses(kHypotheses.rbegin(), kHypotheses.rend());
  EXPECT_EQ(corpus_bleu(hypotheses, std::vector<Lines>(kReferences.rbegin(), kReferences.rend())).score, base.score);
}

TEST(Bleu, DoublingACorpusKeepsItsScore) {
  Lines hypotheses = kHypotheses;
  std::vector<Lines> references = kReferences;
  hypotheses.insert(hypotheses.end(), kHypotheses.begin(), kHypotheses.end());
  references.insert(references.end(), kReferences.begin(), kReferences.end());
  EXPECT_NEAR(corpus_bleu(hypotheses, references).score, corpus_bleu(kHypotheses, kReferences).score, 1e-12);
}

TEST(Bleu, Signatures) {
  EXPECT_EQ(corpus_bleu(kHypotheses, kReferences).signature,
            "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:nmt-" NMT_VERSION);
  std::vector<Lines> uneven = kReferences;
  uneven[0].pop_back();
  EXPECT_EQ(corpus_bleu(kHypotheses, uneven, {.smoothing = BleuSmoothing::kFloor}).signature,
            "nrefs:var|case:mixed|eff:no|tok:13a|smooth:floor[0.10]|version:nmt-" NMT_VERSION);
}

TEST(Bleu, NestingAndCountsAreChecked) {
  // References by file where they are wanted by line.
  EXPECT_THROW(corpus_bleu(kHypotheses, std::vector<Lines>{kHypotheses}), DataError);
  EXPECT_THROW(corpus_bleu(kHypotheses, std::vector<Lines>{{"a"}, {}, {"c"}}), DataError);
  EXPECT_THROW(corpus_bleu({}, Lines{}), DataError);
}

TEST(Bleu, OptionsAreChecked) {
  EXPECT_THROW(Bleu({.max_ngram_order = 0}), UsageError);
  EXPECT_THROW(Bleu({.smooth_value = -1}), UsageError);
  EXPECT_THROW(parse_smoothing("exponential"), UsageError);
  EXPECT_THROW(parse_tokenizer("13b"), UsageError);
}

TEST(Bleu, TokenizersThatNeedModelsAreRefusedByName) {
  for (const char* name : {"ja-mecab", "ko-mecab", "spm", "flores101", "flores200"}) {
    try {
      parse_tokenizer(name);
      FAIL() << name;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("13a, intl, char, none, zh"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace nmt::metrics
