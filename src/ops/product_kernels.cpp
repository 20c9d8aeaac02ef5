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
  const CpuLevel level = cpu_level();
  if (precision == Precision::kBfloat16 && level == CpuLevel::kAvx512 && cpu_has_bfloat16() &&
      !cpu_has_amx_bfloat16()) {
    return &avx512bf16::kProducts;
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
