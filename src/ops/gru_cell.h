#pragma once

#include <torch/types.h>

namespace nmt {

// One step of a GRU (model/gru.h) for N rows: input_gates [N,3H] = W x + b, state_gates [N,3H] = U h + c, state [N,H]
// -> the next state [N,H]. Differentiable by LibTorch's operators; where no gradient is wanted and the CPU has a
// kernel, in one pass.
torch::Tensor gru_cell(const torch::Tensor& input_gates, const torch::Tensor& state_gates, const torch::Tensor& state);

}  // namespace nmt
