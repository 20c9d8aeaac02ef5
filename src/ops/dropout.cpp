#include "ops/dropout.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>
#include <limits>

#include "ops/kernels.h"

namespace nmt {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr int64_t kElementsPerTask = 1 << 15;

int64_t draw_key() {
  return at::randint(std::numeric_limits<int64_t>::max(), {1}, torch::TensorOptions(torch::kInt64)).item<int64_t>();
}

torch::Tensor drop(const torch::Tensor& input, double rate, int64_t key) {
  const auto contiguous = input.contiguous();
  auto out = at::empty_like(contiguous);
  const auto below = static_cast<uint32_t>(std::ldexp(rate, 32));
  const auto scale = static_cast<float>(1 / (1 - rate));
  const float* const from = contiguous.const_data_ptr<float>();
  float* const to = out.mutable_data_ptr<float>();
  at::parallel_for(0, out.numel(), kElementsPerTask, [&](int64_t begin, int64_t end) {
    kernels().dropout(from + begin, to + begin, end - begin, static_cast<uint64_t>(key), begin, below, scale);
  });
  return out;
}

class Dropout : public torch::autograd::Function<Dropout> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& input, double rate) {
    const int64_t key = draw_key();
    context->saved_data["rate"] = rate;
    context->saved_data["key"] = key;
    return drop(input, rate, key);
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    return {drop(gradients[0], context->saved_data["rate"].toDouble(), context->saved_data["key"].toInt()), {}};
  }
};

}  // namespace

torch::Tensor inverted_dropout(const torch::Tensor& input, double rate, bool training) {
  if (!training || rate == 0) return input;
  const bool has_kernel = input.is_cpu() && input.scalar_type() == torch::kFloat32;
  return has_kernel ? Dropout::apply(input, rate) : at::dropout(input, rate, training);
}

}  // namespace nmt
