#include "ops/product.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <vector>

namespace nmt {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

torch::Tensor rows_of(const torch::Tensor& tensor) { return tensor.reshape({-1, tensor.size(-1)}); }

std::vector<int64_t> with_last(const torch::Tensor& tensor, int64_t size) {
  auto sizes = tensor.sizes().vec();
  sizes.back() = size;
  return sizes;
}

// product() with its gradients, each one more product.
class LinearLayer : public torch::autograd::Function<LinearLayer> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& input, const torch::Tensor& weight,
                               const std::optional<torch::Tensor>& bias, int64_t precision) {
    context->save_for_backward({input, weight});
    context->saved_data["precision"] = precision;
    context->saved_data["has_bias"] = bias.has_value();
    const RightFactor factor(weight.t(), static_cast<Precision>(precision));
    const auto out = factor.product(rows_of(input), bias.value_or(torch::Tensor()));
    return out.view(with_last(input, weight.size(0)));
  }

  static tensor_list backward(AutogradContext* context, tensor_list output_gradients) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor &input = saved[0], &weight = saved[1];
    const auto precision = gradient_precision(static_cast<Precision>(context->saved_data["precision"].toInt()));
    const auto gradient = rows_of(output_gradients[0]);  // [M,N]
    tensor_list out(4);
    if (context->needs_input_grad(0)) out[0] = matrix_product(gradient, weight, precision).view(input.sizes());
    if (context->needs_input_grad(1)) out[1] = matrix_product(gradient.t(), rows_of(input), precision);
    if (context->saved_data["has_bias"].toBool() && context->needs_input_grad(2)) out[2] = gradient.sum(0);
    return out;
  }
};

bool wants_gradient(const torch::Tensor& input, const torch::Tensor& weight) {
  return at::GradMode::is_enabled() && (input.requires_grad() || weight.requires_grad());
}

}  // namespace

torch::Tensor product(const torch::Tensor& input, const torch::Tensor& weight, const torch::Tensor& bias,
                      Precision precision) {
  if (precision == Precision::kFloat32 && RightFactor::own_kernels(weight, precision) == nullptr) {
    return at::linear(input, weight, bias);
  }
  return LinearLayer::apply(input, weight, bias.defined() ? std::optional(bias) : std::nullopt,
                            static_cast<int64_t>(precision));
}

PackedWeight::PackedWeight(const torch::Tensor& weight, const torch::Tensor& bias, Precision precision)
    : factor_(weight.detach().t(), precision), bias_(bias.defined() ? bias.detach().clone() : bias) {}

torch::Tensor PackedWeight::product(const torch::Tensor& input) const {
  const auto out = factor_.product(rows_of(input), bias_);
  return out.view(with_last(input, out.size(1)));
}

torch::Tensor WeightProduct::operator()(const torch::Tensor& input, const torch::Tensor& weight,
                                        const torch::Tensor& bias) const {
  const bool with_gradient = wants_gradient(input, weight);
  if (packed_ && !with_gradient) return packed_->product(input);
  return nmt::product(input, weight, bias, with_gradient ? training_precision_ : Precision::kFloat32);
}

}  // namespace nmt
