#include "search/step_scores.h"

#include <ATen/ATen.h>

namespace nmt {

namespace {

torch::Tensor numbers_here(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.to(torch::kCPU, torch::kFloat32).contiguous() : tensor;
}

}  // namespace

StepScores StepScores::of(const StepOutput& output, int64_t needed) {
  const bool everything = output.scores.is_cpu() || needed >= output.scores.size(1);
  return everything ? all(output) : best(output, needed);
}

StepScores StepScores::normalized(const StepOutput& output) { return all({output.log_probs(), {}, {}}); }

StepScores StepScores::all(const StepOutput& output) {
  StepScores step;
  step.scores_ = numbers_here(output.scores);
  step.normalizer_ = numbers_here(output.normalizer);
  return step;
}

StepScores StepScores::best(const StepOutput& output, int64_t needed) {
  const auto [scores, pieces] = at::topk(output.scores, needed, 1);  // NaN counts as the largest, so it is found
  StepScores step = all({scores, output.normalizer, {}});
  step.pieces_ = pieces.to(torch::kCPU).contiguous();
  return step;
}

RowScores StepScores::row(int64_t row) const {
  const auto width = static_cast<size_t>(scores_.size(1));
  const int64_t begin = row * scores_.size(1);
  RowScores out;
  out.scores = {scores_.const_data_ptr<float>() + begin, width};
  if (normalizer_.defined()) out.normalizer = normalizer_.const_data_ptr<float>()[row];
  if (pieces_.defined()) out.pieces = {pieces_.const_data_ptr<int64_t>() + begin, width};
  return out;
}

}  // namespace nmt
