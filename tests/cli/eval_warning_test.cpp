#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/process.h"
#include "support/temporary_folder.h"

namespace nmt::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

ProcessResult eval(const std::string& hypothesis, const std::string& reference, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"eval", "--hypothesis", hypothesis, "--reference", reference, "--score-only"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_nmt(arguments);
}

// BLEU of tokenized text looks like a better system; it is said, beside the same score.
TEST(EvalWarning, TextThatLooksTokenizedIsNamedUnlessForced) {
  const TemporaryFolder folder;
  for (const std::string odd : {"It rains today .\n", "it ra@@ ins today\n", "\u2581it \u2581rains \u2581today\n"}) {
    std::string tokenized, plain;
    for (int i = 0; i < 120; ++i) {
      tokenized += odd;
      plain += "It rains today.\n";
    }
    const std::string tokenized_file = folder.file("tokenized", tokenized);
    const std::string plain_file = folder.file("plain", plain);
    const ProcessResult warned = eval(tokenized_file, plain_file, {});
    EXPECT_EQ(warned.exit_code, 0);
    EXPECT_THAT(warned.errors,
                AllOf(HasSubstr("120 lines of " + tokenized_file + " look tokenized"), HasSubstr("--force")));
    const ProcessResult forced = eval(tokenized_file, plain_file, {"--force"});
    EXPECT_THAT(forced.errors, Not(HasSubstr("tokenized (")));
    EXPECT_EQ(forced.output, warned.output);
    EXPECT_THAT(eval(plain_file, plain_file, {}).errors, Not(HasSubstr("look tokenized")));
  }
}

}  // namespace
}  // namespace nmt::test
