#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/process.h"

namespace nmt::test {
namespace {

const std::vector<std::vector<std::string>> kPrinting = {
    {"--help"}, {"--version"}, {"config", "show"}, {"config", "schema"}};

TEST(Streams, AFullDiskUnderTheOutputIsAnErrorOfResources) {
  for (const auto& command : kPrinting) {
    const ProcessResult result = run_nmt(command, {.output_file = "/dev/full"});
    EXPECT_EQ(result.exit_code, 5);
    EXPECT_EQ(result.errors, "nmt: error: Can't write standard output: No space left on device.\n");
  }
}

TEST(Streams, AClosedOutputIsAnErrorOfResources) {
  for (const auto& command : kPrinting) {
    const ProcessResult result = run_nmt(command, {.close_output = true});
    EXPECT_EQ(result.exit_code, 5);
    EXPECT_EQ(result.errors, "nmt: error: Can't write standard output: Bad file descriptor.\n");
  }
}

TEST(Streams, AClosedPipeEndsTheProgramQuietly) {
  for (const auto& command : kPrinting) {
    const ProcessResult result = run_nmt(command, {.stop_reading = true});
    EXPECT_EQ(result.exit_code, 128 + SIGPIPE);
    EXPECT_EQ(result.errors, "");
  }
}

TEST(Streams, ResultsGoToOutputAndNothingElseDoes) {
  const ProcessResult good = run_nmt({"config", "show"});
  EXPECT_EQ(good.errors, "");
  EXPECT_NE(good.output, "");
  const ProcessResult bad = run_nmt({"config", "check", "/nowhere.json"});
  EXPECT_EQ(bad.output, "");
  EXPECT_NE(bad.errors, "");
}

}  // namespace
}  // namespace nmt::test
