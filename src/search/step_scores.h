#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>

#include "search/stepper.h"

namespace nmt {

// What a step says of one row's next piece: log-probabilities, each plus the row's normalizer.
struct RowScores {
  std::span<const float> scores;
  float normalizer = 0;
  std::span<const int64_t> pieces = {};  // that the scores belong to; empty where they are 0, 1, 2, ...

  float log_prob(size_t i) const { return scores[i] - normalizer; }
  int64_t piece(size_t i) const { return pieces.empty() ? static_cast<int64_t>(i) : pieces[i]; }
};

// The scores of a step where candidates are chosen from them: on the CPU.
class StepScores {
 public:
  // All of them where they are on the CPU anyway, else the best `needed` of each row, so that little is copied.
  static StepScores of(const StepOutput& output, int64_t needed);
  // Log-probabilities of all pieces: every row's normalizer is 0.
  static StepScores normalized(const StepOutput& output);

  static StepScores all(const StepOutput& output);
  static StepScores best(const StepOutput& output, int64_t needed);

  RowScores row(int64_t row) const;

 private:
  torch::Tensor scores_;      // [N,V] or [N,needed] float32
  torch::Tensor normalizer_;  // [N,1] float32 or undefined
  torch::Tensor pieces_;      // [N,needed] int64 or undefined
};

}  // namespace nmt
