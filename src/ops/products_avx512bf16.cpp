#define NMT_KERNEL_LEVEL avx512bf16
#define NMT_VECTOR_BYTES 64
#define NMT_TILE_ROWS 14
#include <immintrin.h>

#include <bit>

#include "ops/product_tile.h"

namespace nmt::avx512bf16 {

namespace {

__m512 native(Vector vector) { return std::bit_cast<__m512>(vector); }

// Rounded to the nearest, to even in between, by the processor.
__m512i rounded(Vector vector) {
  return _mm512_cvtepu16_epi32(std::bit_cast<__m256i>(_mm512_cvtneps_pbh(native(vector))));
}

struct Bfloat16 {
  static constexpr int64_t kGroup = 2;  // terms

  static float group_of(const float* from, int64_t stride, int64_t terms) {
    const Vector pair = {from[0], terms > 1 ? from[stride] : 0.0F};
    return joined(pair, Vector{})[0];
  }
  static Vector groups_along(const float* from) { return joined(load(from), load(from + kLanes)); }
  static Vector groups_across(const float* from, int64_t stride) {
    const __m512i first = rounded(load(from)), second = rounded(load(from + stride));
    return std::bit_cast<Vector>(_mm512_or_si512(first, _mm512_slli_epi32(second, 16)));
  }
  static Vector add_products(Vector sum, float left, Vector right) {
    const auto everywhere = _mm512_set1_ps(left);
    return std::bit_cast<Vector>(
        _mm512_dpbf16_ps(native(sum), std::bit_cast<__m512bh>(everywhere), std::bit_cast<__m512bh>(right)));
  }

 private:
  static Vector joined(Vector low, Vector high) {
    return std::bit_cast<Vector>(_mm512_cvtne2ps_pbh(native(high), native(low)));
  }
};

}  // namespace

extern const ProductKernels kProducts;
constinit const ProductKernels kProducts = kernels_of<Bfloat16>();

}  // namespace nmt::avx512bf16
