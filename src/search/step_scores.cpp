#include "search/step_scores.h"

#include <ATen/ATen.h>

namespace nmt {

StepScores StepScores::of(const torch::Tensor& log_probs, int64_t needed) {
  return log_probs.is_cpu() || needed >= log_probs.size(1) ? all(log_probs) : best(log_probs, needed);
}

StepScores StepScores::all(const torch::Tensor& log_probs) {
  StepScores scores;
  scores.values_ = log_probs.to(torch::kCPU, torch::kFloat32).contiguous();
  return scores;
}

StepScores StepScores::best(const torch::Tensor& log_probs, int64_t needed) {
  const auto [values, pieces] = at::topk(log_probs, needed, 1);  // NaN counts as the largest, so it is found
  StepScores scores;
  scores.values_ = values.to(torch::kCPU, torch::kFloat32).contiguous();
  scores.pieces_ = pieces.to(torch::kCPU).contiguous();
  return scores;
}

std::span<const float> StepScores::values(int64_t row) const {
  return {values_.const_data_ptr<float>() + row * values_.size(1), static_cast<size_t>(values_.size(1))};
}

std::span<const int64_t> StepScores::pieces(int64_t row) const {
  if (!pieces_.defined()) return {};
  return {pieces_.const_data_ptr<int64_t>() + row * pieces_.size(1), static_cast<size_t>(pieces_.size(1))};
}

}  // namespace nmt
