#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "train/train_state.h"

namespace nmt {

// A checkpoint that was found undamaged.
struct FoundCheckpoint {
  std::filesystem::path directory;
  TrainState state;
};

// The checkpoints of a run:
//   checkpoints/step-NNNNNNNN/   whatever the caller writes, and train_state.json: the state, a digest of it, and the
//                                digests of all other files
//   best, last                   relative symbolic links to two of them
// A step directory is written under another name, flushed, and renamed when it is complete; links are replaced by
// renaming. So whenever the program or the machine stops, what is there under its name is whole.
class CheckpointStore {
 public:
  // Keeps the last `keep_last` checkpoints and the best one. Removes what an interrupted save left.
  CheckpointStore(std::filesystem::path run_directory, int64_t keep_last);

  // Makes the checkpoint of state.update (replacing one of the same update), lets `write_files` write into its
  // directory, and points `last` to it. Throws ResourceError; nothing partial is left, older ones are as they were.
  void save(const TrainState& state, const std::function<void(const std::filesystem::path&)>& write_files);

  void point_best_to(int64_t update);
  std::optional<int64_t> best() const;  // update that `best` points to, where that is there

  // Removes all but the last `keep_last` and the best.
  void prune();

  // The newest checkpoint whose files are all there with their digests. Damaged ones are named in a warning and put
  // aside as checkpoints/damaged-NNNNNNNN. nullopt where there is no checkpoint; throws ModelError where all are
  // damaged, or where one was written in a format of another version.
  std::optional<FoundCheckpoint> newest_intact();

  std::vector<int64_t> updates() const;  // of the checkpoints there, ascending
  std::filesystem::path directory_of(int64_t update) const;

 private:
  void point(const char* link, int64_t update);
  void put_aside(int64_t update);

  std::filesystem::path run_;
  std::filesystem::path checkpoints_;
  int64_t keep_last_;
};

// Checks train_state.json and every file of a checkpoint against their digests. Throws ModelError that names the file.
TrainState read_checkpoint(const std::filesystem::path& directory);

}  // namespace nmt
