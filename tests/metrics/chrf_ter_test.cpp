#include <gtest/gtest.h>

#include "base/error.h"
#include "metrics/chrf.h"
#include "metrics/corpus.h"
#include "metrics/ter.h"

namespace nmt::metrics {
namespace {

using Lines = std::vector<std::string>;

double score(const Metric& metric, const Lines& hypotheses, const std::vector<Lines>& references) {
  return metric.value(count_corpus(metric, hypotheses, references).sums);
}

std::vector<double> counts(const Metric& metric, const std::string& hypothesis, const std::string& reference) {
  return count_corpus(metric, {hypothesis}, {{reference}}).sums;
}

// What holds for both metrics whatever the text: scores don't depend on the order of lines or of references, a corpus
// said twice scores as it did, and a text scores best against itself. (Of references that score alike for chrF, as all
// do with an empty output, sacreBLEU counts the first, and so do we; there is none here.)
void expect_general_properties(const Metric& metric, double perfect) {
  const Lines hypotheses = {"the cat sat on a mat", "dogs bark", "it rains, and he stays at home"};
  const std::vector<Lines> references = {{"a cat sat on the mat", "the cat is on the mat"},
                                         {"dogs bark loudly", "the dogs are barking"},
                                         {"he stays at home since it rains", "it rains so he stays home"}};
  const double usual = score(metric, hypotheses, references);
  Lines turned(hypotheses.rbegin(), hypotheses.rend());
  EXPECT_NEAR(score(metric, turned, {references.rbegin(), references.rend()}), usual, 1e-12);
  std::vector<Lines> swapped = references;
  for (Lines& of_line : swapped) std::swap(of_line[0], of_line[1]);
  EXPECT_NEAR(score(metric, hypotheses, swapped), usual, 1e-12);
  Lines twice = hypotheses;
  twice.insert(twice.end(), hypotheses.begin(), hypotheses.end());
  std::vector<Lines> references_twice = references;
  references_twice.insert(references_twice.end(), references.begin(), references.end());
  EXPECT_NEAR(score(metric, twice, references_twice), usual, 1e-12);
  EXPECT_NEAR(score(metric, {"the cat sat on a mat", "dogs bark"}, {{"the cat sat on a mat"}, {"dogs bark"}}), perfect,
              1e-12);
}

TEST(Chrf, GeneralProperties) {
  expect_general_properties(Chrf({}), 100);
  expect_general_properties(Chrf({.word_order = 2}), 100);
}

TEST(Ter, GeneralProperties) { expect_general_properties(Ter({}), 0); }

TEST(Chrf, HandCount) {
  // "abc" and "abd": characters 3, 3, 2 common; bigrams 2, 2, 1; white space doesn't count.
  EXPECT_EQ(counts(Chrf({.char_order = 2}), "ab c", "a bd"), (std::vector<double>{3, 3, 2, 2, 2, 1}));
  EXPECT_EQ(counts(Chrf({.char_order = 1, .whitespace = true}), "ab c", "a bd"), (std::vector<double>{4, 4, 3}));
}

TEST(Chrf, CharactersAreCodePoints) {
  EXPECT_EQ(counts(Chrf({.char_order = 1}), "äöü", "äöß"), (std::vector<double>{3, 3, 2}));
}

TEST(Chrf, WordsLoseOnePunctuationMark) {
  // "(hi)" is "(hi" and ")"; "x" is one word.
  EXPECT_EQ(counts(Chrf({.char_order = 0, .word_order = 1}), "(hi) x", "(hi ) x"), (std::vector<double>{3, 4, 2}));
}

TEST(Chrf, Names) {
  EXPECT_EQ(Chrf({}).name(), "chrF2");
  EXPECT_EQ(Chrf({.word_order = 2}).name(), "chrF2++");
  EXPECT_EQ(Chrf({.beta = 3}).name(), "chrF3");
}

TEST(Chrf, IdenticalTextIs100AndEmptyOutputIs0) {
  EXPECT_EQ(score(Chrf({.word_order = 2}), {"Ein Satz.", "नमस्ते दुनिया"}, {{"Ein Satz."}, {"नमस्ते दुनिया"}}), 100.0);
  EXPECT_EQ(score(Chrf({}), {""}, {{"Ein Satz."}}), 0.0);
}

TEST(Chrf, OptionsAreChecked) {
  EXPECT_THROW(Chrf({.char_order = -1}), UsageError);
  EXPECT_THROW(Chrf({.char_order = 0}), UsageError);
  EXPECT_THROW(Chrf({.beta = -1}), UsageError);
}

TEST(Ter, EachKindOfEditCostsOne) {
  const Ter ter({});
  EXPECT_EQ(counts(ter, "a b c d", "a b c d"), (std::vector<double>{0, 4}));
  EXPECT_EQ(counts(ter, "a b d", "a b c d"), (std::vector<double>{1, 4}));            // an insertion
  EXPECT_EQ(counts(ter, "a b x c d", "a b c d"), (std::vector<double>{1, 4}));        // a deletion
  EXPECT_EQ(counts(ter, "a x c d", "a b c d"), (std::vector<double>{1, 4}));          // a substitution
  EXPECT_EQ(counts(ter, "c d e f a b", "a b c d e f"), (std::vector<double>{1, 6}));  // a shift of two words
}

TEST(Ter, EmptySides) {
  const Ter ter({});
  EXPECT_EQ(score(ter, {""}, {{"a b"}}), 100.0);
  EXPECT_EQ(score(ter, {"a b"}, {{""}}), 100.0);
  EXPECT_EQ(score(ter, {""}, {{""}}), 0.0);
}

TEST(Ter, TheNearestReferenceCountsAgainstTheMeanLength) {
  EXPECT_EQ(count_corpus(Ter({}), {"a b"}, {{"a b c d e", "a b"}}).sums, (std::vector<double>{0, 3.5}));
}

TEST(Ter, Normalisation) {
  EXPECT_EQ(counts(Ter({.normalized = true}), "Ann's &quot;cat&quot;, 3.5", "ann 's \" cat \" , 3.5"),
            (std::vector<double>{0, 7}));
  EXPECT_EQ(counts(Ter({.no_punctuation = true}), "So, why? (1.5)", "so why 15"), (std::vector<double>{0, 3}));
  EXPECT_EQ(counts(Ter({.normalized = true, .asian_support = true}), "猫。犬", "猫 。 犬"),
            (std::vector<double>{0, 3}));
  EXPECT_EQ(counts(Ter({.case_sensitive = true}), "A", "a"), (std::vector<double>{1, 1}));
}

TEST(Ter, VeryUnequalLengthsStayInsideTheBand) {
  std::string longer;
  for (int i = 0; i < 400; ++i) longer += std::to_string(i % 7) + " ";
  EXPECT_EQ(counts(Ter({}), "6", longer), (std::vector<double>{399, 400}));
  EXPECT_EQ(counts(Ter({}), longer, "6"), (std::vector<double>{399, 1}));
}

}  // namespace
}  // namespace nmt::metrics
