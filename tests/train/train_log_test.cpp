#include "train/train_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

TEST(TrainLog, OneObjectALine) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "log.jsonl";
  {
    TrainLog log(file);
    log.write("train", {{"loss", 1.5}, {"bad", std::nan("")}});
    log.write("validation", {{"text", "a\nb\xff"}});
  }
  TrainLog(file).write("stop", {{"update", 3}});
  const auto lines = read_lines(file);
  ASSERT_EQ(lines.size(), 3u);
  const auto first = ordered_json::parse(lines[0]);
  EXPECT_EQ(first["event"], "train");
  EXPECT_EQ(first["loss"], 1.5);
  EXPECT_TRUE(first["bad"].is_null());
  EXPECT_THAT(first["time"].get<std::string>(), testing::MatchesRegex("....-..-..T..:..:..Z"));
  EXPECT_EQ(ordered_json::parse(lines[1])["text"], "a\nb\xEF\xBF\xBD");
  EXPECT_EQ(ordered_json::parse(lines[2])["update"], 3);
}

TEST(TrainLog, LineLeftIncompleteByAnAbruptEndGoes) {
  const test::TemporaryFolder folder;
  for (const std::string& before : {std::string("{\"event\":\"a\"}\n"), std::string()}) {
    const std::string file =
        folder.file("log.jsonl", before + "{\"event\":\"train\",\"x\":\"" + std::string(9000, 'x'));
    TrainLog(file).write("start", ordered_json::object());
    const auto lines = read_lines(file);
    EXPECT_EQ(lines.size(), before.empty() ? 1u : 2u);
    for (const auto& line : lines) EXPECT_FALSE(ordered_json::parse(line, nullptr, false).is_discarded());
  }
}

TEST(TrainLog, FullDiskIsAnError) {
  const test::TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder.path() / "log.jsonl");
  try {
    TrainLog(folder.path() / "log.jsonl").write("start", ordered_json::object());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 5);
    EXPECT_THAT(error.what(), HasSubstr("log.jsonl"));
  }
}

}  // namespace
}  // namespace nmt
