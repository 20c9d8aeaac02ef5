#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "ops/product_kernels.h"
#include "ops/product_tiles.h"

namespace nmt {

// A matrix [R,C] of float32 on the CPU, of any strides, that somebody else holds.
struct MatrixView {
  const float* data;
  int64_t rows, columns;
  int64_t row_stride, column_stride;
};

// The memory of packed lines (ops/product_kernels.h).
class PackedLines {
 public:
  PackedLines(const ProductKernels& kernels, int64_t lines, int64_t depth, ProductKernels::Side side);

  int64_t groups() const { return groups_; }  // of a line

  // `count` lines from `first` on that are packed together, from one of their groups on.
  ProductKernels::Lines at(int64_t first, int64_t count, int64_t group) const;
  ProductKernels::Destination destination(int64_t first, int64_t count, int64_t group);

 private:
  int64_t groups_;
  torch::Tensor memory_;          // [lines * groups] of 4 bytes
  int32_t* data_;                 // of memory_, which would check its type at every look
  std::vector<float> scales_;     // [lines] where factors are bytes
  std::vector<int32_t> offsets_;  // the same, of columns
};

// The left factor [M,K] of products, laid out in tiles of rows: as a whole, or piece by piece as its numbers are made.
class PackedRows : public RowTiles {
 public:
  PackedRows(const ProductKernels& kernels, const MatrixView& left);

  // [rows,depth] to be filled, by pack_tile for all tiles or by pack_terms for all terms, on any threads. All tiles but
  // the last have a multiple of `unit` rows.
  PackedRows(const ProductKernels& kernels, int64_t rows, int64_t depth, int64_t unit = 1);

  // The rows [rows_of(tile),K] of a tile.
  void pack_tile(int64_t tile, const MatrixView& rows);
  // Terms [M,count] of all rows from `first` on, which is a multiple of the kernels' group; behind the last number
  // kSlack more can be read. Factors aren't bytes.
  void pack_terms(int64_t first, const MatrixView& terms);

  ProductKernels::Lines at(int64_t tile, int64_t group) const;

 private:
  const ProductKernels* kernels_;
  PackedLines lines_;
};

// The right factor [K,N] of products, laid out in panels of columns for the kernels. Safe to share between threads.
class PackedMatrix {
 public:
  PackedMatrix(const ProductKernels& kernels, const MatrixView& matrix);

  // out [M,N] = start + left [M,K] matrix, out's rows contiguous and out_stride apart. start [M,N] has the same form
  // and may be out itself, or one row for all with a stride of 0, or nothing (null). `left` is packed by the same
  // kernels. Runs on several threads.
  void multiply(const PackedRows& left, float* out, int64_t out_stride, const float* start, int64_t start_stride) const;
  void multiply(const MatrixView& left, float* out, int64_t out_stride, const float* start, int64_t start_stride) const;

 private:
  void multiply_block(const PackedRows& left, int64_t first_tile, int64_t end_tile, int64_t panel, float* out,
                      int64_t out_stride, const float* start, int64_t start_stride) const;

  const ProductKernels* kernels_;
  int64_t columns_;     // N
  PackedLines panels_;  // of panel_columns lines each
};

}  // namespace nmt
