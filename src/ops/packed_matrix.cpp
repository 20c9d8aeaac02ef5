#include "ops/packed_matrix.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <array>

#include "ops/product_tiles.h"

namespace nmt {

namespace {

constexpr int64_t kGroupsPerBlock = 1024;
constexpr int64_t kColumnsPerTask = 256;  // of packing

torch::Tensor groups_memory(int64_t count) { return at::empty({count}, at::kInt); }

int32_t* groups_of(torch::Tensor& memory) { return memory.mutable_data_ptr<int32_t>(); }
const int32_t* groups_of(const torch::Tensor& memory) { return memory.const_data_ptr<int32_t>(); }

}  // namespace

// The left factor in tiles, each packed for itself.
class PackedMatrix::LeftTiles : public RowTiles {
 public:
  LeftTiles(const ProductKernels& kernels, const MatrixView& left)
      : RowTiles(left.rows, kernels.tile_rows),
        groups_(divided_up(left.columns, kernels.group)),
        memory_(groups_memory(left.rows * groups_)) {
    for_each([&](int64_t tile) {
      const int64_t row = first_row(tile), rows = rows_of(tile);
      kernels.pack(left.data + row * left.row_stride, left.row_stride, left.column_stride, rows, rows, left.columns,
                   groups_of(memory_) + row * groups_);
    });
  }

  const void* at(int64_t tile, int64_t group) const {
    return groups_of(memory_) + first_row(tile) * groups_ + group * rows_of(tile);
  }

 private:
  int64_t groups_;
  torch::Tensor memory_;  // [M * groups]
};

PackedMatrix::PackedMatrix(const ProductKernels& kernels, const MatrixView& matrix)
    : kernels_(&kernels),
      columns_(matrix.columns),
      groups_(divided_up(matrix.rows, kernels.group)),
      panels_(groups_memory(divided_up(columns_, kernels.panel_columns) * groups_ * kernels.panel_columns)) {
  const int64_t width = kernels.panel_columns;
  at::parallel_for(0, divided_up(columns_, width), kColumnsPerTask / width, [&](int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; ++panel) {
      const int64_t column = panel * width;
      kernels.pack(matrix.data + column * matrix.column_stride, matrix.column_stride, matrix.row_stride,
                   std::min(width, columns_ - column), width, matrix.rows, groups_of(panels_) + column * groups_);
    }
  });
}

const void* PackedMatrix::at(int64_t panel, int64_t group) const {
  return groups_of(panels_) + (panel * groups_ + group) * kernels_->panel_columns;
}

void PackedMatrix::multiply(const MatrixView& left, float* out, int64_t out_stride, const float* start,
                            int64_t start_stride) const {
  if (left.rows == 0 || columns_ == 0) return;
  const LeftTiles tiles(*kernels_, left);
  tiles.for_each_block(divided_up(columns_, kernels_->panel_columns), [&](int64_t first, int64_t end, int64_t panel) {
    multiply_block(tiles, first, end, panel, out, out_stride, start, start_stride);
  });
}

// The columns of one panel for some tiles.
void PackedMatrix::multiply_block(const LeftTiles& left, int64_t first_tile, int64_t end_tile, int64_t panel,
                                  float* out, int64_t out_stride, const float* start, int64_t start_stride) const {
  const int64_t width = kernels_->panel_columns;
  const int64_t column = panel * width;
  const int64_t columns = std::min(width, columns_ - column);
  std::array<float, ProductKernels::kMostTileRows * ProductKernels::kMostPanelColumns> edge;
  for (int64_t group = 0; group == 0 || group < groups_; group += kGroupsPerBlock) {
    const int64_t groups = std::min(kGroupsPerBlock, groups_ - group);
    for (int64_t tile = first_tile; tile < end_tile; ++tile) {
      const int64_t row = left.first_row(tile), rows = left.rows_of(tile);
      float* to = out + row * out_stride + column;
      const float* from = group > 0 ? to : start == nullptr ? nullptr : start + row * start_stride + column;
      const int64_t from_stride = group > 0 ? out_stride : start_stride;
      const auto run = kernels_->tiles[static_cast<size_t>(rows - 1)];
      if (columns == width) {
        run(left.at(tile, group), at(panel, group), groups, to, out_stride, from, from_stride);
        continue;
      }
      edge.fill(0);
      if (from != nullptr) copy_rows(from, from_stride, edge.data(), width, rows, columns);
      run(left.at(tile, group), at(panel, group), groups, edge.data(), width, edge.data(), width);
      copy_rows(edge.data(), width, to, out_stride, rows, columns);
    }
  }
}

}  // namespace nmt
