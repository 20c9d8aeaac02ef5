#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/batcher.h"
#include "train/schedule.h"
#include "train/watch.h"

namespace nmt {

// Sums over the updates since the last line of the log; of skipped ones nothing but their number is summed.
struct LogSums {
  int64_t applied = 0;
  int64_t skipped = 0;
  int64_t sentences = 0;
  int64_t source_tokens = 0;  // real positions, end marks included
  int64_t target_tokens = 0;
  double loss = 0;           // label-smoothed cross-entropy, summed over target tokens
  double nll = 0;            // negative log-likelihood, natural log, summed over target tokens
  double gradient_norm = 0;  // before clipping, summed over updates
  double seconds = 0;        // spent on updates

  bool operator==(const LogSums&) const = default;
};

// The best checkpoint so far.
struct BestCheckpoint {
  int64_t update = 0;
  double rank = 0;  // see ValidationReport

  bool operator==(const BestCheckpoint&) const = default;
};

// Where training stands: everything that the next update, validation, checkpoint or line of the log depends on beside
// weights, optimizer and configuration. Random numbers need no place here: the streams are seeded anew for each update
// from the configured seed and the number of the update.
struct TrainState {
  int64_t update = 0;   // updates so far, skipped ones included
  int64_t skipped = 0;  // updates skipped because loss or gradient wasn't finite
  int64_t skipped_in_a_row = 0;
  BatcherPosition position;  // of the next batch
  double seconds = 0;        // of running, validation included, resumed runs together
  PlateauState plateau;
  Watch patience;  // for early stopping
  std::optional<BestCheckpoint> best;
  int64_t validated_update = 0;  // update and finished epochs at the last validation
  int64_t validated_epochs = 0;
  LogSums since_log;
  std::string device;  // as "cpu" or "cuda"; bits are promised only where this and the threads are the same
  int64_t threads = 0;
  std::string corpus_digest;  // of the encoded training corpus

  int64_t epochs_finished() const { return position.epoch; }
  bool at_epoch_end() const { return position.epoch > 0 && position.pairs == 0; }

  bool operator==(const TrainState&) const = default;
};

// JSON both ways. Reading is strict: every key, no other, the right types, no negative counts; throws ModelError that
// names `origin` and the key. parse(to_json(s)) == s, to the last bit.
std::string to_json(const TrainState& state);
TrainState parse_train_state(const std::string& text, const std::string& origin);

}  // namespace nmt
