// Many short trainings that a signal ends at any moment: what ends one of thirty is seen here.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "support/running_nmt.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;
using std::chrono::duration;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::Not;

// So many rounds, or as NMT_SHORT_RUNS says.
int rounds() {
  const char* given = std::getenv("NMT_SHORT_RUNS");
  return given != nullptr ? std::stoi(given) : 9;
}

// The C library then looks behind each piece of memory that it gets back, and ends the program where somebody wrote
// there; freed memory doesn't keep what was in it.
void watch_the_heap() {
#if !defined(__SANITIZE_ADDRESS__)
  constexpr const char* kLibrary = "libc_malloc_debug.so.0";
  ::setenv("GLIBC_TUNABLES", "glibc.malloc.check=3:glibc.malloc.perturb=165", 1);
  if (fs::exists(std::string("/lib/x86_64-linux-gnu/") + kLibrary)) ::setenv("LD_PRELOAD", kLibrary, 1);
#endif
}

class ShortRuns : public testing::Test {
 protected:
  // The demo's network and text, with fewer lines and updates, and all that happens in a run soon after each other.
  ShortRuns() {
    const fs::path demo = fs::path(NMT_SOURCE_DIR) / "data" / "demo";
    for (const std::string side : {"fr", "en"}) {
      first_lines(demo / ("train." + side), "train." + side, 400);
      first_lines(demo / ("valid." + side), "valid." + side, 6);
    }
    folder_.file("config.json", R"({
      "data": {"train": {"src": "train.fr", "tgt": "train.en"}, "valid": {"src": "valid.fr", "tgt": "valid.en"}},
      "text": {"joint": false, "vocab_size": 500, "source_vocab_size": 600},
      "model": {"embedding_dim": 128, "encoder_dim": 128, "decoder_dim": 256, "attention_dim": 128, "readout_dim": 128,
                "dropout_embedding": 0.1, "dropout_readout": 0.1},
      "train": {"batch_tokens": 256, "optimizer": {"learning_rate": 0.003}, "max_updates": 16, "log_every": 4,
                "save_every": 5, "schedule": {"kind": "inverse_sqrt", "warmup_updates": 10}},
      "valid": {"metric": "bleu", "every_updates": 8}})");
  }

  void first_lines(const fs::path& from, const std::string& name, size_t count) const {
    const std::vector<std::string> lines = read_lines(from);
    std::string text;
    for (size_t i = 0; i < std::min(count, lines.size()); ++i) text += lines[i] + "\n";
    folder_.file(name, text);
  }

  test::RunningNmt start(const fs::path& run, int threads) const {
    return {folder_.path(),
            {"train", "--config", (folder_.path() / "config.json").string(), "--output", run.string(), "--resume",
             "--device", "cpu", "--threads", std::to_string(threads)},
            watch_the_heap};
  }

  // Translates with the last checkpoint, which has all its files checked.
  void expect_loadable(const fs::path& checkpoint) const {
    test::RunningNmt process(folder_.path(), {"translate", "--model", checkpoint.string(), "--device", "cpu", "--input",
                                              (folder_.path() / "valid.fr").string(), "--beam", "1"});
    EXPECT_EQ(process.wait(), 0) << process.err();
  }

  test::TemporaryFolder folder_;
};

TEST_F(ShortRuns, EndCleanlyWheneverASignalComes) {
  const fs::path run = folder_.path() / "run";
  const auto begin = steady_clock::now();
  test::RunningNmt whole = start(run, 1);
  ASSERT_EQ(whole.wait(), 0) << whole.err();
  const duration<double> all = steady_clock::now() - begin;
  bool saved = false;
  for (int round = 0; round < rounds(); ++round) {
    if (round % 3 == 0) fs::remove_all(run);  // else it goes on from what the round before left
    fs::remove(run / ".lock");
    test::RunningNmt process = start(run, 1 + round % 2);
    // The program answers signals before it makes this file.
    while (!fs::exists(run / ".lock") && !process.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(all * ((1.0 + round) / rounds()));
    process.signal(SIGTERM);
    const int code = process.wait();
    ASSERT_TRUE(code == 130 || code == 0) << "round " << round << " ended with " << code << ":\n" << process.err();
    EXPECT_THAT(process.err(), Not(HasSubstr("damaged")));
    if (!fs::exists(run / "checkpoints")) continue;
    for (const auto& entry : fs::directory_iterator(run / "checkpoints")) {
      EXPECT_THAT(entry.path().filename().string(), testing::StartsWith("step-"));
    }
    if (round % 3 != 2 || !fs::exists(run / "last")) continue;  // the next round loads it
    expect_loadable(run / "last");
    saved = true;
  }
  EXPECT_TRUE(saved);
}

}  // namespace
}  // namespace nmt
