#pragma once

#include <immintrin.h>

#include <bit>
#include <cstdint>
#include <cstring>

namespace nmt::NMT_KERNEL_LEVEL {

namespace {

// One register of the level that includes this (ops/product_tile.h).
using Vector [[gnu::vector_size(NMT_VECTOR_BYTES)]] = float;

constexpr int64_t kLanes = NMT_VECTOR_BYTES / 4;

inline Vector load(const void* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

inline void store(void* to, Vector vector) { std::memcpy(to, &vector, sizeof vector); }

// The first `count` lanes, less than all.
inline void store_part(void* to, Vector vector, int64_t count) {
#if NMT_VECTOR_BYTES == 64
  _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1U << count) - 1), std::bit_cast<__m512>(vector));
#else
  std::memcpy(to, &vector, sizeof(float) * static_cast<size_t>(count));
#endif
}

}  // namespace

}  // namespace nmt::NMT_KERNEL_LEVEL
