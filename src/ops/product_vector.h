#pragma once

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

}  // namespace

}  // namespace nmt::NMT_KERNEL_LEVEL
