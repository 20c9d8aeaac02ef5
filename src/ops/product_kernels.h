#pragma once

#include <array>
#include <cstdint>

#include "ops/precision.h"

namespace nmt {

// The innermost loops of matrix products, compiled once for each level of the x86-64 instruction set and chosen at run
// time. A product [M,N] = left [M,K] right [K,N] is made of tiles: a few rows of the left factor times one panel of
// columns of the right one, with all sums of a tile in registers. Both factors are first laid out in the order in which
// a tile reads them, in groups of terms that one instruction multiplies: one float32, two bfloat16. Every element adds
// its terms in the same order whatever the other rows are, so that a row's product doesn't depend on them.
struct ProductKernels {
  static constexpr int64_t kMostTileRows = 14;
  static constexpr int64_t kMostPanelColumns = 32;

  // out [rows, panel_columns] = start + left right, with left [groups, rows] and right [groups, panel_columns] as
  // packed. start [rows, panel_columns] may be out, a row for all (stride 0), or null for zero.
  using Tile = void (*)(const void* left, const void* right, int64_t groups, float* out, int64_t out_stride,
                        const float* start, int64_t start_stride);

  int64_t tile_rows = 0;      // most rows of a tile
  int64_t panel_columns = 0;  // columns of a panel
  int64_t group = 1;          // terms of a group, which take 4 bytes

  // from [lines, depth] float32 with any strides -> to [ceil(depth / group), padded_lines] groups, zero where there is
  // nothing. Lines are rows of the left factor or columns of the right one.
  void (*pack)(const float* from, int64_t line_stride, int64_t depth_stride, int64_t lines, int64_t padded_lines,
               int64_t depth, void* to) = nullptr;

  std::array<Tile, kMostTileRows> tiles = {};  // for 1 .. tile_rows rows
};

// The fastest kernels that the processor has and cap_cpu_level (ops/kernels.h) allows. Null where LibTorch's products
// are taken instead: below AVX2, and for bfloat16 without AVX-512 BF16 or with AMX, which LibTorch uses.
const ProductKernels* product_kernels(Precision precision);

}  // namespace nmt
