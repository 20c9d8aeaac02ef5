#include "translate/output_format.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace nmt {
namespace {

Translation two_texts() {
  Hypothesis first;
  first.pieces = {7, 8};
  first.piece_log_probs = {-0.25F, -0.5F, -0.5F};
  first.log_prob = -1.25;
  first.score = -0.5;
  Hypothesis second = first;
  second.finished = false;
  Translation translation;
  translation.texts = {"le \"thé\"", "a\tb"};
  translation.scores = {-0.5, -0.75};
  translation.log_probs = {-1.25, -2};
  translation.segments = {{"the tea", {4, 5}, {first, second}, translation.texts, false, 0}};
  return translation;
}

TEST(OutputFormat, RowsAreAsDescribed) {
  EXPECT_EQ(format_translation(two_texts(), 3, OutputFormat::kText), "le \"thé\"");
  EXPECT_EQ(format_translation(two_texts(), 3, OutputFormat::kTsv),
            "3\t1\t-0.5\t-1.25\tle \"thé\"\n3\t2\t-0.75\t-2\ta b");
  EXPECT_EQ(format_translation(two_texts(), 3, OutputFormat::kMarianNBest),
            "2 ||| le \"thé\" ||| F0= -1.25 ||| -0.5\n2 ||| a\tb ||| F0= -2 ||| -0.75");
}

TEST(OutputFormat, JsonHoldsEverythingOnOneLine) {
  const std::string line = format_translation(two_texts(), 3, OutputFormat::kJsonl);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const nlohmann::json json = nlohmann::json::parse(line);
  EXPECT_EQ(json.at("line"), 3);
  EXPECT_EQ(json.at("translations").at(0).at("text"), "le \"thé\"");
  EXPECT_EQ(json.at("translations").at(1).at("log_prob"), -2);
  const nlohmann::json& segment = json.at("segments").at(0);
  EXPECT_EQ(segment.at("source"), "the tea");
  EXPECT_EQ(segment.at("hypotheses").at(0).at("piece_log_probs"), (std::vector<float>{-0.25F, -0.5F, -0.5F}));
  EXPECT_EQ(segment.at("hypotheses").at(1).at("finished"), false);
}

// Numbers are sums of float32 ones: more than six decimals would be noise.
TEST(OutputFormat, NumbersHaveSixDecimalsInEveryFormat) {
  Translation translation = two_texts();
  translation.scores = {-1.0 / 3, -2e-7};
  translation.log_probs = {-100000.0 / 7, double{0.1F}};
  translation.segments[0].hypotheses[0].piece_log_probs = {-0.1F, -1.2345678e-5F};
  EXPECT_EQ(format_translation(translation, 3, OutputFormat::kTsv),
            "3\t1\t-0.333333\t-14285.714286\tle \"thé\"\n3\t2\t0\t0.1\ta b");
  EXPECT_EQ(format_translation(translation, 3, OutputFormat::kMarianNBest),
            "2 ||| le \"thé\" ||| F0= -14285.714286 ||| -0.333333\n2 ||| a\tb ||| F0= 0.1 ||| 0");
  const std::string json = format_translation(translation, 3, OutputFormat::kJsonl);
  EXPECT_NE(json.find(R"("score":-0.333333,"log_prob":-14285.714286})"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("score":0.0,"log_prob":0.1})"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("piece_log_probs":[-0.1,-1.2e-05])"), std::string::npos) << json;
}

TEST(OutputFormat, AnIdIsGivenBackAsItIs) {
  Translation translation = two_texts();
  translation.id = "12345678901234567890123";
  const std::string line = format_translation(translation, 3, OutputFormat::kJsonl);
  EXPECT_EQ(line.rfind(R"({"line":3,"id":12345678901234567890123,"translations":[)", 0), 0u) << line;
}

TEST(OutputFormat, AlignmentsStandWhereMarianHasThem) {
  Translation aligned = two_texts();
  aligned.alignments = {{{0, 0}, {1, 1}}, {{0, 1}}};
  EXPECT_EQ(format_translation(aligned, 3, OutputFormat::kText), "le \"thé\" ||| 0-0 1-1");
  EXPECT_EQ(format_translation(aligned, 3, OutputFormat::kTsv),
            "3\t1\t-0.5\t-1.25\tle \"thé\"\t0-0 1-1\n3\t2\t-0.75\t-2\ta b\t0-1");
  EXPECT_EQ(format_translation(aligned, 3, OutputFormat::kMarianNBest),
            "2 ||| le \"thé\" ||| 0-0 1-1 ||| F0= -1.25 ||| -0.5\n2 ||| a\tb ||| 0-1 ||| F0= -2 ||| -0.75");
  aligned.segments[0].word_attention = {{{0.5F, 0.25F}}, {{1, 0}}};
  const nlohmann::json json = nlohmann::json::parse(format_translation(aligned, 3, OutputFormat::kJsonl));
  EXPECT_EQ(json.at("translations").at(0).at("alignment").dump(), "[[0,0],[1,1]]");
  EXPECT_EQ(json.at("segments").at(0).at("hypotheses").at(0).at("word_attention").dump(), "[[0.5,0.25]]");
  Translation blank;
  blank.texts = {""};
  blank.scores = blank.log_probs = {0};
  blank.alignments = {{}};
  EXPECT_EQ(format_translation(blank, 1, OutputFormat::kText), " ||| ");
}

TEST(OutputFormat, ABlankLineHasOneEmptyTranslation) {
  Translation blank;
  blank.texts = {""};
  blank.scores = {0};
  blank.log_probs = {0};
  EXPECT_EQ(format_translation(blank, 1, OutputFormat::kText), "");
  EXPECT_EQ(format_translation(blank, 1, OutputFormat::kTsv), "1\t1\t0\t0\t");
  EXPECT_EQ(format_translation(blank, 1, OutputFormat::kMarianNBest), "0 |||  ||| F0= 0 ||| 0");
  EXPECT_EQ(nlohmann::json::parse(format_translation(blank, 1, OutputFormat::kJsonl)).at("segments").size(), 0U);
}

TEST(OutputFormat, WordsAreChecked) {
  EXPECT_EQ(parse_output_format("jsonl"), OutputFormat::kJsonl);
  EXPECT_EQ(parse_output_format("marian-n-best"), OutputFormat::kMarianNBest);
  EXPECT_THROW(parse_output_format("json"), UsageError);
}

}  // namespace
}  // namespace nmt
