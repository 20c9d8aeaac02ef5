#include "ops/packed_matrix.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <array>

#include "ops/product_tiles.h"

namespace nmt {

namespace {

constexpr int64_t kColumnsPerTask = 256;  // of packing

using Side = ProductKernels::Side;

int64_t padded(int64_t columns, int64_t width) { return divided_up(columns, width) * width; }

MatrixView rows_from(const MatrixView& matrix, int64_t first, int64_t count) {
  return {matrix.data + first * matrix.row_stride, count, matrix.columns, matrix.row_stride, matrix.column_stride};
}

}  // namespace

PackedLines::PackedLines(const ProductKernels& kernels, int64_t lines, int64_t depth, Side side)
    : groups_(divided_up(depth, kernels.group)),
      memory_(at::empty({lines * groups_}, at::kInt)),
      data_(memory_.mutable_data_ptr<int32_t>()) {
  if (!kernels.has_scales) return;
  scales_.resize(static_cast<size_t>(lines));
  if (side == Side::kRight) offsets_.resize(static_cast<size_t>(lines));
}

ProductKernels::Lines PackedLines::at(int64_t first, int64_t count, int64_t group) const {
  ProductKernels::Lines lines = {data_ + first * groups_ + group * count};
  if (!scales_.empty()) lines.scales = scales_.data() + first;
  if (!offsets_.empty()) lines.offsets = offsets_.data() + first;
  return lines;
}

ProductKernels::Destination PackedLines::destination(int64_t first, int64_t count, int64_t group) {
  ProductKernels::Destination lines = {data_ + first * groups_ + group * count};
  if (!scales_.empty()) lines.scales = scales_.data() + first;
  if (!offsets_.empty()) lines.offsets = offsets_.data() + first;
  return lines;
}

PackedRows::PackedRows(const ProductKernels& kernels, int64_t rows, int64_t depth, int64_t unit)
    : RowTiles(rows, kernels.tile_rows, unit), kernels_(&kernels), lines_(kernels, rows, depth, Side::kLeft) {}

PackedRows::PackedRows(const ProductKernels& kernels, const MatrixView& left)
    : PackedRows(kernels, left.rows, left.columns) {
  for_each([&](int64_t tile) { pack_tile(tile, rows_from(left, first_row(tile), rows_of(tile))); });
}

void PackedRows::pack_tile(int64_t tile, const MatrixView& rows) {
  kernels_->pack(Side::kLeft, {rows.data, rows.row_stride, rows.column_stride, rows.rows, rows.columns}, rows.rows,
                 lines_.destination(first_row(tile), rows.rows, 0));
}

void PackedRows::pack_terms(int64_t first, const MatrixView& terms) {
  for (int64_t tile = 0; tile < count(); ++tile) {
    const MatrixView rows = rows_from(terms, first_row(tile), rows_of(tile));
    kernels_->pack(Side::kLeft,
                   {rows.data, rows.row_stride, rows.column_stride, rows.rows, rows.columns, /*has_slack=*/true},
                   rows.rows, lines_.destination(first_row(tile), rows.rows, first / kernels_->group));
  }
}

ProductKernels::Lines PackedRows::at(int64_t tile, int64_t group) const {
  return lines_.at(first_row(tile), rows_of(tile), group);
}

PackedMatrix::PackedMatrix(const ProductKernels& kernels, const MatrixView& matrix)
    : kernels_(&kernels),
      columns_(matrix.columns),
      panels_(kernels, padded(columns_, kernels.panel_columns), matrix.rows, Side::kRight) {
  const int64_t width = kernels.panel_columns;
  at::parallel_for(0, divided_up(columns_, width), kColumnsPerTask / width, [&](int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; ++panel) {
      const int64_t column = panel * width;
      kernels.pack(Side::kRight,
                   {matrix.data + column * matrix.column_stride, matrix.column_stride, matrix.row_stride,
                    std::min(width, columns_ - column), matrix.rows},
                   width, panels_.destination(column, width, 0));
    }
  });
}

void PackedMatrix::multiply(const MatrixView& left, float* out, int64_t out_stride, const float* start,
                            int64_t start_stride) const {
  if (left.rows > 0) multiply(PackedRows(*kernels_, left), out, out_stride, start, start_stride);
}

void PackedMatrix::multiply(const PackedRows& left, float* out, int64_t out_stride, const float* start,
                            int64_t start_stride) const {
  left.for_each_block(divided_up(columns_, kernels_->panel_columns), [&](int64_t first, int64_t end, int64_t panel) {
    multiply_block(left, first, end, panel, out, out_stride, start, start_stride);
  });
}

// The columns of one panel for some tiles.
void PackedMatrix::multiply_block(const PackedRows& left, int64_t first_tile, int64_t end_tile, int64_t panel,
                                  float* out, int64_t out_stride, const float* start, int64_t start_stride) const {
  const int64_t width = kernels_->panel_columns;
  const int64_t column = panel * width;
  const int64_t columns = std::min(width, columns_ - column);
  std::array<float, ProductKernels::kMostTileRows * ProductKernels::kMostPanelColumns> edge;
  const int64_t all = panels_.groups(), block = kernels_->groups_per_block;
  const int64_t blocks = std::max<int64_t>(1, divided_up(all, block));  // without terms what is started from is written
  for (int64_t i = 0; i < blocks; ++i) {
    const int64_t group = i * block;
    const int64_t groups = std::min(block, all - group);
    const auto right = panels_.at(column, width, group);
    for (int64_t tile = first_tile; tile < end_tile; ++tile) {
      const int64_t row = left.first_row(tile), rows = left.rows_of(tile);
      float* to = out + row * out_stride + column;
      const float* from = group > 0 ? to : start == nullptr ? nullptr : start + row * start_stride + column;
      const int64_t from_stride = group > 0 ? out_stride : start_stride;
      const auto run = kernels_->tiles[static_cast<size_t>(rows - 1)];
      if (columns == width) {
        run(left.at(tile, group), right, groups, to, out_stride, from, from_stride);
        continue;
      }
      edge.fill(0);
      if (from != nullptr) copy_rows(from, from_stride, edge.data(), width, rows, columns);
      run(left.at(tile, group), right, groups, edge.data(), width, edge.data(), width);
      copy_rows(edge.data(), width, to, out_stride, rows, columns);
    }
  }
}

}  // namespace nmt
