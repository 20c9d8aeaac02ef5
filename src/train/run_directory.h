#pragma once

#include <filesystem>
#include <optional>

#include "config/config.h"

namespace nmt {

// What to do where the directory already holds a run.
enum class RunMode { kNew, kResume, kOverwrite };

// The directory of a training run:
//   run_config.json   the resolved configuration, with absolute paths; that it is there makes it a run directory
//   checkpoints/, best, last   see checkpoint_store.h
//   train_log.jsonl   see docs/training.md
//   cache/            the training text as pieces
//   .lock             held while a process trains here
class RunDirectory {
 public:
  // Creates the directory where it isn't there, and locks it. Throws UsageError as check_output does and where another
  // process trains in it; ResourceError where it can't be written.
  RunDirectory(const std::filesystem::path& path, RunMode mode);
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  // Absolute.
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path log_file() const { return path_ / "train_log.jsonl"; }
  std::filesystem::path cache() const { return path_ / "cache"; }

  // Training begins: removes what a former run left where the mode is kOverwrite (its own files only), and writes the
  // configuration.
  void begin(const Config& config);

 private:
  void lock();
  void remove_run();

  std::filesystem::path path_;
  RunMode mode_;
  int lock_ = -1;
};

// Throws UsageError where `path` can't be the output of a run: it holds a run and the mode is kNew, or it is, or holds
// under the names of a run, something else. Changes nothing.
void check_output(const std::filesystem::path& path, RunMode mode);

// The configuration of the run that a directory holds; nullopt where it holds none. Throws UsageError where it can't be
// read.
std::optional<Config> saved_config(const std::filesystem::path& run_directory);

// Throws UsageError that names the keys which differ and may not where a run is resumed: all but limits, intervals and
// what is kept of the checkpoints.
void check_resumable(const Config& saved, const Config& now);

}  // namespace nmt
