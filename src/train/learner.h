#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "config/train_config.h"
#include "data/batch.h"
#include "model/seq2seq.h"
#include "tensor/transfer.h"
#include "train/optimizer.h"

namespace nmt {

// What one update learned from.
struct LearnReport {
  int64_t sentences = 0;
  int64_t source_tokens = 0;  // real positions
  int64_t target_tokens = 0;
  double loss = 0;  // label-smoothed cross-entropy, summed over target tokens
  double nll = 0;   // negative log-likelihood, summed over target tokens
  double gradient_norm = 0;
  bool applied = false;  // false where loss or gradient wasn't finite: nothing changed
};

// An update that was started; its numbers may still be on their way from the device.
class StartedUpdate {
 public:
  // counts: the report but for what `numbers` hold, [3] float64: loss, nll, gradient norm.
  StartedUpdate(const LearnReport& counts, const torch::Tensor& numbers) : counts_(counts), numbers_(numbers) {}

  LearnReport report() const;  // waits for the numbers

 private:
  LearnReport counts_;
  Readback numbers_;
};

// train.precision.
Precision precision_of(const TrainConfig& config);

// Model, loss and optimizer as one step of learning.
class Learner {
 public:
  Learner(Seq2Seq model, const TrainConfig& config, const torch::Device& device);

  // One update from the batches together: the mean loss over all their target tokens, as if they were one batch. The
  // random streams (dropout) are seeded with `seed` first. On a GPU with Adam nothing is waited for.
  StartedUpdate start(const std::vector<Batch>& batches, double learning_rate, uint64_t seed);

  // The same, and its report.
  LearnReport learn(const std::vector<Batch>& batches, double learning_rate, uint64_t seed) {
    return start(batches, learning_rate, seed).report();
  }

  // Forward and backward pass of a batch whose result is thrown away: finds out whether memory suffices. Throws
  // ResourceError that tells the batch's sizes and what to lower where it doesn't.
  void rehearse(const Batch& batch);

  Optimizer& optimizer() { return optimizer_; }
  Seq2Seq& model() { return model_; }
  const torch::Device& device() const { return device_; }

 private:
  torch::Tensor learn_gradients(const Batch& on_cpu, int64_t tokens);

  Seq2Seq model_;
  torch::Device device_;
  double label_smoothing_;
  Optimizer optimizer_;
};

// The most memory that training held on the device (on the CPU: resident in this process) since reset_peak_memory.
uint64_t peak_memory(const torch::Device& device);
void reset_peak_memory(const torch::Device& device);

}  // namespace nmt
