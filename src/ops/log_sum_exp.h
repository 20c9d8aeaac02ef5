#pragma once

#include <torch/types.h>

namespace nmt {

// The operator nmt::log_sum_exp: log of the sum of e^z over each row of scores [N,V] float32 -> [N,1]. What a score
// lacks to a log-probability. No gradients flow through it.
torch::Tensor log_sum_exp(const torch::Tensor& scores);

}  // namespace nmt
