#include "ops/int8_kernels.h"

#include "ops/kernels.h"

namespace nmt {

namespace avx512vnni {
extern const Int8Kernels kInt8;
}

const Int8Kernels* int8_kernels() {
#if defined(__x86_64__)
  if (cpu_level() == CpuLevel::kAvx512 && cpu_has_int8_dot_products()) return &avx512vnni::kInt8;
#endif
  return nullptr;
}

}  // namespace nmt
