// A run that an earlier version left in the middle of an epoch (numbers_run/) goes on as it would have then.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "base/file.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace nmt::test {
namespace {

namespace fs = std::filesystem;

// The run with the paths of its text where they are now.
fs::path copy_of_the_run(const fs::path& folder) {
  const fs::path run = folder / "run";
  fs::copy(fs::path(NMT_SOURCE_DIR) / "tests" / "program" / "numbers_run", run,
           fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  std::string config = read_file(run / "run_config.json");
  const std::string place = "@RUN@";
  for (size_t at = config.find(place); at != std::string::npos; at = config.find(place, at)) {
    config.replace(at, place.size(), run.string());
  }
  std::ofstream(run / "run_config.json") << config;
  return run;
}

TEST(OldRun, GoesOnAsItWouldHave) {
  const TemporaryFolder folder;
  const fs::path run = copy_of_the_run(folder.path());
  const ProcessResult result = run_nmt({"train", "--resume", "--output", run.string(), "--device", "cpu", "--threads",
                                        "1", "--set", "train.max_updates=40"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.errors.find("Resumed at update 20"), std::string::npos) << result.errors;
  EXPECT_EQ(fs::read_symlink(run / "last").filename(), "step-00000040");
  std::map<int64_t, double> losses;
  for (const std::string& line : read_lines(run / "train_log.jsonl")) {
    const auto event = nlohmann::json::parse(line);
    if (event.at("event") == "train") losses[event.at("update")] = event.at("loss");
  }
  // What version 0.1.0 printed when it went on itself.
  const std::map<int64_t, double> expected = {
      {25, 3.0291781881581183}, {30, 2.98367633043571}, {35, 2.8992312961154516}, {40, 2.816316799854669}};
  for (const auto& [update, loss] : expected) EXPECT_NEAR(losses[update], loss, 1e-3) << update;
}

}  // namespace
}  // namespace nmt::test
