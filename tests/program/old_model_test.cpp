// A model that an earlier version wrote (numbers_model/) is read by this one and translates as it did then.

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "support/process.h"

namespace nmt::test {
namespace {

const std::string kModel = std::string(NMT_SOURCE_DIR) + "/tests/program/numbers_model";

TEST(OldModel, TranslatesAsItDid) {
  const ProcessResult result = run_nmt({"translate", "--model", kModel, "--device", "cpu", "--format", "tsv"},
                                       {.input = "trois un sept\ndix dix huit neuf quatre deux\ncinq\n"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  // What version 0.1.0 printed when the model was made.
  const struct {
    double score, log_prob;
    const char* text;
  } expected[] = {{-0.026037190575152636, -0.03905578586272895, "three one seven"},
                  {-0.03724515193607658, -0.07449030387215316, "ten ten eight nine four two"},
                  {-0.01913179237661617, -0.022320424439385533, "five"}};
  std::istringstream rows(result.output);
  for (const auto& wanted : expected) {
    int line = 0, rank = 0;
    double score = 0, log_prob = 0;
    std::string text;
    ASSERT_TRUE(rows >> line >> rank >> score >> log_prob >> std::ws && std::getline(rows, text)) << result.output;
    EXPECT_EQ(text, wanted.text);
    EXPECT_NEAR(score, wanted.score, 1e-4);
    EXPECT_NEAR(log_prob, wanted.log_prob, 1e-4);
  }
}

TEST(OldModel, ReducedPrecisionTranslatesTheSame) {
  for (const std::string precision : {"bfloat16", "int8"}) {
    const ProcessResult result =
        run_nmt({"translate", "--model", kModel, "--device", "cpu", "--precision", precision, "--quiet"},
                {.input = "trois un sept\ndix dix huit neuf quatre deux\ncinq\n"});
    if (result.exit_code == 5) {  // this processor has no instructions for it
      EXPECT_NE(result.errors.find("float32"), std::string::npos) << result.errors;
      continue;
    }
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.output, "three one seven\nten ten eight nine four two\nfive\n") << precision;
  }
}

// In reduced precision fewer than 1 line in 200 may depend on what it is translated with.
TEST(OldModel, ReducedPrecisionHardlyDependsOnTheBatch) {
  const std::vector<std::string> words = {"un",  "deux", "trois", "quatre", "cinq",
                                          "six", "sept", "huit",  "neuf",   "dix"};
  std::string input;
  for (size_t line = 0; line < 200; ++line) {
    for (size_t i = 0; i <= line % 6; ++i)
      input += (i == 0 ? "" : " ") + words[(line * 7 + i * i * 3 + line / 10) % 10];
    input += "\n";
  }
  for (const std::string precision : {"bfloat16", "int8"}) {
    std::vector<std::string> outputs;
    for (const char* batch : {"64", "5"}) {
      const ProcessResult result = run_nmt({"translate", "--model", kModel, "--device", "cpu", "--precision", precision,
                                            "--batch-sentences", batch, "--quiet"},
                                           {.input = input});
      if (result.exit_code == 5) break;  // this processor has no instructions for it
      ASSERT_EQ(result.exit_code, 0) << result.errors;
      outputs.push_back(result.output);
    }
    if (outputs.size() < 2) continue;
    std::istringstream one(outputs[0]), other(outputs[1]);
    int lines = 0, differing = 0;
    for (std::string a, b; std::getline(one, a) && std::getline(other, b); ++lines) differing += a != b ? 1 : 0;
    EXPECT_EQ(lines, 200);
    EXPECT_LT(differing, 1) << precision;
  }
}

TEST(OldModel, IsInspected) {
  const ProcessResult result = run_nmt({"inspect", kModel});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("10,188"), std::string::npos) << result.output;
}

}  // namespace
}  // namespace nmt::test
