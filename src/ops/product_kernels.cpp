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
namespace avx512vnni {
extern const ProductKernels kProducts;
}

const ProductKernels* product_kernels(Precision precision) {
#if defined(__x86_64__)
  const CpuLevel level = cpu_level();
  const bool has_avx512 = level == CpuLevel::kAvx512;
  switch (precision) {
    case Precision::kFloat32:
      return has_avx512 ? &avx512::kProducts : level == CpuLevel::kAvx2 ? &avx2::kProducts : nullptr;
    case Precision::kBfloat16:
      return has_avx512 && cpu_has_bfloat16() && !cpu_has_amx_bfloat16() ? &avx512bf16::kProducts : nullptr;
    case Precision::kInt8: return has_avx512 && cpu_has_int8_dot_products() ? &avx512vnni::kProducts : nullptr;
  }
#else
  static_cast<void>(precision);
#endif
  return nullptr;
}

}  // namespace nmt
