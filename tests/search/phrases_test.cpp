#include "search/phrases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "plain_phrases.h"

namespace nmt {
namespace {

using test::Pieces;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<bool> kNoWords;

int64_t bank_after(const PhraseSet& phrases, const Pieces& pieces) { return phrases.bank(phrases.follow(pieces)); }

TEST(PhraseSet, CountsThePiecesThatAreThereAndForgetsAPhraseThatBreaks) {
  const PhraseSet phrases({{{4, 5, 6}}, {{7}}}, kNoWords);
  EXPECT_EQ(phrases.pieces(), 4);
  EXPECT_EQ(bank_after(phrases, {}), 0);
  EXPECT_EQ(bank_after(phrases, {9, 4}), 1);
  EXPECT_EQ(bank_after(phrases, {4, 5}), 2);
  EXPECT_EQ(bank_after(phrases, {4, 5, 9}), 0);
  EXPECT_EQ(bank_after(phrases, {4, 5, 4}), 1);
  EXPECT_EQ(bank_after(phrases, {4, 5, 7}), 1);
  EXPECT_EQ(bank_after(phrases, {4, 5, 6, 4, 5}), 3);
  EXPECT_EQ(bank_after(phrases, {7, 4, 5, 6, 8}), 4);
  EXPECT_FALSE(phrases.complete(phrases.follow(Pieces{4, 5, 6})));
  EXPECT_TRUE(phrases.complete(phrases.follow(Pieces{4, 5, 6, 7})));
}

TEST(PhraseSet, ABrokenPhraseMayHaveBegunAgainMeanwhile) {
  const PhraseSet phrases({{{4, 4, 5}}}, kNoWords);
  EXPECT_TRUE(phrases.complete(phrases.follow(Pieces{4, 4, 4, 5})));
  EXPECT_EQ(bank_after(phrases, {4, 4, 4}), 2);
}

TEST(PhraseSet, SaysWhatTakesAPhraseFurther) {
  const PhraseSet phrases({{{4, 5, 6}}, {{5, 8}}}, kNoWords);
  EXPECT_THAT(phrases.next_pieces(phrases.start()), ElementsAre(4, 5));
  EXPECT_THAT(phrases.next_pieces(phrases.follow(Pieces{4, 5})), ElementsAre(4, 5, 6, 8));
  EXPECT_THAT(phrases.next_pieces(phrases.follow(Pieces{4, 5, 6})), ElementsAre(5));
  EXPECT_THAT(phrases.next_pieces(phrases.follow(Pieces{4, 5, 6, 5, 8})), IsEmpty());
}

TEST(PhraseSet, AWordThatGoesOnIsAnotherWord) {
  std::vector<bool> continues(9, false);
  continues[6] = true;  // as "ery"
  const PhraseSet phrases({{{4}, {}, true}, {{5}, {}, false}}, continues);
  EXPECT_THAT(phrases.missing(Pieces{4, 5}), IsEmpty());
  EXPECT_THAT(phrases.missing(Pieces{4, 6, 5, 6}), ElementsAre(0));
  EXPECT_THAT(phrases.missing(Pieces{4, 6, 5, 4}), IsEmpty());
  EXPECT_TRUE(phrases.undecided(phrases.follow(Pieces{5, 4})));
  EXPECT_FALSE(phrases.undecided(phrases.follow(Pieces{4, 5})));
}

TEST(PhraseSet, ATranslationMayBeginWithTheOtherForm) {
  const PhraseSet phrases({{{4, 5}, {7, 5}}}, kNoWords);
  EXPECT_THAT(phrases.next_pieces(phrases.start()), ElementsAre(4, 7));
  EXPECT_EQ(bank_after(phrases, {7}), 1);
  EXPECT_THAT(phrases.missing(Pieces{7, 5, 9}), IsEmpty());
  EXPECT_THAT(phrases.missing(Pieces{9, 7, 5}), ElementsAre(0));
  EXPECT_THAT(phrases.missing(Pieces{9, 4, 5}), IsEmpty());
}

TEST(PhraseSet, GivenTwiceItMustOccurTwiceAndWithoutPiecesItIsAlwaysMissing) {
  const PhraseSet phrases({{{4}}, {{}}, {{4}}}, kNoWords);
  EXPECT_EQ(phrases.pieces(), 2);
  EXPECT_THAT(phrases.missing(Pieces{4, 5}), ElementsAre(1, 2));
  EXPECT_THAT(phrases.missing(Pieces{4, 5, 4}), ElementsAre(1));
  EXPECT_TRUE(phrases.complete(phrases.follow(Pieces{4, 4})));
  EXPECT_TRUE(PhraseSet({{{}}}, kNoWords).empty());
}

TEST(PhraseSet, AgreesWithCountingByHandOnRandomPhrasesAndTexts) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const test::PlainPhrases plain = test::random_phrases(seed, 8);
    const PhraseSet phrases(plain.phrases, plain.continues_word);
    ASSERT_EQ(phrases.pieces(), plain.pieces());
    SplitMix64 random(seed + 12345);
    Pieces pieces;
    for (int i = 0; i < 9; ++i) {
      const PhraseSet::Progress progress = phrases.follow(pieces);
      ASSERT_EQ(phrases.bank(progress), plain.bank(pieces)) << "seed " << seed;
      ASSERT_EQ(phrases.missing(pieces), plain.missing(pieces)) << "seed " << seed;
      ASSERT_EQ(phrases.complete(progress), plain.missing(pieces).empty());
      pieces.push_back(static_cast<PieceId>(4 + random.below(4)));
    }
  }
}

}  // namespace
}  // namespace nmt
