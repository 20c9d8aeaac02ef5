// `nmt train` as users run it: signals, exit codes, what is left on disk.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "base/file.h"
#include "base/random.h"
#include "support/running_nmt.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using test::RunningNmt;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class TrainProgramTest : public testing::Test {
 protected:
  TrainProgramTest() {
    SplitMix64 random(3);
    std::ostringstream source, target;
    for (int i = 0; i < 120; ++i) {
      for (uint64_t words = 2 + random.below(6); words > 0; --words) {
        const uint64_t word = random.below(40);
        source << 'w' << word << (words > 1 ? ' ' : '\n');
        target << 'v' << word << (words > 1 ? ' ' : '\n');
      }
    }
    folder_.file("train.src", source.str());
    folder_.file("train.tgt", target.str());
    folder_.file("config.json", R"({
      "data": {"train": {"src": "train.src", "tgt": "train.tgt"}},
      "text": {"vocab_size": 300},
      "model": {"embedding_dim": 8, "encoder_dim": 8, "decoder_dim": 8, "attention_dim": 8, "readout_dim": 8},
      "train": {"batch_tokens": 250, "max_batch_sentences": 9, "max_updates": 60, "log_every": 10, "save_every": 7, "keep_last": 1000}})");
  }

  std::vector<std::string> arguments_of(const std::string& name) const {
    return {"train",    "--config",        (path() / "config.json").string(), "--device", "cpu", "--threads", "1",
            "--output", run(name).string()};
  }
  RunningNmt start_run(const std::string& name, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = arguments_of(name);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunningNmt(path(), arguments);
  }
  int train(const std::string& name, const std::vector<std::string>& arguments = {}) {
    RunningNmt process = start_run(name, arguments);
    const int code = process.wait();
    err_ = process.err();
    out_ = process.out();
    return code;
  }
  const fs::path& path() const { return folder_.path(); }
  fs::path run(const std::string& name) const { return path() / name; }

  // Waits until the log has an event of a kind.
  void wait_for(const std::string& name, const std::string& event) const {
    for (int i = 0; i < 6000; ++i) {
      std::ifstream file(run(name) / "train_log.jsonl");
      const std::string log((std::istreambuf_iterator<char>(file)), {});
      if (log.find("\"event\":\"" + event + "\"") != std::string::npos) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    FAIL() << "no event " << event;
  }
  static std::string weights(const fs::path& run) { return sha256_of_file(run / "last" / "model.safetensors"); }
  static std::string moments(const fs::path& run) { return sha256_of_file(run / "last" / "optimizer.safetensors"); }

  test::TemporaryFolder folder_;
  std::string err_, out_;
};

TEST_F(TrainProgramTest, TrainsResumesAndKnowsWhenNothingIsLeft) {
  ASSERT_EQ(train("run"), 0) << err_;
  EXPECT_THAT(err_, AllOf(HasSubstr("Device: "), HasSubstr("parameters"), HasSubstr("Memory: "), HasSubstr("update 60"),
                          HasSubstr("max_updates 60 reached")));
  EXPECT_EQ(out_, "");
  for (const char* name : {"best/model.safetensors", "last/config.json", "run_config.json", "train_log.jsonl"}) {
    EXPECT_TRUE(fs::exists(run("run") / name)) << name;
  }
  EXPECT_EQ(train("run"), 2);
  EXPECT_THAT(err_, AllOf(HasSubstr("already holds a run"), HasSubstr("--resume"), HasSubstr("--overwrite")));
  EXPECT_EQ(train("run", {"--resume"}), 0);
  EXPECT_THAT(err_, HasSubstr("Nothing to do"));
  EXPECT_EQ(train("run", {"--resume", "--set", "train.seed=2"}), 2);
  EXPECT_THAT(err_, HasSubstr("train.seed"));
  EXPECT_EQ(train("run", {"--resume", "--set", "train.max_updates=70"}), 0) << err_;
  EXPECT_EQ(fs::read_symlink(run("run") / "last").filename(), "step-00000070");
  ASSERT_EQ(train("whole", {"--set", "train.max_updates=70"}), 0);
  EXPECT_EQ(weights(run("run")), weights(run("whole")));
  EXPECT_EQ(moments(run("run")), moments(run("whole")));
  EXPECT_EQ(train("run", {"--overwrite", "--set", "train.max_updates=5"}), 0) << err_;
  EXPECT_EQ(std::distance(fs::directory_iterator(run("run") / "checkpoints"), {}), 1);
  EXPECT_EQ(train("new", {"--resume", "--set", "train.max_updates=5"}), 0) << err_;
  EXPECT_THAT(err_, HasSubstr("starts anew"));
}

