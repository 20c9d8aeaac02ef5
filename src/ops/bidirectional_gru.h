#pragma once

#include <torch/types.h>

#include "ops/precision.h"

namespace nmt {

// What one layer of the encoder reads: a GRU forwards and one backwards (model/gru.h) over B sentences of up to S
// words. Time comes first, so that a step is contiguous; the directions stand in turn, forwards first. float32 on a
// device that has the operator.
struct BidirectionalGruInputs {
  torch::Tensor input_gates;                  // [S,B,6H]: the words' part of the gates with the input biases
  torch::Tensor recurrent_weight;             // [6H,H]
  torch::Tensor recurrent_bias;               // [6H]
  torch::Tensor lengths;                      // [B] int64 on the CPU: real positions
  Precision precision = Precision::kFloat32;  // of the matrix products
};

// True where the device has the operator nmt::bidirectional_gru: the CPU. CUDA has none, since cuDNN's GRU is fused.
bool has_bidirectional_gru(const torch::Device& device);

// States [S,B,2H], zero at padding. All steps of both directions as one operator with its own backward pass: the two
// walk at once, one from each end, and the recurrent weights' gradients are one product each after the loop.
torch::Tensor bidirectional_gru(const BidirectionalGruInputs& inputs);

}  // namespace nmt
