#include "ops/packed_int8.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>

#include "ops/product_tiles.h"
#include "tensor/shape.h"

namespace nmt {

namespace {

constexpr int64_t kGroup = 4;  // terms

}  // namespace

// The left factor in tiles, each packed for itself.
class PackedInt8::LeftTiles : public RowTiles {
 public:
  LeftTiles(const Int8Kernels& kernels, const torch::Tensor& input, int64_t groups)
      : RowTiles(input.size(0), kernels.tile_rows),
        groups_(groups),
        memory_(at::empty({input.size(0) * groups}, at::kInt)),
        scales_(static_cast<size_t>(input.size(0))) {
    const int64_t depth = input.size(1);
    for_each([&](int64_t tile) {
      const int64_t row = first_row(tile), rows = rows_of(tile);
      auto* to = memory_.mutable_data_ptr<int32_t>() + row * groups_;
      for (int64_t i = 0; i < rows; ++i) {
        scales_[static_cast<size_t>(row + i)] =
            kernels.pack(input.const_data_ptr<float>() + (row + i) * depth, depth, 128, rows, to + i);
      }
    });
  }

  const void* at(int64_t tile) const { return memory_.const_data_ptr<int32_t>() + first_row(tile) * groups_; }
  const float* scales_at(int64_t tile) const { return scales_.data() + first_row(tile); }

 private:
  int64_t groups_;
  torch::Tensor memory_;       // [M * groups] of 4 bytes
  std::vector<float> scales_;  // [M]
};

PackedInt8::PackedInt8(const Int8Kernels& kernels, const torch::Tensor& weight, const torch::Tensor& bias)
    : kernels_(&kernels),
      outputs_(weight.size(0)),
      depth_(weight.size(1)),
      groups_(divided_up(depth_, kGroup)),
      panels_(divided_up(outputs_, kernels.panel_columns)),
      scales_(static_cast<size_t>(panels_ * kernels.panel_columns)),
      offsets_(scales_.size()),
      bias_(scales_.size()),
      memory_(at::zeros({panels_ * groups_ * kernels.panel_columns}, at::kInt)) {
  const int64_t width = kernels.panel_columns;
  for (int64_t n = 0; n < outputs_; ++n) {
    auto* panel = memory_.mutable_data_ptr<int32_t>() + n / width * groups_ * width + n % width;
    const auto at = static_cast<size_t>(n);
    scales_[at] = kernels.pack(weight.const_data_ptr<float>() + n * depth_, depth_, 0, width, panel);
    for (int64_t k = 0; k < groups_; ++k) {
      const auto* group = reinterpret_cast<const int8_t*>(panel + k * width);
      for (int64_t i = 0; i < kGroup; ++i) offsets_[at] += 128 * group[i];
    }
  }
  if (!bias.defined()) return;
  check_shape(bias, {outputs_}, "bias");
  const auto plain = bias.to(torch::kFloat32).contiguous();
  std::copy_n(plain.const_data_ptr<float>(), outputs_, bias_.data());
}

torch::Tensor PackedInt8::product(const torch::Tensor& input) const {
  check_shape(input, {-1, depth_}, "input");
  auto out = at::empty({input.size(0), outputs_}, input.options());
  if (out.numel() == 0) return out;
  const LeftTiles left(*kernels_, input.contiguous(), groups_);
  left.for_each_block(panels_, [&](int64_t first, int64_t end, int64_t panel) {
    multiply_block(left, first, end, panel, out.mutable_data_ptr<float>());
  });
  return out;
}

// The columns of one panel for some tiles.
void PackedInt8::multiply_block(const LeftTiles& left, int64_t first_tile, int64_t end_tile, int64_t panel,
                                float* out) const {
  const int64_t width = kernels_->panel_columns, column = panel * width;
  const int64_t columns = std::min(width, outputs_ - column);
  const Int8Kernels::Columns about = {offsets_.data() + column, scales_.data() + column, bias_.data() + column};
  const auto* right = memory_.const_data_ptr<int32_t>() + column * groups_;
  std::array<float, Int8Kernels::kMostTileRows * Int8Kernels::kMostPanelColumns> edge;
  for (int64_t tile = first_tile; tile < end_tile; ++tile) {
    const int64_t rows = left.rows_of(tile);
    const auto run = kernels_->tiles[static_cast<size_t>(rows - 1)];
    float* to = out + left.first_row(tile) * outputs_ + column;
    if (columns == width) {
      run(left.at(tile), right, groups_, left.scales_at(tile), about, to, outputs_);
    } else {
      run(left.at(tile), right, groups_, left.scales_at(tile), about, edge.data(), width);
      copy_rows(edge.data(), width, to, outputs_, rows, columns);
    }
  }
}

}  // namespace nmt
