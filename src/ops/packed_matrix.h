#pragma once

#include <torch/types.h>

#include <cstdint>

#include "ops/product_kernels.h"

namespace nmt {

// A matrix [R,C] of float32 on the CPU, of any strides, that somebody else holds.
struct MatrixView {
  const float* data;
  int64_t rows, columns;
  int64_t row_stride, column_stride;
};

// The right factor [K,N] of products, laid out in panels of columns for the kernels. Safe to share between threads.
class PackedMatrix {
 public:
  PackedMatrix(const ProductKernels& kernels, const MatrixView& matrix);

  // out [M,N] = start + left [M,K] matrix, out's rows contiguous and out_stride apart. start [M,N] has the same form
  // and may be out itself, or one row for all with a stride of 0, or nothing (null). Runs on several threads.
  void multiply(const MatrixView& left, float* out, int64_t out_stride, const float* start, int64_t start_stride) const;

 private:
  class LeftTiles;

  const void* at(int64_t panel, int64_t group) const;
  void multiply_block(const LeftTiles& left, int64_t first_tile, int64_t end_tile, int64_t panel, float* out,
                      int64_t out_stride, const float* start, int64_t start_stride) const;

  const ProductKernels* kernels_;
  int64_t columns_;       // N
  int64_t groups_;        // of a column
  torch::Tensor panels_;  // [panels, groups, panel_columns] of 4 bytes
};

}  // namespace nmt
