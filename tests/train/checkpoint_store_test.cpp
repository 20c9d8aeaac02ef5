#include "train/checkpoint_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

TrainState state_at(int64_t update) {
  TrainState state;
  state.update = update;
  state.seconds = static_cast<double>(update) / 3;
  return state;
}

void write_two_files(const fs::path& directory, int64_t update) {
  write_file_atomic(directory / "model.safetensors", "weights of " + std::to_string(update) + std::string(5000, 'w'));
  write_file_atomic(directory / "config.json", "{}");
}

void save(CheckpointStore& store, int64_t update) {
  store.save(state_at(update), [&](const fs::path& directory) { write_two_files(directory, update); });
}

std::vector<std::string> names_in(const fs::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

class CheckpointStoreTest : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  fs::path run_ = folder_.path();
};

TEST_F(CheckpointStoreTest, SavesAndFindsTheNewest) {
  CheckpointStore store(run_, 3);
  EXPECT_EQ(store.newest_intact(), std::nullopt);
  save(store, 5);
  save(store, 12);
  EXPECT_EQ(fs::read_symlink(run_ / "last"), "checkpoints/step-00000012");
  EXPECT_THAT(names_in(run_ / "last"), ElementsAre("config.json", "model.safetensors", "train_state.json"));
  EXPECT_THAT(names_in(run_), ElementsAre("checkpoints", "last"));
  const auto found = store.newest_intact();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->state, state_at(12));
  EXPECT_EQ(found->directory, run_ / "checkpoints" / "step-00000012");
}

TEST_F(CheckpointStoreTest, RunCanBeMovedSinceLinksAreRelative) {
  fs::create_directories(run_ / "a");
  {
    CheckpointStore store(run_ / "a", 3);
    save(store, 5);
    store.point_best_to(5);
  }
  fs::rename(run_ / "a", run_ / "b");
  EXPECT_TRUE(fs::exists(run_ / "b" / "best" / "model.safetensors"));
  EXPECT_EQ(CheckpointStore(run_ / "b", 3).best(), 5);
}

TEST_F(CheckpointStoreTest, PrunesAllButTheLastAndTheBest) {
  CheckpointStore store(run_, 2);
  for (const int64_t update : {1, 2, 3, 4, 5, 6}) {
    save(store, update);
    if (update == 2) store.point_best_to(2);
    store.prune();
  }
  EXPECT_THAT(store.updates(), ElementsAre(2, 5, 6));
  EXPECT_EQ(store.best(), 2);
  store.point_best_to(6);
  store.prune();
  EXPECT_THAT(store.updates(), ElementsAre(5, 6));
  EXPECT_THAT(names_in(run_ / "checkpoints"), ElementsAre("step-00000005", "step-00000006"));
}

TEST_F(CheckpointStoreTest, SameUpdateIsReplaced) {
  CheckpointStore store(run_, 2);
  save(store, 3);
  store.save(state_at(3), [](const fs::path& directory) { write_file_atomic(directory / "other", "new"); });
  EXPECT_THAT(names_in(run_ / "last"), ElementsAre("other", "train_state.json"));
  EXPECT_THAT(names_in(run_ / "checkpoints"), ElementsAre("step-00000003"));
  EXPECT_EQ(store.newest_intact()->state.update, 3);
}

TEST_F(CheckpointStoreTest, FailedSaveLeavesNothingAndOldOnesIntact) {
  CheckpointStore store(run_, 2);
  save(store, 3);
  const auto fail = [](const fs::path& directory) {
    write_two_files(directory, 4);
    throw ResourceError("No space left on device");
  };
  EXPECT_THROW(store.save(state_at(4), fail), ResourceError);
  EXPECT_THROW(store.save(state_at(3), fail), ResourceError);
  EXPECT_THAT(names_in(run_ / "checkpoints"), ElementsAre("step-00000003"));
  EXPECT_EQ(store.newest_intact()->state.update, 3);
}

TEST_F(CheckpointStoreTest, LeftoversOfAnAbruptEndGo) {
  fs::create_directories(run_ / "checkpoints" / "unfinished-00000007");
  fs::create_directories(run_ / "checkpoints" / "replaced-00000006");
  fs::create_directories(run_ / "checkpoints" / "notes");
  fs::create_directories(run_ / "checkpoints" / "step-7");
  const CheckpointStore store(run_, 2);
  EXPECT_THAT(names_in(run_ / "checkpoints"), ElementsAre("notes", "step-7"));
  EXPECT_TRUE(store.updates().empty());
}

