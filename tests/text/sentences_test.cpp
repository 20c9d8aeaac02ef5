#include "text/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace nmt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Sentences, EndWhereTheNextBegins) {
  EXPECT_THAT(sentences_of("A dog runs. Two men sit!  Is it late? Yes"),
              ElementsAre("A dog runs. ", "Two men sit!  ", "Is it late? ", "Yes"));
  EXPECT_THAT(sentences_of("\u4f60\u597d\u3002\u4eca\u5929\u5f88\u597d\u3002"),
              ElementsAre("\u4f60\u597d\u3002", "\u4eca\u5929\u5f88\u597d\u3002"));
  EXPECT_THAT(sentences_of("no capital. follows"), ElementsAre("no capital. follows"));
  EXPECT_THAT(sentences_of(""), IsEmpty());
}

// Places where a full stop is followed by a capital in the middle of a sentence.
TEST(Sentences, DontEndInAbbreviationsInitialsAcronymsAndNumbers) {
  for (const std::string text :
       {"A girl wears Mr. Potato Head glasses.", "A man stands at the Prince St. Cafe.",
        "Men walk in John A. Noble hall.", "A man at the U.S. Army library.", "A sign that says E.S.E. Electronics.",
        "Er kommt am 3. Mai nach Bonn.", "Ein Mann zeigt Dr. Meier, Prof. Schulz und Nr. Sieben.",
        "Elle voit M. Dupont.", "She has a Ph.D. She is proud.", "Siehe vgl. Kapitel zwei.", "Sra. Costa fala."}) {
    EXPECT_THAT(sentences_of(text), ElementsAre(text));
  }
  EXPECT_THAT(sentences_of("She has seen it. He has not."), ElementsAre("She has seen it. ", "He has not."));
  // The last words are abbreviations in other languages.
  for (const std::string first : {"A dog is in the water. ", "I sit on a bull. ", "Here is my cat. ", "A light is on. ",
                                  "They watch TV. ", "He throws the ball. "}) {
    EXPECT_THAT(sentences_of(first + "A man runs."), ElementsAre(first, "A man runs."));
  }
  EXPECT_THAT(sentences_of("See example.com. It works..."), ElementsAre("See example.com. ", "It works..."));
}

TEST(Sentences, JoinedAreTheText) {
  const std::string text = " One. \u00bbTwo!\u00ab  Three?! 4. Five\u2026 Six.\t\u3000Seven \xf0\x9f\x98\x80. ";
  std::string joined;
  for (const std::string_view sentence : sentences_of(text)) joined += sentence;
  EXPECT_EQ(joined, text);
}

}  // namespace
}  // namespace nmt
