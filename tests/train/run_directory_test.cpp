#include "train/run_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class RunDirectoryTest : public testing::Test {
 protected:
  RunDirectoryTest() {
    config_.data.train.src.value = folder_.file("a.src", "a\n");
    config_.data.train.tgt.value = folder_.file("a.tgt", "b\n");
    config_.train.max_updates = 10;
  }
  void expect_refused(RunMode mode, const char* message) const {
    try {
      RunDirectory directory(run_, mode);
      ADD_FAILURE() << "accepted; expected: " << message;
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 2);
      EXPECT_THAT(error.what(), HasSubstr(message));
      EXPECT_THAT(error.what(), HasSubstr(run_.string()));
    }
  }

  test::TemporaryFolder folder_;
  fs::path run_ = folder_.path() / "deep" / "run";
  Config config_;
};

TEST_F(RunDirectoryTest, HoldsOneRun) {
  {
    RunDirectory directory(run_, RunMode::kNew);
    EXPECT_EQ(saved_config(run_), std::nullopt);
    directory.begin(config_);
  }
  EXPECT_TRUE(differing_keys(*saved_config(run_), config_).empty());
  expect_refused(RunMode::kNew, "--resume");
  EXPECT_THROW(check_output(run_, RunMode::kNew), UsageError);
  RunDirectory resumed(run_, RunMode::kResume);
}

TEST_F(RunDirectoryTest, CheckpointsWithoutConfigurationCountAsARun) {
  fs::create_directories(run_ / "checkpoints" / "step-00000001");
  expect_refused(RunMode::kNew, "already holds a run");
  EXPECT_THROW(saved_config(run_), UsageError);
}

TEST_F(RunDirectoryTest, OneProcessAtATime) {
  const RunDirectory directory(run_, RunMode::kNew);
  expect_refused(RunMode::kNew, "Another process is training");
}

TEST_F(RunDirectoryTest, StrangersNamesAreRefused) {
  fs::create_directories(run_ / "best");
  expect_refused(RunMode::kOverwrite, "best");
  fs::remove(run_ / "best");
  write_file_atomic(run_ / "checkpoints", "");
  expect_refused(RunMode::kNew, "checkpoints");
  fs::remove_all(run_);
  write_file_atomic(run_, "a file");
  expect_refused(RunMode::kNew, "no directory");
}

TEST_F(RunDirectoryTest, AModelsDirectoryIsRefused) {
  fs::create_directories(run_);
  std::ofstream(run_ / "model_card.json") << "{}";
  EXPECT_THROW(RunDirectory(run_, RunMode::kNew), UsageError);
  EXPECT_THROW(RunDirectory(run_, RunMode::kOverwrite), UsageError);
}

TEST_F(RunDirectoryTest, UnrelatedFilesAreNoObstacle) {
  fs::create_directories(run_);
  write_file_atomic(run_ / "notes.txt", "mine");
  RunDirectory directory(run_, RunMode::kNew);
  directory.begin(config_);
  EXPECT_TRUE(fs::exists(run_ / "notes.txt"));
}

TEST_F(RunDirectoryTest, OverwritingRemovesWhatIsOfARunOnly) {
  {
    RunDirectory directory(run_, RunMode::kNew);
    directory.begin(config_);
  }
  for (const char* name : {"step-00000001", "damaged-00000002", "unfinished-00000003", "step-mine", "mine"}) {
    fs::create_directories(run_ / "checkpoints" / name);
  }
  fs::create_directory_symlink("checkpoints/step-00000001", run_ / "best");
  fs::create_directory_symlink("checkpoints/step-00000001", run_ / "last");
  for (const char* name : {"train_log.jsonl", "notes.txt", "model.safetensors"}) write_file_atomic(run_ / name, "x");
  config_.train.seed = 5;
  RunDirectory directory(run_, RunMode::kOverwrite);
  EXPECT_TRUE(fs::exists(run_ / "train_log.jsonl")) << "nothing goes before training begins";
  directory.begin(config_);
  for (const char* gone : {"train_log.jsonl", "best", "last", "checkpoints/step-00000001",
                           "checkpoints/damaged-00000002", "checkpoints/unfinished-00000003"}) {
    EXPECT_FALSE(fs::exists(fs::symlink_status(run_ / gone))) << gone;
  }
  for (const char* kept : {"notes.txt", "model.safetensors", "checkpoints/step-mine", "checkpoints/mine"}) {
    EXPECT_TRUE(fs::exists(run_ / kept)) << kept;
  }
  EXPECT_EQ(saved_config(run_)->train.seed, 5);
}

TEST_F(RunDirectoryTest, OverwritingAStrangersDirectoryRemovesNothing) {
  fs::create_directories(run_);
  write_file_atomic(run_ / "train_log.jsonl", "of another program");
  RunDirectory directory(run_, RunMode::kOverwrite);
  directory.begin(config_);
  EXPECT_EQ(read_file(run_ / "train_log.jsonl"), "of another program");
}

TEST_F(RunDirectoryTest, OnlyLimitsAndIntervalsMayChange) {
  Config now = config_;
  now.train.max_updates = now.train.max_epochs = now.train.save_every = now.train.keep_last = 7;
  now.train.max_minutes = 7;
  now.train.log_every = now.train.max_bad_steps = now.valid.every_updates = now.valid.every_epochs = 7;
  now.valid.patience = now.valid.samples = 7;
  EXPECT_NO_THROW(check_resumable(config_, now));
  now.train.batch_tokens = 7;
  now.model.embedding_dim = 7;
  try {
    check_resumable(config_, now);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_THAT(error.what(), HasSubstr("model.embedding_dim"));
    EXPECT_THAT(error.what(), HasSubstr("train.batch_tokens"));
    EXPECT_THAT(error.what(), Not(HasSubstr("max_updates")));
  }
}

}  // namespace
}  // namespace nmt
