#include "translate/model_stepper.h"

#include <utility>

#include "ops/log_sum_exp.h"

namespace nmt {

ModelStepper::ModelStepper(Seq2Seq model, const Batch& batch)
    : model_(std::move(model)), lengths_(batch.source_lengths) {
  Seq2SeqImpl::Start start = model_->start(batch.source, batch.source_lengths);
  memory_ = std::move(start.memory);
  state_ = std::move(start.state);
}

StepOutput ModelStepper::step(const torch::Tensor& last_pieces) {
  Seq2SeqImpl::Step step = model_->step(last_pieces.to(state_.device()), state_, memory_, rows_);
  state_ = std::move(step.state);
  torch::Tensor scores = model_->scores(step.readout);
  torch::Tensor normalizer = log_sum_exp(scores);
  return {std::move(scores), std::move(normalizer), std::move(step.weights)};
}

void ModelStepper::reorder(const torch::Tensor& rows) {
  const torch::Tensor chosen = rows.to(state_.device());
  rows_ = rows_.defined() ? rows_.index_select(0, chosen) : chosen;
  state_ = state_.index_select(0, chosen);
}

}  // namespace nmt
