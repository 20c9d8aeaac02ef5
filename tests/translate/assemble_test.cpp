#include "translate/assemble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes.h"

namespace nmt {
namespace {

using ::testing::ElementsAre;

std::vector<PieceId> bytes(const std::string& text) { return test::ByteTokenizer().encode(text); }

// Each piece of the target attends to the source piece that the permutation says (by default its own position).
Hypothesis attending(const std::string& text, size_t source_pieces, const std::vector<size_t>& to = {}) {
  Hypothesis one;
  one.pieces = bytes(text);
  for (size_t t = 0; t <= one.pieces.size(); ++t) {
    std::vector<float> row(source_pieces + 1, 0);
    row.at(t < to.size() ? to[t] : std::min(t, source_pieces)) = 1;
    one.attention.push_back(row);
  }
  return one;
}

TranslatedSegment segment(const std::string& source, const std::vector<Hypothesis>& hypotheses, bool space_before,
                          size_t first_word) {
  return {source, bytes(source), hypotheses, {}, space_before, first_word, {}};
}

Translation assembled(std::vector<TranslatedSegment> segments, const OutputOptions& options) {
  Translation translation;
  translation.segments = std::move(segments);
  assemble(translation, test::byte_tokenizers(), options);
  return translation;
}

const OutputOptions kHard = {{}, AlignmentKind::kHard};

TEST(Assemble, LinksAreOfWordsOfTheLineAndItsTranslation) {
  const Translation one = assembled({segment("ab  cd", {attending("xy zw", 6, {4, 5, 3, 0, 1})}, false, 0)}, kHard);
  EXPECT_EQ(one.text(), "xy zw");
  EXPECT_THAT(one.alignments, ElementsAre(ElementsAre(WordLink{0, 1}, WordLink{1, 0})));
}

TEST(Assemble, PartsOfALongLineCountOn) {
  const Translation joined = assembled(
      {segment("a b.", {attending("x y.", 4)}, false, 0), segment("c d", {attending("z w", 3)}, true, 2)}, kHard);
  EXPECT_EQ(joined.text(), "x y. z w");
  EXPECT_EQ(pharaoh(joined.alignments.at(0)), "0-0 1-1 2-2 3-3");
  const Translation cut = assembled(
      {segment("a bc", {attending("x yz", 4)}, false, 0), segment("de f", {attending("zz w", 4)}, false, 1)}, kHard);
  EXPECT_EQ(cut.text(), "x yzzz w");
  EXPECT_EQ(pharaoh(cut.alignments.at(0)), "0-0 1-1 2-2");
  const Translation silent =
      assembled({segment("a b", {attending("", 3)}, false, 0), segment("c", {attending("z", 1)}, true, 2)}, kHard);
  EXPECT_EQ(pharaoh(silent.alignments.at(0)), "2-0");
}

TEST(Assemble, EachOfSeveralTranslationsHasItsLinks) {
  const Translation two = assembled({segment("a b", {attending("x y", 3), attending("y", 3, {2})}, false, 0)}, kHard);
  ASSERT_EQ(two.alignments.size(), 2U);
  EXPECT_EQ(pharaoh(two.alignments[0]), "0-0 1-1");
  EXPECT_EQ(pharaoh(two.alignments[1]), "1-0");
}

TEST(Assemble, SoftAlignmentIsAMatrixOfEachHypothesis) {
  const OutputOptions soft = {{}, AlignmentKind::kSoft};
  const Translation one = assembled({segment("ab c", {attending("x yz", 4, {0, 2, 3, 4})}, false, 0)}, soft);
  EXPECT_EQ(one.segments[0].word_attention.at(0), (std::vector<std::vector<float>>{{1, 0}, {0, 2.0F / 3}}));
  EXPECT_EQ(pharaoh(one.alignments.at(0)), "0-0 1-1");
}

TEST(Assemble, ABlankLineHasNoLinks) {
  const Translation blank = assembled({}, kHard);
  EXPECT_THAT(blank.texts, ElementsAre(""));
  EXPECT_THAT(blank.alignments, ElementsAre(ElementsAre()));
  EXPECT_TRUE(assembled({}, {}).alignments.empty());
}

}  // namespace
}  // namespace nmt
