// A model that an earlier version wrote (numbers_model/) is read by this one and translates as it did then.

#include <gtest/gtest.h>

#include <sstream>
#include <string>

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

TEST(OldModel, IsInspected) {
  const ProcessResult result = run_nmt({"inspect", kModel});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("10,188"), std::string::npos) << result.output;
}

}  // namespace
}  // namespace nmt::test
