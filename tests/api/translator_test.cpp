// nmt::Translator through the public header alone, as a program that links libnmt.so has it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nmt/translator.h>

#include <algorithm>
#include <utility>

#include "number_words.h"
#include "support/temporary_folder.h"

namespace nmt::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(PublicTranslator, GivesTextAndScores) {
  const Translator translator(kModel, on_cpu());
  const TranslatedLine line = translator.translate("trois un sept");
  ASSERT_THAT(line.translations, SizeIs(1));
  EXPECT_EQ(line.text(), "three one seven");
  // What version 0.1.0 printed when the model was made.
  EXPECT_NEAR(line.translations[0].score, -0.026037190575152636, 1e-4);
  EXPECT_NEAR(line.translations[0].log_prob, -0.03905578586272895, 1e-4);
  EXPECT_FALSE(line.split);
  EXPECT_FALSE(line.cut);
  EXPECT_EQ(line.replaced_utf8, 0);
}

TEST(PublicTranslator, GivesOneResultForEachLineInOrder) {
  const Translator translator(kModel, on_cpu());
  EXPECT_THAT(texts_of(translator.translate_lines({"cinq", "", "dix dix huit neuf quatre deux", " \t", "un"})),
              ElementsAre("five", "", "ten ten eight nine four two", "", "one"));
  EXPECT_THAT(translator.translate_lines({}), SizeIs(0));
}

TEST(PublicTranslator, PiecesSumToTheLogProbability) {
  const Translator translator(kModel, on_cpu());
  EXPECT_THAT(translator.translate("deux").translations[0].pieces, SizeIs(0));
  TranslationOptions options;
  options.pieces = true;
  const TranslatedText text = translator.translate("deux six", options).translations[0];
  double sum = 0;
  std::string spelt;
  for (const PieceScore& piece : text.pieces) {
    sum += piece.log_prob;
    spelt += piece.piece;
  }
  EXPECT_EQ(spelt, "▁two▁six</s>");
  EXPECT_NEAR(sum, text.log_prob, 1e-5);
}

std::string pairs_of(const TranslatedText& text) {
  std::string all;
  for (const WordPair& pair : text.alignment)
    all += std::to_string(pair.source) + "-" + std::to_string(pair.target) + " ";
  return all;
}

// Number words are translated one by one, so the alignment is known; in parts too, where numbers go on.
TEST(PublicTranslator, AlignsWords) {
  TranslatorOptions opening = on_cpu();
  opening.max_source_length = 4;
  const Translator translator(kModel, opening);
  TranslationOptions options;
  EXPECT_EQ(pairs_of(translator.translate("trois un sept", options).translations[0]), "");
  options.alignment = true;
  EXPECT_EQ(pairs_of(translator.translate("trois un sept", options).translations[0]), "0-0 1-1 2-2 ");
  EXPECT_EQ(pairs_of(translator.translate("un deux trois quatre cinq six", options).translations[0]),
            "0-0 1-1 2-2 3-3 4-4 5-5 ");
  options.prefixes = {"six seven"};
  EXPECT_EQ(translator.translate("trois un sept", options).translations[0].alignment.size(), 3u);
  options.prefixes = {};
  EXPECT_EQ(pairs_of(translator.translate(" ", options).translations[0]), "");
}

// The largest weight of a row is where its word is linked to; a line in parts has a block for each part.
TEST(PublicTranslator, GivesTheWeightsOfAlignments) {
  TranslatorOptions opening = on_cpu();
  opening.max_source_length = 4;
  const Translator translator(kModel, opening);
  TranslationOptions options;
  options.n_best = 2;
  EXPECT_THAT(translator.translate("trois un sept", options).translations[0].attention, SizeIs(0));
  options.attention = true;
  for (const auto& [line, blocks] :
       {std::pair("trois un sept", 1u), {"un deux trois quatre cinq six", 2u}, {" ", 0u}}) {
    const TranslatedLine found = translator.translate(line, options);
    EXPECT_THAT(found.translations[0].alignment, SizeIs(0));  // not asked for
    EXPECT_THAT(found.translations[0].attention, SizeIs(blocks)) << line;
    int64_t next = 0;
    for (const AttentionBlock& block : found.translations[0].attention) {
      EXPECT_EQ(block.first_source, next);
      EXPECT_EQ(block.first_target, next);
      for (size_t row = 0; row < block.weights.size(); ++row, ++next) {
        const std::vector<float>& weights = block.weights[row];
        const auto largest = std::max_element(weights.begin(), weights.end());
        EXPECT_EQ(static_cast<size_t>(largest - weights.begin()), row) << line;
        double sum = 0;
        for (const float weight : weights) sum += weight;
        EXPECT_GT(sum, 0.5);
        EXPECT_LE(sum, 1 + 1e-5);
      }
    }
  }
}

