#include "translate/constraints_of_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "list_tokenizer.h"
#include "translate/piece_text.h"

namespace nmt {
namespace {

using test::ListTokenizer;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const ListTokenizer kTokenizer({"\u2581green", "\u2581Green", "\u2581tea", "ery", "!", "\u2581", "\u2581NATO",
                                "<0x41>"});

TEST(ConstraintsOfLine, APhraseIsCutAsTargetTextAndMayBeginWithACapital) {
  const RequiredPhrase tea = make_phrase(kTokenizer, " green tea ");
  EXPECT_THAT(tea.pieces, ElementsAre(4, 6));
  EXPECT_THAT(tea.at_start, ElementsAre(5, 6));
  EXPECT_TRUE(tea.ends_word);
  const RequiredPhrase call = make_phrase(kTokenizer, "NATO!");
  EXPECT_THAT(call.pieces, ElementsAre(10, 8));
  EXPECT_THAT(call.at_start, IsEmpty());
  EXPECT_FALSE(call.ends_word);
  EXPECT_THAT(make_phrase(kTokenizer, "xyz").pieces, IsEmpty());
  EXPECT_THAT(make_phrase(kTokenizer, "tea").at_start, IsEmpty());  // "Tea" can't be spelt
}

TEST(ConstraintsOfLine, LettersContinueWords) {
  EXPECT_EQ(pieces_continuing_words(kTokenizer), (std::vector<bool>{0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}));
}

TEST(ConstraintsOfLine, APartOfALongLineGetsThePhrasesThatItsSourceHolds) {
  std::vector<TranslatedSegment> segments(3);
  segments[0].source = "le th\u00e9";
  segments[1].source = "Paris, 1789";
  segments[2].source = "1789";
  give_constraints({"1789", "", "tea", " ", "tea"}, segments);
  EXPECT_THAT(segments[0].constraints, ElementsAre("tea", "tea"));
  EXPECT_THAT(segments[1].constraints, ElementsAre("1789"));
  EXPECT_THAT(segments[2].constraints, IsEmpty());
  std::vector<TranslatedSegment> none;
  give_constraints({"tea"}, none);
}

}  // namespace
}  // namespace nmt
