#include "translate/text_splitter.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/utf8.h"

namespace nmt {
namespace {

std::vector<std::string> split(const std::string& text, int64_t limit, Sentences sentences = Sentences::kTogether) {
  std::vector<std::string> parts;
  for (const TextPart& part : split_text(
           text, limit, [](std::string_view t) { return static_cast<int64_t>(t.size()); }, sentences)) {
    std::string& shown = parts.emplace_back(part.space_before ? "_" : "");
    shown += part.text;
  }
  return parts;
}
using Parts = std::vector<std::string>;

TEST(SplitText, LeavesWhatFits) {
  EXPECT_EQ(split("One. Two.", 100), Parts{"One. Two."});
  EXPECT_EQ(split("  ", 100), Parts{});
}

TEST(SplitText, CutsBetweenSentencesAndKeepsTogetherWhatFits) {
  EXPECT_EQ(split("One is here. Two is there! Is three? Yes.", 27),
            (Parts{"One is here. Two is there!", "_Is three? Yes."}));
  EXPECT_EQ(split("One is here. Two is there!", 20), (Parts{"One is here.", "_Two is there!"}));
}

TEST(SplitText, GivesEachSentenceByItself) {
  EXPECT_EQ(split("One is. Two are, I think, there! Three?", 20, Sentences::kApart),
            (Parts{"One is.", "_Two are, I think,", "_there!", "_Three?"}));
  EXPECT_EQ(split("One.", 20, Sentences::kApart), Parts{"One."});
  EXPECT_EQ(split("  ", 20, Sentences::kApart), Parts{});
}

TEST(SplitText, CutsAfterOtherPunctuationWhereASentenceIsTooLong) {
  EXPECT_EQ(split("one and two, three and four; five and six", 22),
            (Parts{"one and two,", "_three and four;", "_five and six"}));
}

TEST(SplitText, CutsBetweenWordsWhereThereIsNoPunctuation) {
  EXPECT_EQ(split("alpha beta gamma delta", 11), (Parts{"alpha beta", "_gamma delta"}));
}

TEST(SplitText, CutsBetweenCharactersAsALastResort) {
  EXPECT_EQ(split("abcdefghij", 4), (Parts{"abc", "def", "ghij"}));
  // e + combining acute, three bytes each, are one character
  const std::string accented = "e\u0301e\u0301e\u0301";
  EXPECT_EQ(split(accented, 4), (Parts{"e\u0301", "e\u0301", "e\u0301"}));
}

TEST(SplitText, ChineseSentencesNeedNoSpaces) {
  EXPECT_EQ(split("\u4f60\u597d\u3002\u4eca\u5929\u5929\u6c14\u5f88\u597d\u3002", 21),
            (Parts{"\u4f60\u597d\u3002", "\u4eca\u5929\u5929\u6c14\u5f88\u597d\u3002"}));
}

TEST(SplitText, LosesNothingButWhiteSpace) {
  std::mt19937_64 random(11);
  const std::vector<std::string> alphabet = {"a",          "bc",     " ",      "  ",     ". ",      ", ",
                                             "!",          "\u00e9", "\u4e2d", "\u3002", "e\u0301", "\t",
                                             "\U0001F600", "\u00a0", "\x07",   "-",      "\u0634"};
  for (int round = 0; round < 300; ++round) {
    std::string text;
    const size_t length = 1 + random() % 120;
    for (size_t i = 0; i < length; ++i) text += alphabet[random() % alphabet.size()];
    const auto limit = static_cast<int64_t>(1 + random() % 40);
    size_t begin = 0;
    for (const TextPart& part :
         split_text(text, limit, [](std::string_view t) { return static_cast<int64_t>(strip(t).size()); })) {
      const size_t at = static_cast<size_t>(part.text.data() - text.data());
      ASSERT_GE(at, begin);
      EXPECT_TRUE(is_blank(std::string_view(text).substr(begin, at - begin)));
      EXPECT_EQ(find_invalid_utf8(part.text), std::string_view::npos);
      EXPECT_FALSE(is_blank(part.text));
      begin = at + part.text.size();
    }
    EXPECT_TRUE(is_blank(std::string_view(text).substr(begin)));
  }
}

}  // namespace
}  // namespace nmt
