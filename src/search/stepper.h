#pragma once

#include <torch/types.h>

namespace nmt {

// What one decoding step gives for N rows (hypotheses) of a batch. Search may write into the scores.
struct StepOutput {
  // [N,V] float32 on the CPU or the model's device: natural log of the next piece's probability plus the row's
  // normalizer. Search looks at a few pieces of each row, so that the subtraction isn't worth a pass over all.
  torch::Tensor scores;
  torch::Tensor normalizer;  // [N,1] float32 beside the scores; undefined for zero
  torch::Tensor attention;   // [N,S] weight of each source position; undefined where the model has no attention

  torch::Tensor log_probs() const { return normalizer.defined() ? scores - normalizer : scores; }  // [N,V]
};

// What search sees of a model: a batch of rows that are stepped together. A stepper starts with one row for each of
// the B sentences it was made for, each at the begin mark; search multiplies, permutes and drops rows by reorder().
class Stepper {
 public:
  virtual ~Stepper() = default;

  virtual int64_t sentences() const = 0;               // B
  virtual int64_t source_length(int64_t b) const = 0;  // pieces of sentence b, end mark included
  virtual int64_t vocab_size() const = 0;              // V

  // Row i reads last_pieces[i] ([N] int64 on the CPU; the begin mark at first) and predicts its next piece.
  virtual StepOutput step(const torch::Tensor& last_pieces) = 0;

  // After it, row i continues what was row rows[i] ([N'] int64 on the CPU). N' may be smaller or larger than N; a row
  // may be taken several times; rows not taken are gone. Rows of one sentence need not be neighbours.
  virtual void reorder(const torch::Tensor& rows) = 0;
};

}  // namespace nmt
