#pragma once

#include <array>
#include <cstdint>

namespace nmt {

// The innermost loops of products of 8-bit factors, for processors that multiply and add four bytes in one instruction
// (AVX-512 VNNI). As ops/product_kernels.h: tiles of a few rows times a panel of columns, all sums in registers.
//
// A line (a row of the left factor, a column of the right one) is x = scale q with q from -127 to 127. The instruction
// wants one factor without a sign, so the left one holds q + 128, and 128 times the column's sum is taken off again.
struct Int8Kernels {
  static constexpr int64_t kMostTileRows = 14;
  static constexpr int64_t kMostPanelColumns = 32;

  // The columns of one panel, panel_columns numbers each.
  struct Columns {
    const int32_t* offsets;  // 128 times the sum of the column's q
    const float* scales;
    const float* bias;
  };

  // out [rows, panel_columns] = row_scales (sums - offsets) scales + bias
  using Tile = void (*)(const void* left, const void* right, int64_t groups, const float* row_scales,
                        const Columns& columns, float* out, int64_t out_stride);

  int64_t tile_rows = 0;
  int64_t panel_columns = 0;

  // One line [depth] -> groups of four bytes, `stride` groups apart, q + offset each; returns the scale, which is not a
  // number where the line holds something that isn't finite. The rest of the last group is `offset`.
  float (*pack)(const float* from, int64_t depth, int32_t offset, int64_t stride, void* to) = nullptr;

  std::array<Tile, kMostTileRows> tiles = {};  // for 1 .. tile_rows rows
};

// Null where the processor, or cap_cpu_level (ops/kernels.h), has none.
const Int8Kernels* int8_kernels();

}  // namespace nmt
