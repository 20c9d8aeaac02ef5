// The kernels of ops/product_kernels.h for float32, compiled once for each instruction-set level by
// products_<level>.cpp, which says what ops/product_tile.h needs.

#include "ops/product_tile.h"

namespace nmt::NMT_KERNEL_LEVEL {

namespace {

struct Float32 {
  static constexpr int64_t kGroup = 1;  // terms

  static float group_of(const float* from, int64_t /*stride*/, int64_t /*terms*/) { return *from; }
  static Vector groups_along(const float* from) { return load(from); }
  static Vector groups_across(const float* from, int64_t /*stride*/) { return load(from); }
  static Vector add_products(Vector sum, float left, Vector right) { return sum + left * right; }
};

}  // namespace

extern const ProductKernels kProducts;
constinit const ProductKernels kProducts = kernels_of<Float32>();  // NOLINT(misc-definitions-in-headers): one unit's

}  // namespace nmt::NMT_KERNEL_LEVEL
