#include "ops/gru_cell.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <vector>

#include "ops/kernels.h"

namespace nmt {

namespace {

constexpr int64_t kRowsPerTask = 16;

torch::Tensor by_kernel(const torch::Tensor& input_gates, const torch::Tensor& state_gates,
                        const torch::Tensor& state) {
  const auto input = input_gates.contiguous(), from_state = state_gates.contiguous(), before = state.contiguous();
  auto next = at::empty_like(before);
  const int64_t size = before.size(1);
  at::parallel_for(0, before.size(0), kRowsPerTask, [&](int64_t begin, int64_t end) {
    std::vector<float> gates(static_cast<size_t>(3 * size));
    for (int64_t n = begin; n < end; ++n) {
      kernels().gru(input.const_data_ptr<float>() + n * 3 * size, from_state.const_data_ptr<float>() + n * 3 * size,
                    before.const_data_ptr<float>() + n * size, size, next.mutable_data_ptr<float>() + n * size,
                    gates.data());
    }
  });
  return next;
}

}  // namespace

torch::Tensor gru_cell(const torch::Tensor& input_gates, const torch::Tensor& state_gates, const torch::Tensor& state) {
  const bool wants_gradient = at::GradMode::is_enabled() &&
                              (input_gates.requires_grad() || state_gates.requires_grad() || state.requires_grad());
  const bool has_kernel = state.is_cpu() && state.scalar_type() == torch::kFloat32;
  if (has_kernel && !wants_gradient) return by_kernel(input_gates, state_gates, state);
  const auto from_input = input_gates.chunk(3, 1);
  const auto from_state = state_gates.chunk(3, 1);
  const auto reset = at::sigmoid(from_input[0] + from_state[0]);
  const auto update = at::sigmoid(from_input[1] + from_state[1]);
  const auto candidate = at::tanh(from_input[2] + reset * from_state[2]);
  return candidate + update * (state - candidate);
}

}  // namespace nmt
