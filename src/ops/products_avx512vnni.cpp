#define NMT_KERNEL_LEVEL avx512vnni
#define NMT_VECTOR_BYTES 64
#include <immintrin.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "ops/product_kernels.h"
#include "ops/product_vector.h"

namespace nmt::avx512vnni {

namespace {

using Lines = ProductKernels::Lines;
using Side = ProductKernels::Side;

constexpr int64_t kTileRows = ProductKernels::kMostTileRows;
constexpr int64_t kPanelColumns = 2 * kLanes;
constexpr int64_t kGroup = 4;  // terms
constexpr int32_t kLeftOffset = 128;

using Integers [[gnu::vector_size(NMT_VECTOR_BYTES)]] = int32_t;

struct Columns {
  Integers offsets;
  Vector scales;
};

Columns columns_of(const Lines& panel, int64_t from) {
  return {std::bit_cast<Integers>(load(panel.offsets + from)), load(panel.scales + from)};
}

// sum + left right, four bytes at a time. Sums of this type, not of __m512i, are what GCC keeps in place.
Integers add_products(Integers sum, int32_t left, Integers right) {
  return std::bit_cast<Integers>(
      _mm512_dpbusd_epi32(std::bit_cast<__m512i>(sum), _mm512_set1_epi32(left), std::bit_cast<__m512i>(right)));
}

Vector finished(Integers sums, float row_scale, const Columns& columns) {
  return __builtin_convertvector(sums - columns.offsets, Vector) * (row_scale * columns.scales);
}

template <int64_t kRows>
void multiply_tile(const Lines& left_tile, const Lines& right_panel, int64_t groups, float* out, int64_t out_stride,
                   const float* start, int64_t start_stride) {
  const auto* left = static_cast<const int32_t*>(left_tile.groups);
  const auto* right = static_cast<const int32_t*>(right_panel.groups);
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
  const Columns low = columns_of(right_panel, 0), high = columns_of(right_panel, kLanes);
#pragma GCC unroll 16
  for (int64_t i = 0; i < kRows; ++i) {
    const float* from = start == nullptr ? nullptr : start + i * start_stride;
    const float scale = left_tile.scales[i];
    store(out + i * out_stride, finished(first[i], scale, low) + (from == nullptr ? Vector{} : load(from)));
    store(out + i * out_stride + kLanes,
          finished(second[i], scale, high) + (from == nullptr ? Vector{} : load(from + kLanes)));
  }
}

// One line whose terms are `stride` apart.
struct Line {
  const float* from;
  int64_t stride;
  int64_t depth;
};

// The largest magnitude, or what isn't a number where something isn't finite.
float range_of(const Line& line) {
  Vector largest = {}, poison = {};
  int64_t k = 0;
  for (; line.stride == 1 && k + kLanes <= line.depth; k += kLanes) {
    const Vector part = load(line.from + k);
    const Vector size = part < 0 ? -part : part;
    largest = size > largest ? size : largest;
    poison += part - part;  // NOLINT(misc-redundant-expression): 0, or what isn't a number
  }
  float range = 0, sum = 0;
  for (int64_t lane = 0; lane < kLanes; ++lane) {
    range = largest[lane] > range ? largest[lane] : range;
    sum += poison[lane];
  }
  for (; k < line.depth; ++k) {
    const float x = line.from[k * line.stride];
    const float size = x < 0 ? -x : x;
    range = size > range ? size : range;
    sum += x - x;  // NOLINT(misc-redundant-expression)
  }
  return range + sum;
}

// Terms [begin, begin + size) times `inverse`, rounded, each with `offset` on it; adds to `sum` what they are without.
void round_terms(const Line& line, int64_t begin, int64_t size, float inverse, int32_t offset, uint8_t* bytes,
                 int32_t& sum) {
  const float shift = static_cast<float>(offset) + 256.5F;  // above zero, where cutting off rounds to the nearest
  const auto round = [&](float x) {
    const auto shifted = static_cast<int32_t>(x * inverse + shift);
    sum += shifted - 256 - offset;
    return static_cast<uint8_t>(shifted);  // modulo 256
  };
  if (line.stride == 1) {
    for (int64_t k = 0; k < size; ++k) bytes[k] = round(line.from[begin + k]);
  } else {
    for (int64_t k = 0; k < size; ++k) bytes[k] = round(line.from[(begin + k) * line.stride]);
  }
}

struct PackedLine {
  float scale;
  int32_t sum;  // of q
};

// Groups are `group_stride` groups apart. The rest of the last one is `offset`.
PackedLine pack_line(const Line& line, int32_t offset, int64_t group_stride, uint8_t* to) {
  constexpr int64_t kBlock = 256;
  const float range = range_of(line);
  const bool is_usual = range > 1e-30F && range < 1e38F;  // else nothing that a byte could hold
  int32_t sum = 0;
  for (int64_t begin = 0; begin < line.depth; begin += kBlock) {
    const int64_t size = line.depth - begin < kBlock ? line.depth - begin : kBlock;
    uint8_t bytes[kBlock];
    if (is_usual) {
      round_terms(line, begin, size, 127 / range, offset, bytes, sum);
    } else {
      std::memset(bytes, offset, static_cast<size_t>(size));
    }
    for (int64_t k = size; k % kGroup != 0; ++k) bytes[k] = static_cast<uint8_t>(offset);
    for (int64_t k = 0; k < size; k += kGroup) std::memcpy(to + (begin + k) * group_stride, bytes + k, kGroup);
  }
  return {range / 127, sum};
}

// ProductKernels::pack
void pack(Side side, const ProductKernels::Source& from, int64_t padded_lines, const ProductKernels::Destination& to) {
  const int32_t offset = side == Side::kLeft ? kLeftOffset : 0;
  for (int64_t i = 0; i < from.lines; ++i) {
    auto* groups = static_cast<uint8_t*>(to.groups) + i * kGroup;
    const Line line = {from.data + i * from.line_stride, from.depth_stride, from.depth};
    const PackedLine packed = pack_line(line, offset, padded_lines, groups);
    to.scales[i] = packed.scale;
    if (side == Side::kRight) to.offsets[i] = kLeftOffset * packed.sum;
  }
  for (int64_t i = from.lines; i < padded_lines; ++i) {
    to.scales[i] = 0;
    if (side == Side::kRight) to.offsets[i] = 0;
    for (int64_t k = 0; k < (from.depth + kGroup - 1) / kGroup; ++k) {
      std::memset(static_cast<uint8_t*>(to.groups) + (k * padded_lines + i) * kGroup, offset, kGroup);
    }
  }
}

template <int64_t... kRows>
constexpr std::array<ProductKernels::Tile, ProductKernels::kMostTileRows> tiles(
    std::integer_sequence<int64_t, kRows...>) {
  return {{multiply_tile<kRows + 1>...}};
}

}  // namespace

extern const ProductKernels kProducts;
constinit const ProductKernels kProducts = {.tile_rows = kTileRows,
                                            .panel_columns = kPanelColumns,
                                            .group = kGroup,
                                            .has_scales = true,
                                            .groups_per_block = std::numeric_limits<int32_t>::max(),
                                            .pack = pack,
                                            .tiles = tiles(std::make_integer_sequence<int64_t, kTileRows>())};

}  // namespace nmt::avx512vnni
