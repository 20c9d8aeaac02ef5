#include "ops/library_int8.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/native/quantized/PackedParams.h>

#include <algorithm>
#include <vector>

#include "ops/kernels.h"

namespace nmt {

struct LibraryInt8::Packed {
  c10::intrusive_ptr<LinearPackedParamsBase> weight;
};

LibraryInt8::LibraryInt8(const torch::Tensor& matrix) {
  at::globalContext().setQEngine(at::QEngine::FBGEMM);
  const auto weight = matrix.detach().t().contiguous();  // [N,K]
  const auto scales = weight.abs().amax(1).clamp_min(1e-30).to(torch::kFloat64) / 127;
  const auto zeros = at::zeros({weight.size(0)}, at::kLong);
  // LibTorch has no C++ function for FBGEMM's form of a weight; the operator is called by name.
  std::vector<c10::IValue> stack = {at::quantize_per_channel(weight, scales, zeros, 0, at::kQInt8), c10::IValue()};
  c10::Dispatcher::singleton().findSchemaOrThrow("quantized::linear_prepack", "").callBoxed(stack);
  packed_ = std::make_unique<const Packed>(stack.front().toCustomClass<LinearPackedParamsBase>());
}

LibraryInt8::~LibraryInt8() = default;

torch::Tensor LibraryInt8::product(const torch::Tensor& left) const {
  // Without dot-product instructions sums of two products saturate at 16 bits, which 7-bit inputs can't reach.
  const int64_t levels = cpu_has_int8_dot_products() ? 127 : 63;
  const auto ranges = left.abs().amax(1, /*keepdim=*/true).clamp_min(1e-30);  // [M,1]
  const auto out = packed_->weight->apply_with_input_q_dq_qweight_dq_output_fp32(
      (left / ranges).contiguous(), 1 / static_cast<double>(levels), levels + 1);
  return out * ranges;
}

bool library_has_int8() {
  const auto& engines = at::Context::supportedQEngines();
  return std::find(engines.begin(), engines.end(), at::QEngine::FBGEMM) != engines.end();
}

}  // namespace nmt
