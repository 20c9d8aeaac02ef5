#include "translate/word_alignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmt {
namespace {

using ::testing::ElementsAre;

std::vector<WordRange> ranges(std::string_view text, const std::vector<TextSpan>& pieces) {
  return group_by_words(text, pieces).of_piece;
}

// A part of a line in which every letter is a piece.
WordGroups letters(std::string_view text) {
  std::vector<TextSpan> pieces;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ' ') pieces.push_back({i, i + 1});
  }
  return group_by_words(text, pieces);
}

TEST(Words, StandBetweenWhiteSpaceOfAnyKind) {
  const std::string text = " a bc\tdé\u00a0f\u3000\r g\xff ";
  std::vector<std::string_view> words;
  for (const TextSpan& word : words_of(text)) words.push_back(part_of(text, word));
  EXPECT_THAT(words, ElementsAre("a", "bc", "dé", "f", "g\xff"));
  EXPECT_TRUE(words_of("").empty());
  EXPECT_TRUE(words_of(" \u00a0").empty());
  EXPECT_THAT(words_of("x"), ElementsAre(TextSpan{0, 1}));
}

TEST(GroupByWords, APieceBelongsToTheWordsThatItHasCharactersOf) {
  const std::string text = "ab cd  ef";
  EXPECT_THAT(ranges(text, {{0, 1}, {1, 2}, {2, 4}, {4, 5}, {5, 9}}),
              ElementsAre(WordRange{0, 1}, WordRange{0, 1}, WordRange{1, 2}, WordRange{1, 2}, WordRange{2, 3}));
  EXPECT_THAT(ranges(text, {{0, 4}, {4, 9}}), ElementsAre(WordRange{0, 2}, WordRange{1, 3}));
}

TEST(GroupByWords, APieceWithoutCharactersBelongsToTheWordAfterIt) {
  const std::string text = "ab cd";
  EXPECT_THAT(ranges(text, {{0, 0}, {1, 1}, {2, 2}, {2, 3}, {3, 3}, {5, 5}}),
              ElementsAre(WordRange{0, 1}, WordRange{0, 1}, WordRange{1, 2}, WordRange{1, 2}, WordRange{1, 2},
                          WordRange{1, 2}));
  EXPECT_THAT(ranges("", {{0, 0}}), ElementsAre(WordRange{0, 0}));
}

TEST(WordAttention, SumsSourcePiecesAndAveragesTargetPieces) {
  WordAttention attention;
  // "ab c" -> "xy z": a, b, c and the end mark; x, y, z and the end mark.
  attention.add(
      {{0.5F, 0.125F, 0.25F, 0.125F}, {0.125F, 0.125F, 0.5F, 0.25F}, {0.125F, 0, 0.125F, 0.75F}, {0, 0, 0, 1}},
      letters("xy z"), 0, letters("ab c"), 0);
  EXPECT_EQ(attention.matrix(2), (std::vector<std::vector<float>>{{0.4375F, 0.375F}, {0.125F, 0.125F}}));
  EXPECT_THAT(attention.links(), ElementsAre(WordLink{0, 0}, WordLink{0, 1}));  // the second a tie: leftmost
}

TEST(WordAttention, RoundingDoesntDecideTies) {
  WordAttention attention;
  attention.add({{0.3F, 0.3F + 1e-6F, 0.2F}}, letters("x"), 0, letters("a b c"), 0);
  EXPECT_THAT(attention.links(), ElementsAre(WordLink{0, 0}));
  WordAttention clear;
  clear.add({{0.3F, 0.301F, 0.2F}}, letters("x"), 0, letters("a b c"), 0);
  EXPECT_THAT(clear.links(), ElementsAre(WordLink{1, 0}));
}

TEST(WordAttention, APieceOverTwoWordsSharesItsWeight) {
  WordAttention attention;
  const WordGroups source = group_by_words("a b", std::vector<TextSpan>{{0, 3}});
  attention.add({{0.5F}}, letters("x"), 0, source, 0);
  EXPECT_EQ(attention.matrix(2), (std::vector<std::vector<float>>{{0.25F, 0.25F}}));
}

TEST(WordAttention, PartsOfALineCountOn) {
  WordAttention attention;
  attention.add({{0.9F, 0.1F}, {0.1F, 0.9F}}, letters("x y"), 0, letters("a b"), 0);
  attention.add({{0.2F, 0.8F}}, letters("z"), 2, letters("c d"), 2);
  EXPECT_THAT(attention.links(), ElementsAre(WordLink{0, 0}, WordLink{1, 1}, WordLink{3, 2}));
}

TEST(WordAttention, AWordCutInTwoPartsIsOneWord) {
  WordAttention attention;  // "abcd" in two parts gives "x y" and "z", which join to "x yz"
  attention.add({{0.5F, 0.5F}, {0.75F, 0.25F}}, letters("x y"), 0, letters("ab"), 0);
  attention.add({{0.25F, 0.5F}}, letters("z"), 1, letters("cd"), 0);
  EXPECT_EQ(attention.matrix(1), (std::vector<std::vector<float>>{{1}, {0.875F}}));
  EXPECT_THAT(attention.links(), ElementsAre(WordLink{0, 0}, WordLink{0, 1}));
}

TEST(Pharaoh, WritesSourceThenTarget) {
  EXPECT_EQ(pharaoh({{0, 0}, {0, 2}, {3, 1}}), "0-0 0-2 3-1");
  EXPECT_EQ(pharaoh({}), "");
}

}  // namespace
}  // namespace nmt
