#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "config/config.h"
#include "train/learner.h"
#include "train/train_log.h"
#include "train/train_state.h"
#include "train/validation.h"

namespace nmt {

// What a run begins with.
struct StartReport {
  std::string device;  // for people
  int64_t threads = 0;
  int64_t parameters = 0;
  int64_t pairs = 0;
  std::string corpus;         // summary, for people
  std::string largest_batch;  // for people
  uint64_t memory = 0;        // that training is expected to hold
  std::optional<int64_t> resumed_update;
};

// Tells what training does: one event of train_log.jsonl and one line of the log each; on a terminal a progress bar
// between them.
class Reporter {
 public:
  Reporter(const std::filesystem::path& log_file, const Config& config, int64_t pairs_in_epoch);

  void started(const StartReport& report);
  void progress(const TrainState& state, std::optional<double> part);
  void updates_done(const TrainState& state, double learning_rate, double data_wait_seconds);
  void validated(const TrainState& state, const ValidationReport& report, bool is_best, double seconds);
  void rate_lowered(const TrainState& state);
  void skipped(const TrainState& state, const LearnReport& report, const std::vector<int64_t>& lines);
  void saved(const TrainState& state, const std::filesystem::path& directory, double seconds);
  void stopped(const TrainState& state, const std::string& reason);

 private:
  double epoch(const TrainState& state) const;  // as 1.43: finished ones and the part of the current one
  void write(const std::string& event, const TrainState& state, const nlohmann::ordered_json& fields);
  std::string best_line(const TrainState& state, double score, bool is_best) const;

  TrainLog log_;
  Progress bar_;
  std::string precision_;
  ValidMetric metric_;
  int64_t max_bad_steps_;
  int64_t pairs_in_epoch_;
};

}  // namespace nmt