TEST_F(TrainProgramTest, ResumingTakesTheRunsOwnConfiguration) {
  const std::vector<std::string> settings = {"--set", "model.encoder_dim=12", "--set", "train.max_updates=20"};
  ASSERT_EQ(train("run", settings), 0) << err_;
  const auto resume = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> all = {"train", "--resume", "--device", "cpu", "--threads", "1", "--output", run(name)};
    all.insert(all.end(), more.begin(), more.end());
    RunningNmt process(path(), all);
    const int code = process.wait();
    err_ = process.err();
    return code;
  };
  EXPECT_EQ(resume("run", {}), 0) << err_;
  EXPECT_THAT(err_, HasSubstr("Nothing to do: the run is at update 20"));
  EXPECT_EQ(resume("run", {"--set", "train.max_updates=30"}), 0) << err_;
  EXPECT_EQ(fs::read_symlink(run("run") / "last").filename(), "step-00000030");
  EXPECT_EQ(resume("run", {"--set", "model.encoder_dim=8"}), 2);
  EXPECT_THAT(err_, HasSubstr("had other values for: model.encoder_dim"));
  EXPECT_EQ(resume("nowhere", {}), 2);
  EXPECT_THAT(err_, AllOf(HasSubstr("no run in"), HasSubstr("--config FILE")));
  EXPECT_EQ(train("run", {"--resume"}), 2);  // with --config the settings have to be given again
  EXPECT_THAT(err_, HasSubstr("model.encoder_dim"));
}

TEST_F(TrainProgramTest, KilledAtRandomMomentsItEndsWithTheSameBits) {
  ASSERT_EQ(train("whole"), 0) << err_;
  SplitMix64 random(static_cast<uint64_t>(::getpid()));
  int kills = 0;
  for (int attempt = 0; attempt < 40; ++attempt) {
    RunningNmt process = start_run("killed", {"--resume"});
    // First within the start, then later and later, so that an end comes.
    std::this_thread::sleep_for(std::chrono::milliseconds(random.below(200 + 150 * static_cast<uint64_t>(attempt))));
    process.signal(SIGKILL);
    const int code = process.wait();
    if (code == 0) break;
    ASSERT_EQ(code, 128 + SIGKILL) << process.err();
    ++kills;
  }
  ASSERT_EQ(train("killed", {"--resume"}), 0) << err_;
  EXPECT_GT(kills, 0);
  EXPECT_EQ(fs::read_symlink(run("killed") / "last").filename(), "step-00000060");
  EXPECT_EQ(weights(run("killed")), weights(run("whole")));
  EXPECT_EQ(moments(run("killed")), moments(run("whole")));
  for (const std::string& line : read_lines(run("killed") / "train_log.jsonl")) {
    EXPECT_FALSE(ordered_json::parse(line, nullptr, false).is_discarded()) << line;
  }
  for (const auto& entry : fs::directory_iterator(run("killed") / "checkpoints")) {
    EXPECT_THAT(entry.path().filename().string(), testing::StartsWith("step-"));
  }
}

TEST_F(TrainProgramTest, SignalsFinishTheUpdateSaveAndEndWith130) {
  const std::vector<std::string> settings = {"--set", "train.max_updates=200", "--set", "train.save_every=100"};
  ASSERT_EQ(train("whole", settings), 0) << err_;
  for (const int number : {SIGINT, SIGTERM}) {
    const std::string name = "run" + std::to_string(number);
    RunningNmt process = start_run(name, settings);
    wait_for(name, "train");
    process.signal(number);
    process.signal(number);  // as `timeout` does it
    EXPECT_EQ(process.wait(), 130);
    EXPECT_THAT(process.err(), AllOf(HasSubstr("Interrupted"), HasSubstr("--resume"), Not(HasSubstr("error"))));
    std::vector<std::string> resumed = settings;
    resumed.emplace_back("--resume");
    EXPECT_EQ(train(name, resumed), 0) << err_;
    EXPECT_EQ(weights(run(name)), weights(run("whole")));
  }
}

// An update is so large that it takes much longer than the signals are apart.
TEST_F(TrainProgramTest, ALaterSignalEndsAtOnce) {
  RunningNmt process = start_run("run", {"--set", "model.encoder_dim=1000", "--set", "model.decoder_dim=1000", "--set",
                                         "train.max_batch_sentences=1", "--set", "train.accumulate_batches=10000"});
  wait_for("run", "start");
  process.signal(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  process.signal(SIGINT);
  EXPECT_EQ(process.wait(), 130);
  EXPECT_THAT(process.err(), Not(HasSubstr("Interrupted")));
  EXPECT_FALSE(fs::exists(run("run") / "last"));
}

TEST_F(TrainProgramTest, OnlyOneProcessTrainsInADirectory) {
  RunningNmt first = start_run("run", {"--set", "train.max_updates=100000"});
  wait_for("run", "start");
  EXPECT_EQ(train("run", {"--resume"}), 2);
  EXPECT_THAT(err_, HasSubstr("Another process is training"));
  first.signal(SIGKILL);
  first.wait();
}

TEST_F(TrainProgramTest, DryRunTellsWhatToExpectAndLeavesNothing) {
  const auto before = std::set<fs::path>(fs::directory_iterator(path()), {});
  ASSERT_EQ(train("run", {"--dry-run"}), 0) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("largest batch"), HasSubstr("memory"), HasSubstr("one epoch"), HasSubstr("MB")));
  EXPECT_FALSE(fs::exists(run("run")));
  for (const auto& entry : fs::directory_iterator(path())) {
    const std::string name = entry.path().filename();
    EXPECT_TRUE(before.contains(entry.path()) || name == "out" || name == "err") << name;
  }
}

