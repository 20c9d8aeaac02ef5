#define NMT_KERNEL_LEVEL avx512vnni
#define NMT_VECTOR_BYTES 64
#include <immintrin.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "ops/int8_kernels.h"
#include "ops/product_vector.h"

namespace nmt::avx512vnni {

namespace {

constexpr int64_t kTileRows = Int8Kernels::kMostTileRows;
constexpr int64_t kPanelColumns = 2 * kLanes;
constexpr int64_t kGroup = 4;

using Integers [[gnu::vector_size(NMT_VECTOR_BYTES)]] = int32_t;

struct Panel {
  Integers offsets;
  Vector scales, bias;
};

Panel panel_of(const Int8Kernels::Columns& columns, int64_t from) {
  return {std::bit_cast<Integers>(load(columns.offsets + from)), load(columns.scales + from),
          load(columns.bias + from)};
}

// sum + left right, four bytes at a time. Sums of this type, not of __m512i, are what GCC keeps in place.
Integers add_products(Integers sum, int32_t left, Integers right) {
  return std::bit_cast<Integers>(
      _mm512_dpbusd_epi32(std::bit_cast<__m512i>(sum), _mm512_set1_epi32(left), std::bit_cast<__m512i>(right)));
}

Vector finished(Integers sums, float row_scale, const Panel& panel) {
  const Vector exact = __builtin_convertvector(sums - panel.offsets, Vector);
  return exact * (row_scale * panel.scales) + panel.bias;
}

template <int64_t kRows>
void multiply_tile(const void* left_tile, const void* right_panel, int64_t groups, const float* row_scales,
                   const Int8Kernels::Columns& columns, float* out, int64_t out_stride) {
  const auto* left = static_cast<const int32_t*>(left_tile);
  const auto* right = static_cast<const int32_t*>(right_panel);
  Integers first[kRows], second[kRows];
#pragma GCC unroll 16
  for (int64_t i = 0; i < kRows; ++i) {
    first[i] = second[i] = Integers{};
    __builtin_prefetch(out + i * out_stride, 1);  // arrives while the sums are made
    __builtin_prefetch(out + i * out_stride + kLanes, 1);
  }
  for (int64_t k = 0; k < groups; ++k) {
    const auto right_first = std::bit_cast<Integers>(load(right)),
               right_second = std::bit_cast<Integers>(load(right + kLanes));
#pragma GCC unroll 16
    for (int64_t i = 0; i < kRows; ++i) {
      first[i] = add_products(first[i], left[i], right_first);
      second[i] = add_products(second[i], left[i], right_second);
    }
    left += kRows;
    right += kPanelColumns;
  }
  const Panel low = panel_of(columns, 0), high = panel_of(columns, kLanes);
#pragma GCC unroll 16
  for (int64_t i = 0; i < kRows; ++i) {
    store(out + i * out_stride, finished(first[i], row_scales[i], low));
    store(out + i * out_stride + kLanes, finished(second[i], row_scales[i], high));
  }
}

// The largest magnitude, or what isn't a number where something isn't finite.
float range_of(const float* x, int64_t n) {
  Vector largest = {}, poison = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Vector part = load(x + i);
    const Vector size = part < 0 ? -part : part;
    largest = size > largest ? size : largest;
    poison += part - part;  // NOLINT(misc-redundant-expression): 0, or what isn't a number
  }
  float range = 0, sum = 0;
  for (int64_t lane = 0; lane < kLanes; ++lane) {
    range = largest[lane] > range ? largest[lane] : range;
    sum += poison[lane];
  }
  for (; i < n; ++i) {
    const float size = x[i] < 0 ? -x[i] : x[i];
    range = size > range ? size : range;
    sum += x[i] - x[i];  // NOLINT(misc-redundant-expression)
  }
  return range + sum;
}

float pack(const float* from, int64_t depth, int32_t offset, int64_t stride, void* to) {
  constexpr int64_t kBlock = 256;
  const float range = range_of(from, depth);
  const bool is_usual = range > 1e-30F && range < 1e38F;  // else nothing that a byte could hold
  const float inverse = is_usual ? 127 / range : 0;
  const float shift = static_cast<float>(offset) + 256.5F;  // above zero, where cutting off rounds to the nearest
  auto* out = static_cast<uint8_t*>(to);
  for (int64_t begin = 0; begin < depth; begin += kBlock) {
    const int64_t size = depth - begin < kBlock ? depth - begin : kBlock;
    uint8_t bytes[kBlock];
    for (int64_t k = 0; k < size; ++k) {
      const float value = is_usual ? from[begin + k] * inverse : 0;
      bytes[k] = static_cast<uint8_t>(static_cast<int32_t>(value + shift));  // modulo 256
    }
    for (int64_t k = size; k % kGroup != 0; ++k) bytes[k] = static_cast<uint8_t>(offset);
    for (int64_t k = 0; k < size; k += kGroup) std::memcpy(out + (begin + k) * stride, bytes + k, kGroup);
  }
  return range / 127;
}

template <int64_t... kRows>
constexpr std::array<Int8Kernels::Tile, Int8Kernels::kMostTileRows> tiles(std::integer_sequence<int64_t, kRows...>) {
  return {{multiply_tile<kRows + 1>...}};
}

}  // namespace

extern const Int8Kernels kInt8;
constinit const Int8Kernels kInt8 = {kTileRows, kPanelColumns, pack,
                                     tiles(std::make_integer_sequence<int64_t, kTileRows>())};

}  // namespace nmt::avx512vnni
