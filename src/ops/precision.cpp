#include "ops/precision.h"

#include <c10/core/Device.h>

#include "base/error.h"
#include "ops/kernels.h"
#include "ops/library_int8.h"
#include "ops/product_kernels.h"

namespace nmt {

Precision parse_precision(const std::string& word) {
  if (word == "float32") return Precision::kFloat32;
  if (word == "bfloat16") return Precision::kBfloat16;
  if (word == "int8") return Precision::kInt8;
  throw UsageError("Precision '" + word + "' isn't known; expected float32, bfloat16 or int8.");
}

Precision gradient_precision(Precision precision) {
  if (precision != Precision::kInt8) return precision;
  return product_kernels(Precision::kBfloat16) != nullptr ? Precision::kBfloat16 : Precision::kFloat32;
}

void check_precision(Precision precision, const c10::Device& device) {
  if (precision == Precision::kBfloat16 && device.is_cpu() && !cpu_has_bfloat16()) {
    throw ResourceError(
        "This processor has no bfloat16 products (AVX-512 BF16 or AMX), so they would be slower than float32. Use "
        "float32.");
  }
  if (precision == Precision::kInt8 && !device.is_cpu()) {
    throw ResourceError("int8 products run on the CPU only. Use float32 or bfloat16, or --device cpu.");
  }
  if (precision == Precision::kInt8 && product_kernels(precision) == nullptr && !library_has_int8()) {
    throw ResourceError("This LibTorch has no 8-bit products for this processor. Use float32.");
  }
}

void check_training_precision(Precision precision, const c10::Device& device) {
  check_precision(precision, device);
  if (precision == Precision::kInt8 && product_kernels(precision) == nullptr) {
    throw ResourceError(
        "This processor has no 8-bit dot products (AVX-512 VNNI), so training with int8 would be slower than with "
        "float32. Use float32.");
  }
}

}  // namespace nmt
