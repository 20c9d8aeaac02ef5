#include "ops/product.h"

#include <ATen/Context.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/native/quantized/PackedParams.h>
#include <torch/csrc/autograd/custom_function.h>

#include <vector>

namespace nmt {

namespace {

bool has_int8_dot_products() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512vnni");
#else
  return false;
#endif
}

using PackedInt8 = c10::intrusive_ptr<LinearPackedParamsBase>;

// FBGEMM's form of an 8-bit weight. LibTorch has no C++ function for it; the operator is called by name.
PackedInt8 pack_int8(const torch::Tensor& rounded, const torch::Tensor& bias) {
  std::vector<c10::IValue> stack = {rounded, bias.defined() ? c10::IValue(bias) : c10::IValue()};
  c10::Dispatcher::singleton().findSchemaOrThrow("quantized::linear_prepack", "").callBoxed(stack);
  return stack.front().toCustomClass<LinearPackedParamsBase>();
}

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
    auto out = at::empty(with_last(input, weight.size(0)), input.options());
    RightFactor(weight.t(), static_cast<Precision>(precision))
        .product_out(out.view({-1, weight.size(0)}), bias.value_or(torch::Tensor()), rows_of(input));
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list output_gradients) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor &input = saved[0], &weight = saved[1];
    const auto precision = static_cast<Precision>(context->saved_data["precision"].toInt());
    const auto gradient = rows_of(output_gradients[0]);  // [M,N]
    tensor_list out(4);
    if (context->needs_input_grad(0)) out[0] = matrix_product(gradient, weight, precision).view(input.sizes());
    if (context->needs_input_grad(1)) out[1] = matrix_product(gradient.t(), rows_of(input), precision);
    if (context->saved_data["has_bias"].toBool() && context->needs_input_grad(2)) out[2] = gradient.sum(0);
    return out;
  }
};

// Without dot-product instructions sums of two products saturate at 16 bits, which 7-bit inputs can't reach.
int64_t input_levels() { return has_int8_dot_products() ? 127 : 63; }

}  // namespace

torch::Tensor product(const torch::Tensor& input, const torch::Tensor& weight, const torch::Tensor& bias,
                      Precision precision) {
  const bool with_gradient = at::GradMode::is_enabled() && (input.requires_grad() || weight.requires_grad());
  if (precision == Precision::kFloat32 && (!with_gradient || product_kernels(precision) == nullptr)) {
    return at::linear(input, weight, bias);
  }
  return LinearLayer::apply(input, weight, bias.defined() ? std::optional(bias) : std::nullopt,
                            static_cast<int64_t>(precision));
}

struct PackedWeight::Int8 {
  PackedInt8 weight;
  double input_scale = 0;  // 0: found at each call
};

PackedWeight::PackedWeight(const torch::Tensor& weight, const torch::Tensor& bias, Precision precision,
                           double input_range) {
  const at::NoGradGuard no_gradients;
  if (bias.defined()) bias_ = bias.detach();
  if (precision != Precision::kInt8) {
    factor_.emplace(weight.detach().t(), precision);
    return;
  }
  const auto plain = weight.detach().contiguous();
  at::globalContext().setQEngine(at::QEngine::FBGEMM);
  const auto scales = plain.abs().amax(1).clamp_min(1e-30).to(torch::kFloat64) / 127;
  const auto zeros = at::zeros({plain.size(0)}, at::kLong);
  const auto rounded = at::quantize_per_channel(plain, scales, zeros, 0, at::kQInt8);
  int8_ = std::make_unique<Int8>();
  int8_->weight = pack_int8(rounded, bias_);
  if (input_range > 0) int8_->input_scale = input_range / static_cast<double>(input_levels());
}

PackedWeight::~PackedWeight() = default;

torch::Tensor PackedWeight::product(const torch::Tensor& input) const {
  if (!int8_) {
    auto out = at::empty(with_last(input, factor_->columns()), input.options());
    factor_->product_out(out.view({-1, factor_->columns()}), bias_, rows_of(input));
    return out;
  }
  const auto rows = input.contiguous();
  if (int8_->input_scale == 0) return int8_->weight->apply_dynamic(rows, /*reduce_range=*/!has_int8_dot_products());
  return int8_->weight->apply_with_input_q_dq_qweight_dq_output_fp32(rows, int8_->input_scale, input_levels() + 1);
}

torch::Tensor WeightProduct::operator()(const torch::Tensor& input, const torch::Tensor& weight,
                                        const torch::Tensor& bias) const {
  if (packed_) return packed_->product(input);
  const bool with_gradient = at::GradMode::is_enabled() && (input.requires_grad() || weight.requires_grad());
  return nmt::product(input, weight, bias, with_gradient ? training_precision_ : Precision::kFloat32);
}

}  // namespace nmt
