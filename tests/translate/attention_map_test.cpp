#include "translate/attention_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "fakes.h"

namespace nmt {
namespace {

using test::byte_tokenizers;
using ::testing::ElementsAre;

PiecedText bytes_of(const std::string& text) {
  const TokenizerPair tokenizers = byte_tokenizers();
  return {text, tokenizers.source->encode(text), tokenizers.source->piece_spans(text)};
}

// A piece for each byte: "ab c" has the words "ab" (two pieces) and "c".
const std::vector<std::vector<float>> kAttention = {
    {0.5F, 0.25F, 0, 0.125F, 0.125F}, {0, 0.5F, 0, 0.25F, 0.25F}, {0.25F, 0.25F, 0, 0.5F, 0}, {0, 0, 0, 0, 1}};

TEST(AttentionMap, WordsSumColumnsAndAverageRows) {
  const AttentionMap map =
      make_attention_map(byte_tokenizers(), bytes_of("ab c"), bytes_of("xyz"), kAttention, AttentionLevel::kWords);
  EXPECT_THAT(map.source_labels, ElementsAre("ab", "c", "</s>"));
  EXPECT_THAT(map.target_labels, ElementsAre("xyz", "</s>"));
  EXPECT_THAT(map.weights, ElementsAre(ElementsAre(::testing::FloatEq(1.75F / 3), ::testing::FloatEq(0.875F / 3),
                                                   ::testing::FloatEq(0.375F / 3)),
                                       ElementsAre(0, 0, 1)));
  EXPECT_EQ(map.source, "ab c");
  EXPECT_EQ(map.target, "xyz");
}

TEST(AttentionMap, PiecesStayAsTheyAre) {
  const AttentionMap map =
      make_attention_map(byte_tokenizers(), bytes_of("ab c"), bytes_of("xyz"), kAttention, AttentionLevel::kPieces);
  EXPECT_EQ(map.weights, kAttention);
  EXPECT_EQ(map.source_labels.size(), 5U);
  EXPECT_EQ(map.source_labels.back(), "</s>");
  EXPECT_EQ(map.target_labels.size(), 4U);
}

TEST(AttentionMap, AnUnknownPieceIsShownAsWhatItStandsFor) {
  PiecedText source = bytes_of("ab c");
  source.pieces[1] = kUnkId;
  const AttentionMap map =
      make_attention_map(byte_tokenizers(), source, bytes_of("xyz"), kAttention, AttentionLevel::kPieces);
  EXPECT_EQ(map.source_labels[1], "b");
}

TEST(AttentionMap, ATranslationThatWasCutHasNoEndMark) {
  const std::vector<std::vector<float>> cut(kAttention.begin(), kAttention.end() - 1);
  const AttentionMap map =
      make_attention_map(byte_tokenizers(), bytes_of("ab c"), bytes_of("xyz"), cut, AttentionLevel::kWords);
  EXPECT_THAT(map.target_labels, ElementsAre("xyz"));
  EXPECT_EQ(map.weights.size(), 1U);
}

TEST(AttentionMap, BlankSidesHaveTheirEndMark) {
  const AttentionMap map =
      make_attention_map(byte_tokenizers(), bytes_of(""), bytes_of(""), {{1.0F}}, AttentionLevel::kWords);
  EXPECT_THAT(map.source_labels, ElementsAre("</s>"));
  EXPECT_THAT(map.weights, ElementsAre(ElementsAre(1)));
}

TEST(AttentionMap, WeightsOfAnotherTextAreADefect) {
  for (const AttentionLevel level : {AttentionLevel::kWords, AttentionLevel::kPieces}) {
    EXPECT_THROW(make_attention_map(byte_tokenizers(), bytes_of("ab"), bytes_of("xyz"), kAttention, level),
                 InternalError);
    EXPECT_THROW(make_attention_map(byte_tokenizers(), bytes_of("ab c"), bytes_of("vwxyz"), kAttention, level),
                 InternalError);
  }
}

TEST(AttentionJson, HoldsEverything) {
  AttentionMap map = make_attention_map(byte_tokenizers(), bytes_of("a"), bytes_of("\"<\x01"),
                                        {{0.25F, 0.75F}, {1, 0}, {0, 1}, {0, 1}}, AttentionLevel::kWords);
  map.model = "m\xff";
  const std::string text = attention_json(std::vector<AttentionFigure>{{"Line 1", "", {map}}, {"Line 2", "note", {}}});
  EXPECT_EQ(text.back(), '\n');
  const nlohmann::json figures = nlohmann::json::parse(text).at("figures");
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[1].at("note"), "note");
  const nlohmann::json& out = figures[0].at("maps").at(0);
  EXPECT_EQ(out.at("target"), "\"<\x01");
  EXPECT_EQ(out.at("target_labels"), (std::vector<std::string>{"\"<\x01", "</s>"}));
  EXPECT_EQ(out.at("weights").at(0), (std::vector<double>{0.416667, 0.583333}));
}

}  // namespace
}  // namespace nmt
