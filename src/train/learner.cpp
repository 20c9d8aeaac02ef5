#include "train/learner.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/util/Exception.h>
#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <new>

#include "base/error.h"
#include "base/memory.h"
#include "ops/vocabulary_loss.h"
#include "tensor/random.h"

namespace nmt {

Precision precision_of(const TrainConfig& config) { return parse_precision(std::string(name_of(config.precision))); }

Learner::Learner(Seq2Seq model, const TrainConfig& config, const torch::Device& device)
    : model_(std::move(model)),
      device_(device),
      label_smoothing_(config.label_smoothing),
      optimizer_(*model_, config.optimizer) {
  model_->set_training_precision(precision_of(config));
}

// Adds the gradient of the batch's part of the mean loss; gives its summed loss and nll, [2] float64.
torch::Tensor Learner::learn_gradients(const Batch& on_cpu, int64_t tokens) {
  const Batch batch = on_cpu.to(device_);
  const torch::Tensor states = model_->forward(batch.source, batch.source_lengths, batch.target_input);  // [B,T,R]
  VocabularyLossOptions options;
  options.smoothing = label_smoothing_;
  options.scale = 1 / static_cast<double>(tokens);
  options.precision = model_->training_precision();
  options.tokens = batch.target_tokens;
  const VocabularyLoss loss =
      vocabulary_loss(states, model_->output_weight(), model_->output_bias(), batch.target_output, options);
  loss.objective.backward();
  return at::stack({loss.smoothed, loss.nll}).to(at::kDouble);
}

LearnReport StartedUpdate::report() const {
  LearnReport report = counts_;
  const torch::Tensor& numbers = numbers_.values();
  report.loss = numbers[0].item<double>();
  report.nll = numbers[1].item<double>();
  report.gradient_norm = numbers[2].item<double>();
  report.applied = std::isfinite(report.gradient_norm);
  return report;
}

StartedUpdate Learner::start(const std::vector<Batch>& batches, double learning_rate, uint64_t seed) {
  seed_random(seed);
  model_->train();
  LearnReport counts;
  for (const Batch& batch : batches) {
    counts.sentences += batch.sentences();
    counts.source_tokens += batch.source_tokens;
    counts.target_tokens += batch.target_tokens;
  }
  torch::Tensor sums = at::zeros({2}, at::TensorOptions(device_).dtype(at::kDouble));
  for (const Batch& batch : batches) sums += learn_gradients(batch, counts.target_tokens);
  const torch::Tensor norm = optimizer_.step(learning_rate, sums[0]);
  return {counts, at::cat({sums, norm.view({1})})};
}

void Learner::rehearse(const Batch& batch) {
  const auto refuse = [&] {
    throw ResourceError(fmt::format(
        "Out of memory on {} in the largest batch ({} sentences, {} source and {} target positions each): lower "
        "train.batch_tokens, or data.max_source_pieces and data.max_target_pieces.",
        device_.str(), batch.sentences(), batch.source.size(1), batch.target_input.size(1)));
  };
  model_->train();
  try {
    learn_gradients(batch, batch.target_tokens);
  } catch (const c10::OutOfMemoryError&) {
    refuse();
  } catch (const std::bad_alloc&) {
    refuse();
  } catch (const c10::Error& error) {
    // The CPU's allocator has no type of its own for it.
    if (std::string_view(error.what_without_backtrace()).find("allocate memory") == std::string_view::npos) throw;
    refuse();
  }
  optimizer_.clear_gradients();
}

uint64_t peak_memory(const torch::Device& device) {
  if (device.is_cpu()) return peak_resident_bytes();
  constexpr auto kAll = static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  const auto stats = c10::getDeviceAllocator(device.type())->getDeviceStats(device.index());
  return static_cast<uint64_t>(stats.reserved_bytes[kAll].peak);
}

void reset_peak_memory(const torch::Device& device) {
  if (device.is_cpu()) return reset_peak_resident();
  c10::getDeviceAllocator(device.type())->resetPeakStats(device.index());
}

}  // namespace nmt
