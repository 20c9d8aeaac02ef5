#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <vector>

#include "ops/product.h"

namespace nmt {

// Weights of one gated recurrent unit in LibTorch's form, in which the reset gate is applied after the recurrent
// product (equation 8 of Bahdanau et al. 2014 applies it before):
//
//   r = sigmoid(W_r x + b_r + U_r h + c_r)        z = sigmoid(W_z x + b_z + U_z h + c_z)
//   n = tanh(W_n x + b_n + r * (U_n h + c_n))     h' = (1 - z) * n + z * h
//
// The three parts are stacked in the order r, z, n. Letters: I input, H state.
class GruWeightsImpl : public torch::nn::Module {
 public:
  GruWeightsImpl(int64_t input_dim, int64_t state_dim);

  torch::Tensor input_weight;      // [3H,I]
  torch::Tensor recurrent_weight;  // [3H,H]
  torch::Tensor input_bias;        // [3H]
  torch::Tensor recurrent_bias;    // [3H]

  WeightProduct recurrent_product;  // with recurrent_weight

  // In the order that at::gru wants them.
  std::vector<torch::Tensor> flat() const { return {input_weight, recurrent_weight, input_bias, recurrent_bias}; }

  // One step from the input's part of the gates: input_gates [N,3H] = W x + b, state [N,H] -> [N,H]
  torch::Tensor advance(const torch::Tensor& input_gates, const torch::Tensor& state) const;
};
TORCH_MODULE(GruWeights);

}  // namespace nmt
