#pragma once

#include <torch/types.h>

namespace nmt {

// Inverted dropout (Srivastava et al. 2014, section 10): in training each element becomes zero with probability `rate`
// and is multiplied by 1 / (1 - rate) otherwise; elsewhere the input comes back. Differentiable.
//
// On the CPU one number is drawn from the random stream for a whole tensor, and an element's own is a hash of it and of
// its place: vectorised, the same for any number of threads, and made again in the backward pass instead of kept.
torch::Tensor inverted_dropout(const torch::Tensor& input, double rate, bool training);

}  // namespace nmt
