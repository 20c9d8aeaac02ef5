#include "ops/packed_matrix.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <array>

namespace nmt {

namespace {

// A block of the left factor stays in the second level of the cache while the panels pass by: 18 tiles of 14 rows, 1024
// groups of 4 bytes deep, are 1 MB, of which a tile and a panel are in use at a time.
constexpr int64_t kTilesPerBlock = 18;
constexpr int64_t kGroupsPerBlock = 1024;
constexpr int64_t kLinesPerTask = 256;  // of packing

int64_t divided_up(int64_t count, int64_t by) { return (count + by - 1) / by; }

torch::Tensor groups_memory(int64_t count) { return at::empty({count}, at::kInt); }

int32_t* groups_of(torch::Tensor& memory) { return memory.mutable_data_ptr<int32_t>(); }
const int32_t* groups_of(const torch::Tensor& memory) { return memory.const_data_ptr<int32_t>(); }

}  // namespace

// The left factor in tiles of nearly the same number of rows, each packed for itself.
class PackedMatrix::LeftTiles {
 public:
  LeftTiles(const ProductKernels& kernels, const MatrixView& left)
      : rows_(left.rows),
        groups_(divided_up(left.columns, kernels.group)),
        count_(divided_up(left.rows, kernels.tile_rows)),
        memory_(groups_memory(rows_ * groups_)) {
    at::parallel_for(0, count_, divided_up(kLinesPerTask, kernels.tile_rows), [&](int64_t begin, int64_t end) {
      for (int64_t tile = begin; tile < end; ++tile) {
        const int64_t row = first_row(tile), rows = first_row(tile + 1) - row;
        kernels.pack(left.data + row * left.row_stride, left.row_stride, left.column_stride, rows, rows, left.columns,
                     groups_of(memory_) + row * groups_);
      }
    });
  }

  int64_t count() const { return count_; }
  int64_t first_row(int64_t tile) const { return rows_ * tile / count_; }
  const void* at(int64_t tile, int64_t group) const {
    const int64_t row = first_row(tile);
    return groups_of(memory_) + row * groups_ + group * (first_row(tile + 1) - row);
  }

 private:
  int64_t rows_, groups_, count_;
  torch::Tensor memory_;  // [M * groups]
};

PackedMatrix::PackedMatrix(const ProductKernels& kernels, const MatrixView& matrix)
    : kernels_(&kernels),
      depth_(matrix.rows),
      columns_(matrix.columns),
      groups_(divided_up(depth_, kernels.group)),
      panels_(groups_memory(divided_up(columns_, kernels.panel_columns) * groups_ * kernels.panel_columns)) {
  const int64_t width = kernels.panel_columns;
  at::parallel_for(0, divided_up(columns_, width), kLinesPerTask / width, [&](int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; ++panel) {
      const int64_t column = panel * width;
      kernels.pack(matrix.data + column * matrix.column_stride, matrix.column_stride, matrix.row_stride,
                   std::min(width, columns_ - column), width, depth_, groups_of(panels_) + column * groups_);
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
  const int64_t panels = divided_up(columns_, kernels_->panel_columns);
  const int64_t blocks = divided_up(tiles.count(), kTilesPerBlock);
  at::parallel_for(0, blocks * panels, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t block = i / panels;  // of nearly the same number of tiles, so that threads have the same to do
      const Range range = {tiles.count() * block / blocks, tiles.count() * (block + 1) / blocks};
      multiply_block(tiles, range, i % panels, out, out_stride, start, start_stride);
    }
  });
}

// The columns of one panel for some tiles.
void PackedMatrix::multiply_block(const LeftTiles& left, Range tiles, int64_t panel, float* out, int64_t out_stride,
                                  const float* start, int64_t start_stride) const {
  const int64_t width = kernels_->panel_columns;
  const int64_t column = panel * width;
  const int64_t columns = std::min(width, columns_ - column);
  std::array<float, ProductKernels::kMostTileRows * ProductKernels::kMostPanelColumns>
      edge;  // of a tile that is wider than the matrix
  for (int64_t group = 0; group == 0 || group < groups_; group += kGroupsPerBlock) {
    const int64_t groups = std::min(kGroupsPerBlock, groups_ - group);
    for (int64_t tile = tiles.begin; tile < tiles.end; ++tile) {
      const int64_t row = left.first_row(tile), rows = left.first_row(tile + 1) - row;
      float* to = out + row * out_stride + column;
      const float* from = group > 0 ? to : start == nullptr ? nullptr : start + row * start_stride + column;
      const int64_t from_stride = group > 0 ? out_stride : start_stride;
      const auto run = kernels_->tiles[static_cast<size_t>(rows - 1)];
      if (columns == width) {
        run(left.at(tile, group), at(panel, group), groups, to, out_stride, from, from_stride);
        continue;
      }
      edge.fill(0);
      for (int64_t i = 0; i < rows && from != nullptr; ++i) {
        std::copy_n(from + i * from_stride, columns, edge.data() + i * width);
      }
      run(left.at(tile, group), at(panel, group), groups, edge.data(), width, edge.data(), width);
      for (int64_t i = 0; i < rows; ++i) std::copy_n(edge.data() + i * width, columns, to + i * out_stride);
    }
  }
}

}  // namespace nmt
