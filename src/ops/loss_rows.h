#pragma once

#include <torch/types.h>

namespace nmt {

// The operator nmt::loss_rows_: one pass over rows of vocabulary scores, in place. For each row of scores [M,V]
// (float32) with its target [M] (int64), adds the label-smoothed cross-entropy to totals[0] and the negative
// log-likelihood to totals[1] (totals [2] float64), and, where `to_gradient`, replaces the row by the gradient of the
// first with respect to it:
//   softmax(z) - (1 - s) [v = y] - s / V
void loss_rows_(torch::Tensor& scores, const torch::Tensor& targets, double smoothing, bool to_gradient,
                torch::Tensor& totals);

}  // namespace nmt
