#include "ops/int8_weight.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/native/quantized/PackedParams.h>

#include <algorithm>
#include <vector>

#include "ops/kernels.h"

namespace nmt {

// What FBGEMM multiplies with.
struct Int8Weight::OfLibrary {
  OfLibrary(const torch::Tensor& plain, const torch::Tensor& plain_bias)
      : bias(plain_bias.defined() ? plain_bias.detach().clone() : plain_bias) {
    at::globalContext().setQEngine(at::QEngine::FBGEMM);
    const auto scales = plain.abs().amax(1).clamp_min(1e-30).to(torch::kFloat64) / 127;
    const auto zeros = at::zeros({plain.size(0)}, at::kLong);
    // LibTorch has no C++ function for FBGEMM's form of a weight; the operator is called by name.
    std::vector<c10::IValue> stack = {at::quantize_per_channel(plain, scales, zeros, 0, at::kQInt8), c10::IValue()};
    c10::Dispatcher::singleton().findSchemaOrThrow("quantized::linear_prepack", "").callBoxed(stack);
    weight = stack.front().toCustomClass<LinearPackedParamsBase>();
  }

  torch::Tensor product(const torch::Tensor& input) const {
    // Without dot-product instructions sums of two products saturate at 16 bits, which 7-bit inputs can't reach.
    const int64_t levels = cpu_has_int8_dot_products() ? 127 : 63;
    const auto ranges = input.abs().amax(1, /*keepdim=*/true).clamp_min(1e-30);  // [M,1]
    const auto out = weight->apply_with_input_q_dq_qweight_dq_output_fp32((input / ranges).contiguous(),
                                                                          1 / static_cast<double>(levels), levels + 1);
    return bias.defined() ? at::addcmul(bias, out, ranges) : out * ranges;
  }

  c10::intrusive_ptr<LinearPackedParamsBase> weight;
  torch::Tensor bias;
};

Int8Weight::Int8Weight(const torch::Tensor& weight, const torch::Tensor& bias) {
  const auto plain = weight.detach().contiguous();
  if (const auto* kernels = int8_kernels()) {
    packed_.emplace(*kernels, plain, bias);
  } else {
    of_library_ = std::make_unique<OfLibrary>(plain, bias);
  }
}

Int8Weight::~Int8Weight() = default;

torch::Tensor Int8Weight::product(const torch::Tensor& input) const {
  return packed_ ? packed_->product(input) : of_library_->product(input);
}

bool has_int8_products() {
  if (int8_kernels() != nullptr) return true;
  const auto& engines = at::Context::supportedQEngines();
  return std::find(engines.begin(), engines.end(), at::QEngine::FBGEMM) != engines.end();
}

}  // namespace nmt
