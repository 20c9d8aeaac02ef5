#include "model/gru.h"

#include <cmath>

namespace nmt {

GruWeightsImpl::GruWeightsImpl(int64_t input_dim, int64_t state_dim) {
  const auto uniform = [&](at::IntArrayRef sizes) {
    const double bound = 1 / std::sqrt(static_cast<double>(state_dim));
    return torch::empty(sizes).uniform_(-bound, bound);
  };
  input_weight = register_parameter("input_weight", uniform({3 * state_dim, input_dim}));
  recurrent_weight = register_parameter("recurrent_weight", uniform({3 * state_dim, state_dim}));
  input_bias = register_parameter("input_bias", uniform({3 * state_dim}));
  recurrent_bias = register_parameter("recurrent_bias", uniform({3 * state_dim}));
}

torch::Tensor GruWeightsImpl::advance(const torch::Tensor& input_gates, const torch::Tensor& state) const {
  const auto from_input = input_gates.chunk(3, 1);
  const auto from_state = recurrent_product(state, recurrent_weight, recurrent_bias).chunk(3, 1);
  const auto reset = at::sigmoid(from_input[0] + from_state[0]);
  const auto update = at::sigmoid(from_input[1] + from_state[1]);
  const auto candidate = at::tanh(from_input[2] + reset * from_state[2]);
  return candidate + update * (state - candidate);
}

}  // namespace nmt
