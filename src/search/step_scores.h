#pragma once

#include <torch/types.h>

#include <span>

namespace nmt {

// The log-probabilities of a step where candidates are chosen from them: on the CPU.
class StepScores {
 public:
  // All of them where they are on the CPU anyway, else the best `needed` of each row, so that little is copied.
  static StepScores of(const torch::Tensor& log_probs /* [N,V] */, int64_t needed);

  static StepScores all(const torch::Tensor& log_probs /* [N,V] */);
  static StepScores best(const torch::Tensor& log_probs /* [N,V] */, int64_t needed);

  std::span<const float> values(int64_t row) const;
  // The pieces that values() belong to; empty where they are 0, 1, 2, ...
  std::span<const int64_t> pieces(int64_t row) const;

 private:
  torch::Tensor values_;  // [N,V] or [N,needed] float32
  torch::Tensor pieces_;  // [N,needed] int64 or undefined
};

}  // namespace nmt
