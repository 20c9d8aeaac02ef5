#pragma once

#include <array>
#include <cstdint>

#include "ops/precision.h"

namespace nmt {

// The innermost loops of matrix products, compiled once for each level of the x86-64 instruction set and chosen at run
// time. A product [M,N] = left [M,K] right [K,N] is made of tiles: a few rows of the left factor times one panel of
// columns of the right one, with all sums of a tile in registers. Both factors are first laid out in the order in which
// a tile reads them, in groups of terms that one instruction multiplies: one float32, two bfloat16, four bytes. Every
// element adds its terms in the same order whatever the other rows are, so that a row's product doesn't depend on them.
//
// A line is a row of the left factor or a column of the right one. Where factors are bytes it is x = scale q with q
// from -127 to 127. The instruction wants one factor without a sign, so the left one holds q + 128, and 128 times the
// sum of the column's q, its offset, is taken off again.
struct ProductKernels {
  static constexpr int64_t kMostTileRows = 14;
  static constexpr int64_t kMostPanelColumns = 32;

  static constexpr int64_t kSlack = 16;

  enum class Side { kLeft, kRight };

  // Lines as packed: groups [groups, lines] of 4 bytes, and of bytes scales [lines] and, of columns, offsets [lines].
  struct Lines {
    const void* groups = nullptr;
    const float* scales = nullptr;
    const int32_t* offsets = nullptr;
  };
  // Lines to be packed: [lines, depth] float32.
  struct Source {
    const float* data = nullptr;
    int64_t line_stride = 0, depth_stride = 0;
    int64_t lines = 0, depth = 0;
    bool has_slack = false;  // kSlack numbers behind the last one may be read
  };
  struct Destination {
    void* groups = nullptr;
    float* scales = nullptr;
    int32_t* offsets = nullptr;
  };

  // out [rows, panel_columns] = start + left right, with left [groups, rows] and right [groups, panel_columns]. start
  // [rows, panel_columns] may be out, a row for all (stride 0), or null for zero.
  using Tile = void (*)(const Lines& left, const Lines& right, int64_t groups, float* out, int64_t out_stride,
                        const float* start, int64_t start_stride);

  int64_t tile_rows = 0;         // most rows of a tile
  int64_t panel_columns = 0;     // columns of a panel
  int64_t group = 1;             // terms of a group, which take 4 bytes
  bool has_scales = false;       // factors are bytes
  int64_t groups_per_block = 0;  // a tile adds up to so many at a time, so that rows stay in the cache

  // lines -> groups [ceil(depth / group), padded_lines], zero where there is nothing. A line that holds what isn't
  // finite makes products that aren't.
  void (*pack)(Side side, const Source& from, int64_t padded_lines, const Destination& to) = nullptr;

  std::array<Tile, kMostTileRows> tiles = {};  // for 1 .. tile_rows rows
};

// The fastest kernels that the processor has and cap_cpu_level (ops/kernels.h) allows. Null where LibTorch's products
// are taken instead: below AVX2, for bfloat16 without AVX-512 BF16 or with AMX, which LibTorch uses, and for int8
// without AVX-512 VNNI.
const ProductKernels* product_kernels(Precision precision);

}  // namespace nmt