TEST_F(TrainProgramTest, MistakesAreNamedBeforeAnythingIsDone) {
  EXPECT_EQ(train("run", {"--set", "data.train.src=" + (path() / "nowhere").string()}), 3);
  EXPECT_THAT(err_, AllOf(HasSubstr("data.train.src"), HasSubstr("nowhere")));
  EXPECT_EQ(train("run", {"--set", "text.vocab_size=5000"}), 2);
  EXPECT_THAT(err_, HasSubstr("5,000"));
  EXPECT_EQ(train("run", {"--set", "train.max_update=5"}), 2);
  EXPECT_THAT(err_, HasSubstr("max_updates"));
  folder_.file("short.tgt", "a\nb\n");
  EXPECT_EQ(train("run", {"--set", "data.train.tgt=" + (path() / "short.tgt").string()}), 3);
  EXPECT_THAT(err_, AllOf(HasSubstr("short.tgt"), HasSubstr("120"), HasSubstr("2")));
  EXPECT_FALSE(fs::exists(run("run") / "run_config.json"));
}

TEST_F(TrainProgramTest, DivergenceEndsWith1) {
  // Each update multiplies the weights by 1 - 1000 * 100.
  const std::vector<std::string> wild = {"train.optimizer.kind=adamw", "train.optimizer.learning_rate=1000",
                                         "train.optimizer.weight_decay=100", "train.save_every=1000"};
  std::vector<std::string> arguments;
  for (const std::string& setting : wild) arguments.insert(arguments.end(), {"--set", setting});
  EXPECT_EQ(train("run", arguments), 1);
  EXPECT_THAT(err_, AllOf(HasSubstr("diverged"), HasSubstr("learning_rate")));
  EXPECT_FALSE(fs::exists(run("run") / "last"));
}

// The attention of one pair of 60,000 pieces each needs 14 GB; it's tried before the first update of the others.
TEST_F(TrainProgramTest, TooLittleMemoryForTheLargestBatchIsSaidBeforeTheFirstUpdate) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer needs memory without end";
#endif
  std::string line;
  for (int i = 0; i < 30000; ++i) line += "w1 ";
  for (const char* name : {"train.src", "train.tgt"}) folder_.file(name, read_file(path() / name) + line + "\n");
  const auto little_memory = [] {
    const rlimit limit = {uint64_t{3} << 30, uint64_t{3} << 30};
    ::setrlimit(RLIMIT_DATA, &limit);
  };
  for (const bool dry : {true, false}) {
    std::vector<std::string> arguments = arguments_of("run");
    for (const char* setting :
         {"data.max_source_pieces=100000", "data.max_target_pieces=100000", "train.batch_tokens=100001"}) {
      arguments.insert(arguments.end(), {"--set", setting});
    }
    if (dry) arguments.emplace_back("--dry-run");
    RunningNmt process(path(), arguments, little_memory);
    EXPECT_EQ(process.wait(), 5) << process.err();
    EXPECT_THAT(process.err(), AllOf(HasSubstr("Out of memory on cpu in the largest batch ("),
                                     HasSubstr("train.batch_tokens"), Not(HasSubstr("update "))));
    EXPECT_FALSE(fs::exists(run("run") / "last"));
    EXPECT_FALSE(fs::exists(run("run") / "train_log.jsonl") && !read_file(run("run") / "train_log.jsonl").empty());
  }
}

// A file system of a few megabytes for a test.
struct SmallDisk {
  explicit SmallDisk(const fs::path& at) : path(at) {
    fs::create_directories(path);
    mounted = ::mount("tmpfs", path.c_str(), "tmpfs", 0, "size=3m") == 0;
  }
  ~SmallDisk() {
    if (mounted) ::umount(path.c_str());
  }
  fs::path path;
  bool mounted;
};

TEST_F(TrainProgramTest, FullDiskEndsWith5AndKeepsWhatIsWhole) {
  const SmallDisk disk(run("run"));
  if (!disk.mounted) GTEST_SKIP() << "mounting needs root";
  EXPECT_EQ(train("run", {"--set", "train.save_every=1", "--set", "train.max_updates=1000"}), 5);
  EXPECT_THAT(err_, AllOf(HasSubstr(run("run").string() + "/"), HasSubstr("No space left on device")));
  EXPECT_TRUE(fs::exists(run("run") / "last" / "model.safetensors"));
  for (const auto& entry : fs::directory_iterator(run("run") / "checkpoints")) {
    EXPECT_TRUE(fs::exists(entry.path() / "train_state.json")) << entry.path();
  }
}

}  // namespace
}  // namespace nmt
