#include "ops/product_kernels.h"

#include "ops/kernels.h"

namespace nmt {

namespace avx2 {
extern const ProductKernels kProducts;
}
namespace avx512 {
extern const ProductKernels kProducts;
}
namespace avx512bf16 {
extern const ProductKernels kProducts;
}

const ProductKernels* product_kernels(Precision precision) {
#if defined(__x86_64__)
  static const bool has_bfloat16 = __builtin_cpu_supports("avx512bf16") && !__builtin_cpu_supports("amx-bf16");
  const CpuLevel level = cpu_level();
  if (precision == Precision::kBfloat16) {
    return level == CpuLevel::kAvx512 && has_bfloat16 ? &avx512bf16::kProducts : nullptr;
  }
  if (precision == Precision::kFloat32) {
    if (level == CpuLevel::kAvx512) return &avx512::kProducts;
    if (level == CpuLevel::kAvx2) return &avx2::kProducts;
  }
#else
  static_cast<void>(precision);
#endif
  return nullptr;
}

}  // namespace nmt
