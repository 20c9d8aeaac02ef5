#pragma once

// What the kernels of ops/product_kernels.h have in common at every instruction-set level. A unit includes it once,
// after it has named the level's namespace, the size of its registers and the rows of a tile:
//   #define NMT_KERNEL_LEVEL avx2
//   #define NMT_VECTOR_BYTES 32
//   #define NMT_TILE_ROWS 6
// and gives product_kernels<Factor>() how one kind of factor is laid out and multiplied.

#include <cstdint>
#include <utility>

#include "ops/product_kernels.h"
#include "ops/product_packing.h"

namespace nmt::NMT_KERNEL_LEVEL {

namespace {

constexpr int64_t kPanelColumns = 2 * kLanes;
constexpr int64_t kTileRows = NMT_TILE_ROWS;
static_assert(kTileRows <= kLanes, "product_packing.h lets one vector run over the end of a line of groups");
static_assert(kTileRows <= ProductKernels::kMostTileRows && kPanelColumns <= ProductKernels::kMostPanelColumns);

// ProductKernels::Tile. A panel is two registers wide, so that each term of the left factor is read once for two
// multiplications, and a tile has as many rows as leave registers for the panel and the term.
template <class Factor, int64_t kRows>
void multiply_tile(const ProductKernels::Lines& left_tile, const ProductKernels::Lines& right_panel, int64_t groups,
                   float* out, int64_t out_stride, const float* start, int64_t start_stride) {
  const auto* left = static_cast<const float*>(left_tile.groups);
  const auto* right = static_cast<const float*>(right_panel.groups);
  Vector first[kRows], second[kRows];
#pragma GCC unroll 16
  for (int64_t i = 0; i < kRows; ++i) {
    first[i] = start == nullptr ? Vector{} : load(start + i * start_stride);
    second[i] = start == nullptr ? Vector{} : load(start + i * start_stride + kLanes);
    __builtin_prefetch(out + i * out_stride, 1);  // arrives while the sums are made
    __builtin_prefetch(out + i * out_stride + kLanes, 1);
  }
  for (int64_t k = 0; k < groups; ++k) {
    const Vector right_first = load(right), right_second = load(right + kLanes);
#pragma GCC unroll 16
    for (int64_t i = 0; i < kRows; ++i) {
      first[i] = Factor::add_products(first[i], left[i], right_first);
      second[i] = Factor::add_products(second[i], left[i], right_second);
    }
    left += kRows;
    right += kPanelColumns;
  }
#pragma GCC unroll 16
  for (int64_t i = 0; i < kRows; ++i) {
    store(out + i * out_stride, first[i]);
    store(out + i * out_stride + kLanes, second[i]);
  }
}

template <class Factor, int64_t... kRows>
constexpr std::array<ProductKernels::Tile, ProductKernels::kMostTileRows> tiles(
    std::integer_sequence<int64_t, kRows...>) {
  return {{multiply_tile<Factor, kRows + 1>...}};
}

template <class Factor>
constexpr ProductKernels kernels_of() {
  return {.tile_rows = kTileRows,
          .panel_columns = kPanelColumns,
          .group = Factor::kGroup,
          .groups_per_block = 1024,
          .pack = pack<Factor>,
          .tiles = tiles<Factor>(std::make_integer_sequence<int64_t, kTileRows>())};
}

}  // namespace

}  // namespace nmt::NMT_KERNEL_LEVEL
