#include "model/gru.h"

#include <cmath>

#include "ops/gru_cell.h"

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
  return gru_cell(input_gates, recurrent_product(state, recurrent_weight, recurrent_bias), state);
}

}  // namespace nmt