// Every file, cut at several lengths and with single bits flipped, is noticed; the checkpoint before it is used.
TEST_F(CheckpointStoreTest, DamagedCheckpointGivesWayToTheOneBefore) {
  const std::vector<std::string> files = {"config.json", "model.safetensors", "train_state.json"};
  for (const std::string& file : files) {
    CheckpointStore store(run_, 9);
    save(store, 1);
    save(store, 2);
    const fs::path path = run_ / "checkpoints" / "step-00000002" / file;
    const std::string whole = read_file(path);
    std::vector<std::string> damaged = {""};
    for (const size_t part : {size_t{1}, whole.size() / 2, whole.size() - 2}) {
      damaged.push_back(whole.substr(0, part));
      damaged.push_back(whole);
      damaged.back()[part] ^= 1;
    }
    for (const std::string& content : damaged) {
      if (content == whole) continue;
      save(store, 2);
      fs::remove_all(run_ / "checkpoints" / "damaged-00000002");
      std::ofstream(path, std::ios::binary) << content;
      const auto found = store.newest_intact();
      ASSERT_TRUE(found) << file;
      EXPECT_EQ(found->state.update, 1) << file << " of " << content.size() << " bytes";
      EXPECT_EQ(fs::read_symlink(run_ / "last"), "checkpoints/step-00000001");
      EXPECT_TRUE(fs::exists(run_ / "checkpoints" / "damaged-00000002"));
    }
    save(store, 2);
    fs::remove(path);
    EXPECT_EQ(store.newest_intact()->state.update, 1) << file << " missing";
  }
}

TEST_F(CheckpointStoreTest, NothingButDamageIsAnError) {
  CheckpointStore store(run_, 9);
  for (const int64_t update : {1, 2}) {
    save(store, update);
    std::ofstream(store.directory_of(update) / "model.safetensors") << "x";
  }
  try {
    store.newest_intact();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 4);
    EXPECT_THAT(error.what(), HasSubstr("step-00000002/model.safetensors is damaged"));
    EXPECT_THAT(error.what(), HasSubstr("--overwrite"));
  }
  EXPECT_THAT(store.updates(), ElementsAre(1, 2));
}

TEST_F(CheckpointStoreTest, AnotherFormatIsRefusedNotPassedOver) {
  CheckpointStore store(run_, 9);
  save(store, 1);
  save(store, 2);
  const fs::path path = store.directory_of(2) / "train_state.json";
  auto json = nlohmann::ordered_json::parse(read_file(path));
  json["format"] = 2;
  std::ofstream(path) << json.dump();
  try {
    store.newest_intact();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 4);
    EXPECT_THAT(error.what(), HasSubstr("has format 2"));
    EXPECT_THAT(error.what(), HasSubstr("reads format 1"));
  }
}

// Saves checkpoints of growing size until the disk is full, in a process of its own; tells what it found by its exit
// code: 0 where the failure was a ResourceError that left the older checkpoints intact and nothing partial.
int fill_disk(const fs::path& run) {
  CheckpointStore store(run, 100);
  for (int64_t update = 1; update < 100; ++update) {
    try {
      store.save(state_at(update), [&](const fs::path& directory) {
        write_file_atomic(directory / "model.safetensors", std::string(static_cast<size_t>(update) * 100000, 'w'));
      });
    } catch (const Error& error) {
      if (error.exit_code() != 5) return 2;
      const std::vector<int64_t> updates = store.updates();
      if (updates.empty() || updates.back() != update - 1) return 3;
      if (names_in(run / "checkpoints").size() != updates.size()) return 4;
      for (const int64_t kept : updates) read_checkpoint(store.directory_of(kept));
      return store.newest_intact()->state.update == update - 1 ? 0 : 5;
    }
  }
  return 6;
}

int in_a_process(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 9;
    try {
      code = body();
    } catch (...) {
    }
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

TEST_F(CheckpointStoreTest, FileSizeLimitWhileSaving) {
  EXPECT_EQ(in_a_process([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit = {350000, 350000};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              return fill_disk(run_);
            }),
            0);
}

TEST_F(CheckpointStoreTest, FullDiskWhileSaving) {
  if (::mount("tmpfs", run_.c_str(), "tmpfs", 0, "size=1m") != 0) GTEST_SKIP() << "mounting needs root";
  const int code = in_a_process([&] { return fill_disk(run_); });
  ::umount(run_.c_str());
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace nmt