TEST(PublicTranslator, ConstraintsAreMetOrToldOf) {
  const Translator translator(kModel, on_cpu());
  TranslationOptions options;
  options.constraints = {{"nine"}, {}, {"seven eight", "five"}};
  const std::vector<TranslatedLine> lines = translator.translate_lines({"trois un", "trois un", "cinq"}, options);
  EXPECT_THAT(lines[0].text(), testing::HasSubstr("nine"));
  EXPECT_EQ(lines[1].text(), "three one");
  EXPECT_THAT(lines[2].text(), testing::AllOf(testing::HasSubstr("seven eight"), testing::HasSubstr("five")));
  EXPECT_THAT(lines[0].translations[0].missing, SizeIs(0));
  options.constraints = {{"nine", "two"}};
  options.forbid = {"nine"};
  EXPECT_THAT(translator.translate("trois", options).translations[0].missing, ElementsAre("nine"));
  options.forbid = {};
  options.sample = true;
  EXPECT_THROW(translator.translate("trois", options), Error);
}

// A prefix that the vocabulary can't spell is the unknown piece; it looks at "deux" or "un".
TEST(PublicTranslator, UnknownWordsAreShownOrReplaced) {
  const TemporaryFolder folder;
  TranslatorOptions opening = on_cpu();
  TranslationOptions options;
  options.prefixes = {"\u2603"};
  const Translator plain(kModel, opening);
  EXPECT_EQ(plain.translate("deux", options).text(), "<unk>");
  options.unknown = "?";
  EXPECT_EQ(plain.translate("deux", options).text(), "?");
  options.replace_unknown = true;
  EXPECT_EQ(plain.translate("deux", options).text(), "deux");
  opening.dictionary = folder.file("words", "deux\tzwei\n");
  const Translator translator(kModel, opening);
  EXPECT_EQ(translator.translate("deux", options).text(), "zwei");
  options.replace_unknown = false;
  EXPECT_EQ(translator.translate("deux", options).text(), "?");
  opening.dictionary = folder.file("none", "");
  try {
    const Translator refused(kModel, opening);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
  }
}

TEST(PublicTranslator, TellsWhatItDidToALine) {
  TranslatorOptions options = on_cpu();
  options.max_source_length = 4;
  const Translator translator(kModel, options);
  const TranslatedLine split = translator.translate("un deux trois quatre cinq six");
  EXPECT_TRUE(split.split);
  EXPECT_EQ(split.text(), "one two three four five six");
  EXPECT_EQ(translator.translate("un \xff deux").replaced_utf8, 1);
  TranslationOptions short_one;
  short_one.max_length_ratio = 0.01;
  short_one.max_length_extra = 1;
  const TranslatedLine cut = translator.translate("un deux", short_one);
  EXPECT_TRUE(cut.cut);
  EXPECT_EQ(cut.text(), "one");
}

TEST(PublicTranslator, PrefixesAreKept) {
  const Translator translator(kModel, on_cpu());
  TranslationOptions options;
  options.prefixes = {"seven", ""};
  EXPECT_THAT(texts_of(translator.translate_lines({"trois un", "trois un"}, options)),
              ElementsAre("seven one", "three one"));
}

TEST(PublicTranslator, CanBeMoved) {
  Translator first(kModel, on_cpu());
  Translator second = std::move(first);
  EXPECT_EQ(second.translate("un").text(), "one");
  first = Translator(kModel, on_cpu());
  second = std::move(first);
  EXPECT_EQ(second.translate("deux").text(), "two");
}

TEST(PublicTranslator, AnEnsembleOfOneModelTwiceIsThatModel) {
  const Translator one(kModel, on_cpu());
  for (const auto average : {TranslatorOptions::Average::kLog, TranslatorOptions::Average::kLinear}) {
    TranslatorOptions options = on_cpu();
    options.average = average;
    options.weights = {1, 3};
    const Translator two = Translator::ensemble({kModel, kModel}, options);
    const TranslatedText expected = one.translate("trois un sept").translations[0];
    const TranslatedText found = two.translate("trois un sept").translations[0];
    EXPECT_EQ(found.text, expected.text);
    EXPECT_NEAR(found.log_prob, expected.log_prob, 1e-5);
  }
}

}  // namespace
}  // namespace nmt::test
