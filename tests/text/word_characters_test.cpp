#include "text/word_characters.h"

#include <gtest/gtest.h>

namespace nmt {
namespace {

TEST(WordCharacters, LettersDigitsAndMarksJoinButNotWhereWordsHaveNoBlanks) {
  for (const int32_t joins :
       std::initializer_list<int32_t>{'a', 'Z', '7', 0xE9, 0x301, 0x416, 0x5D0, 0x634, 0xAC00, 0x905, 0x94D}) {
    EXPECT_TRUE(joins_words(joins)) << std::hex << joins;
  }
  for (const int32_t not_joining :
       std::initializer_list<int32_t>{' ', '-', '\'', '.', 0xAB, 0x2019, 0x1F600, 0x732B, 0x306D, 0x30CD, 0xE01, -1}) {
    EXPECT_FALSE(joins_words(not_joining)) << std::hex << not_joining;
  }
}

TEST(WordCharacters, ACapitalBeginsTheSentence) {
  EXPECT_EQ(capitalized("green tea"), "Green tea");
  EXPECT_EQ(capitalized("\u00e9t\u00e9"), "\u00c9t\u00e9");
  EXPECT_EQ(capitalized("\u01c6ep"), "\u01c5ep");  // a title-case letter of its own
  EXPECT_EQ(capitalized("NATO"), "NATO");
  EXPECT_EQ(capitalized("7 cats"), "7 cats");
  EXPECT_EQ(capitalized("\u732b"), "\u732b");
  EXPECT_EQ(capitalized(""), "");
}

}  // namespace
}  // namespace nmt
