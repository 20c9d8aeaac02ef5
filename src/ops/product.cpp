#include "ops/product.h"

#include <ATen/Context.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/native/quantized/PackedParams.h>

#include <algorithm>

#include "base/error.h"

namespace nmt {

namespace {

bool has_bfloat16_products() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512bf16");  // every processor with AMX has it too
#else
  return false;
#endif
}

bool has_int8_dot_products() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512vnni");
#else
  return false;
#endif
}

bool has_int8_library() {
  const auto& engines = at::Context::supportedQEngines();
  return std::find(engines.begin(), engines.end(), at::QEngine::FBGEMM) != engines.end();
}

using PackedInt8 = c10::intrusive_ptr<LinearPackedParamsBase>;

// FBGEMM's form of an 8-bit weight. LibTorch has no C++ function for it; the operator is called by name.
PackedInt8 pack_int8(const torch::Tensor& rounded, const torch::Tensor& bias) {
  std::vector<c10::IValue> stack = {rounded, bias.defined() ? c10::IValue(bias) : c10::IValue()};
  c10::Dispatcher::singleton().findSchemaOrThrow("quantized::linear_prepack", "").callBoxed(stack);
  return stack.front().toCustomClass<LinearPackedParamsBase>();
}

// Without dot-product instructions sums of two products saturate at 16 bits, which 7-bit inputs can't reach.
int64_t input_levels() { return has_int8_dot_products() ? 127 : 63; }

}  // namespace

Precision parse_precision(const std::string& word) {
  if (word == "float32") return Precision::kFloat32;
  if (word == "bfloat16") return Precision::kBfloat16;
  if (word == "int8") return Precision::kInt8;
  throw UsageError("Precision '" + word + "' isn't known; expected float32, bfloat16 or int8.");
}

void check_precision(Precision precision, const torch::Device& device) {
  if (precision == Precision::kBfloat16 && device.is_cpu() && !has_bfloat16_products()) {
    throw ResourceError(
        "This processor has no bfloat16 products (AVX-512 BF16 or AMX), so they would be slower than float32. Use "
        "float32.");
  }
  if (precision == Precision::kInt8 && !device.is_cpu()) {
    throw ResourceError("int8 products run on the CPU only. Use float32 or bfloat16, or --device cpu.");
  }
  if (precision == Precision::kInt8 && !has_int8_library()) {
    throw ResourceError("This LibTorch has no 8-bit products for this processor. Use float32.");
  }
}

torch::Tensor product(const torch::Tensor& input, const torch::Tensor& weight, const torch::Tensor& bias,
                      Precision precision) {
  if (precision == Precision::kFloat32) return at::linear(input, weight, bias);
  const auto out = at::linear(as_factor(input, precision), as_factor(weight, precision)).to(torch::kFloat32);
  return bias.defined() ? out + bias : out;
}

torch::Tensor as_factor(const torch::Tensor& tensor, Precision precision) {
  return precision == Precision::kBfloat16 ? tensor.to(torch::kBFloat16) : tensor;
}

torch::Tensor matrix_product(const torch::Tensor& left, const torch::Tensor& right, Precision precision) {
  if (precision == Precision::kFloat32) return at::mm(left, right);
  return at::mm(as_factor(left, precision), as_factor(right, precision)).to(torch::kFloat32);
}

void add_product_(torch::Tensor out, const torch::Tensor& left, const torch::Tensor& right, Precision precision) {
  if (precision == Precision::kFloat32) {
    out.addmm_(left, right);
  } else {
    out.add_(at::mm(as_factor(left, precision), as_factor(right, precision)));
  }
}

void add_product_out(torch::Tensor out, const torch::Tensor& start, const torch::Tensor& left,
                     const torch::Tensor& right, Precision precision) {
  if (precision == Precision::kFloat32) {
    at::addmm_out(out, start, left, right);
  } else {
    at::add_out(out, at::mm(as_factor(left, precision), as_factor(right, precision)), start);
  }
}

struct PackedWeight::Int8 {
  PackedInt8 weight;
  double input_scale = 0;  // 0: found at each call
};

PackedWeight::PackedWeight(const torch::Tensor& weight, const torch::Tensor& bias, Precision precision,
                           double input_range) {
  const at::NoGradGuard no_gradients;
  const auto plain = weight.detach().contiguous();
  if (bias.defined()) bias_ = bias.detach();
  if (precision != Precision::kInt8) {
    weight_ = as_factor(plain, precision);
    return;
  }
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
    const auto out = at::linear(input.to(weight_.scalar_type()), weight_).to(torch::kFloat32);
    return bias_.defined() ? out.add_(bias_) : out;
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
