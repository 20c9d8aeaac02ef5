#include "translate/unknown_words.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace nmt {
namespace {

// A hypothesis given by its pieces' texts, "?" being the unknown piece, with the attention of each on the source.
struct Case {
  DecodedLine line;
  Hypothesis hypothesis;

  Case(const std::vector<std::string>& pieces, std::vector<std::vector<float>> attention) {
    for (const std::string& piece : pieces) {
      const size_t begin = line.text.size();
      line.text += piece == "?" ? "\u2047" : piece;
      line.spans.push_back({begin, line.text.size()});
      hypothesis.pieces.push_back(piece == "?" ? kUnkId : 7);
    }
    hypothesis.attention = std::move(attention);
  }

  std::string spelt_by(size_t piece) const { return std::string(part_of(line.text, line.spans[piece])); }
};

// One piece for each word, with the blank before it.
SourceWords words(std::string_view text) {
  std::vector<TextSpan> pieces;
  for (const TextSpan& word : words_of(text)) pieces.push_back({word.begin == 0 ? 0 : word.begin - 1, word.end});
  return {text, pieces};
}

std::string replaced(Case one, const SourceWords& source, const UnknownStyle& style = {"<unk>", true, nullptr}) {
  replace_unknown(one.line, one.hypothesis, style, source);
  return one.line.text;
}

TEST(UnknownWords, AreShownInTheChosenFormWithTheBlanksOfTheText) {
  Case one({"We", " saw", " ", "?", ",", " ", "?", "?"}, {});
  show_unknown(one.line, one.hypothesis, {});
  EXPECT_EQ(one.line.text, "We saw <unk>, <unk><unk>");
  EXPECT_EQ(one.spelt_by(1), " saw");
  EXPECT_EQ(one.spelt_by(3), "<unk>");
  EXPECT_EQ(one.spelt_by(4), ",");
  EXPECT_EQ(one.spelt_by(7), "<unk>");
  Case none({"\u2047"}, {});  // not the unknown piece, but a text with that character
  show_unknown(none.line, none.hypothesis, {});
  EXPECT_EQ(none.line.text, "\u2047");
  Case empty({"a ", "?", " b"}, {});
  show_unknown(empty.line, empty.hypothesis, {"", false, nullptr});
  EXPECT_EQ(empty.line.text, "a  b");
  EXPECT_EQ(empty.spelt_by(2), " b");
}

TEST(UnknownWords, AreReplacedByTheMostAttendedWordAsTheUserWroteIt) {
  const SourceWords source = words("Wir sahen \u00ab\u017di\u017eek\u00bb.");
  const std::vector<std::vector<float>> attention = {
      {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}, {0.1F, 0.2F, 0.3F, 0.4F}, {0, 0, 0, 1}};
  EXPECT_EQ(replaced({{"We", " saw", " ", "?", "."}, attention}, source), "We saw \u017di\u017eek.");
}

TEST(UnknownWords, LettersBesideThePieceAreOfTheSameWord) {
  const SourceWords source = words("le caf\u00e9");
  const std::vector<std::vector<float>> on_second(6, {0, 1, 0});
  EXPECT_EQ(replaced({{"the", " caf", "?", "s", ",", "x"}, on_second}, source), "the caf\u00e9,x");
  EXPECT_EQ(replaced({{"?", "?", "-", "?"}, on_second}, source), "caf\u00e9-caf\u00e9");
  Case one({"a", " x", "?", "y z"}, on_second);
  replace_unknown(one.line, one.hypothesis, {"<unk>", true, nullptr}, source);
  EXPECT_EQ(one.line.text, "a caf\u00e9 z");
  EXPECT_EQ(one.spelt_by(1), " caf\u00e9");  // what it is part of now
  EXPECT_EQ(one.spelt_by(3), "caf\u00e9 z");
}

TEST(UnknownWords, OfOneWordAttendTogether) {
  const SourceWords source = words("eins zwei");
  EXPECT_EQ(replaced({{"?", "?"}, {{0.4F, 0.6F}, {0.9F, 0.1F}}}, source), "eins");
}

TEST(UnknownWords, WithoutBlanksOnlyThePieceIsReplacedOrCopied) {
  const std::vector<std::vector<float>> on_second(3, {0, 1, 0});
  EXPECT_EQ(replaced({{"\u6211", "?", "\u5927"}, on_second}, words("Ich Bj\u00f6rk")), "\u6211Bj\u00f6rk\u5927");
  const std::string_view chinese = "\u6211\u9f98\u5927";
  const SourceWords source(chinese, {{0, 3}, {3, 6}, {6, 9}});
  EXPECT_EQ(replaced({{"my ", "?", " is"}, on_second}, source), "my \u9f98 is");
}

TEST(UnknownWords, TheDictionaryTranslatesWhatItHas) {
  const test::TemporaryFolder folder;
  const auto dictionary =
      std::make_shared<const WordDictionary>(folder.file("d", "drachenfrucht\tdragon fruit\nu.s.\tU.S.\n"));
  const UnknownStyle style = {"<unk>", true, dictionary};
  const SourceWords source = words("eine Drachenfrucht, Kiwi U.S.");
  const auto of = [&](size_t word) {
    std::vector<float> row(5);
    row[word] = 1;
    return replaced({{"a ", "?", "."}, {row, row, row}}, source, style);
  };
  EXPECT_EQ(of(1), "a dragon fruit.");
  EXPECT_EQ(of(2), "a Kiwi.");
  EXPECT_EQ(of(3), "a U.S..");
}

}  // namespace
}  // namespace nmt
