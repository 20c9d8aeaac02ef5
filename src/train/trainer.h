#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "data/encoded_corpus.h"
#include "data/prefetcher.h"
#include "model/model_dir.h"
#include "train/agenda.h"
#include "train/checkpoint_store.h"
#include "train/learner.h"
#include "train/reporter.h"
#include "train/run_directory.h"
#include "train/validation.h"

namespace nmt {

// What a training run works with.
struct TrainerParts {
  Seq2Seq model{nullptr};  // on the device; of the checkpoint where there is one
  torch::Device device = torch::kCPU;
  int threads = 1;
  TokenizerPair tokenizers;
  std::shared_ptr<const EncodedCorpus> corpus;
  Validate validate;                          // empty where there is no validation text
  std::optional<FoundCheckpoint> checkpoint;  // to go on from
};

TrainingText training_text_of(const EncodedCorpus& corpus);

// Trains a model in a run directory until a limit is reached, validation stops improving, or a signal asks to stop.
class Trainer {
 public:
  // Loads optimizer and state where there is a checkpoint. Throws ModelError where they don't fit the model.
  Trainer(const Config& config, const RunDirectory& directory, TrainerParts parts);

  // Throws InterruptedError after a signal, when the state is saved; InternalError where training diverged: weights
  // that aren't finite, or max_bad_steps skipped updates in a row; ResourceError where memory or disk don't suffice.
  void run();

  const TrainState& state() const { return state_; }

 private:
  void restore_best();
  void start();
  void update();
  void settle();
  void book(const LearnReport& report, const std::vector<int64_t>& lines);
  void log();
  void validate(bool closing);
  void save();
  void finish(const std::string& reason);
  [[noreturn]] void end_interrupted();
  [[noreturn]] void end_diverged(const std::string& what);

  std::vector<Batch> take_batches();
  void require_finite_weights();
  void write_checkpoint_files(const std::filesystem::path& directory);
  std::string training_summary() const;
  double lap();  // seconds since the last call, which state_.seconds gets

  Config config_;
  TrainerParts parts_;
  Agenda agenda_;
  TrainState state_;
  Learner learner_;
  CheckpointStore store_;
  Reporter reporter_;
  Batch largest_batch_;  // until start()
  std::unique_ptr<Prefetcher> batches_;
  // The last update, as long as its report wasn't asked for.
  struct Unsettled {
    StartedUpdate update;
    std::vector<int64_t> lines;
  };
  std::optional<Unsettled> unsettled_;
  int64_t saved_update_ = -1;
  std::optional<ValidationReport> last_validation_;  // of state_.validated_update or the closing one
  std::chrono::steady_clock::time_point lap_begin_;
};

}  // namespace nmt
