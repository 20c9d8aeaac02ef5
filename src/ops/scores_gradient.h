#pragma once

#include <torch/types.h>

#include "ops/packed_matrix.h"

namespace nmt {

// The gradients of a chunk of scores [N,V], laid out for the two products that they take part in
// (ops/vocabulary_loss.h): with the weight, and transposed with the states.
struct PackedScoresGradient {
  PackedRows by_row;    // [N,V]
  PackedRows by_piece;  // [V,N]
  torch::Tensor sum;    // [V]: over the rows
};

// Scores [N,V] -> their gradients, as loss_rows_ (ops/loss_rows.h), a few rows at a time so that these are still in the
// cache when they are laid out. `scores` is overwritten; behind it ProductKernels::kSlack numbers can be read. Adds to
// totals [2] float64. CPU only.
PackedScoresGradient pack_scores_gradient(const ProductKernels& kernels, torch::Tensor& scores,
                                          const torch::Tensor& targets, double smoothing, torch::Tensor& totals);

}  // namespace nmt
