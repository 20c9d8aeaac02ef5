#include "ops/int8_weight.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/native/quantized/PackedParams.h>

#include <algorithm>
#include <array>
#include <vector>

#include "ops/int8_kernels.h"
#include "tensor/shape.h"

namespace nmt {

namespace {

constexpr int64_t kGroup = 4;           // terms
constexpr int64_t kTilesPerBlock = 18;  // of the left factor, that stay in the cache while the panels pass by
constexpr int64_t kMostColumns = Int8Kernels::kMostPanelColumns;

int64_t divided_up(int64_t count, int64_t by) { return (count + by - 1) / by; }

bool has_dot_products() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512vnni");
#else
  return false;
#endif
}

}  // namespace

class Int8Weight::Products {
 public:
  virtual ~Products() = default;
  virtual torch::Tensor product(const torch::Tensor& input, const torch::Tensor& bias) const = 0;
};

class Int8Weight::OwnProducts : public Products {
 public:
  OwnProducts(const Int8Kernels& kernels, const torch::Tensor& weight)
      : kernels_(kernels),
        outputs_(weight.size(0)),
        depth_(weight.size(1)),
        groups_(divided_up(depth_, kGroup)),
        panels_(divided_up(outputs_, kernels.panel_columns)),
        scales_(static_cast<size_t>(panels_ * kernels.panel_columns)),
        offsets_(scales_.size()),
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
  }

  torch::Tensor product(const torch::Tensor& input, const torch::Tensor& bias) const override {
    check_shape(input, {-1, depth_}, "input");
    const auto rows = input.contiguous();
    auto out = at::empty({rows.size(0), outputs_}, rows.options());
    if (out.numel() == 0) return out;
    const Left left = packed(rows);
    const auto padded_bias = at::zeros({panels_ * kernels_.panel_columns}, rows.options());
    if (bias.defined()) padded_bias.narrow(0, 0, outputs_).copy_(bias);
    const int64_t blocks = divided_up(left.tiles, kTilesPerBlock);
    at::parallel_for(0, blocks * panels_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t block = i / panels_;  // of nearly the same number of tiles, so that threads have the same to do
        multiply(left, left.tiles * block / blocks, left.tiles * (block + 1) / blocks, i % panels_,
                 padded_bias.const_data_ptr<float>(), out.mutable_data_ptr<float>());
      }
    });
    return out;
  }

 private:
  // The left factor in tiles of nearly the same number of rows.
  struct Left {
    int64_t rows, tiles;
    torch::Tensor memory;       // [M * groups] of 4 bytes
    std::vector<float> scales;  // [M]

    int64_t first_row(int64_t tile) const { return rows * tile / tiles; }
  };

  Left packed(const torch::Tensor& rows) const {
    const int64_t count = rows.size(0);
    Left left = {count, divided_up(count, kernels_.tile_rows), at::empty({count * groups_}, at::kInt),
                 std::vector<float>(static_cast<size_t>(count))};
    at::parallel_for(0, left.tiles, kTilesPerBlock, [&](int64_t begin, int64_t end) {
      for (int64_t tile = begin; tile < end; ++tile) {
        const int64_t first = left.first_row(tile), size = left.first_row(tile + 1) - first;
        auto* to = left.memory.mutable_data_ptr<int32_t>() + first * groups_;
        for (int64_t i = 0; i < size; ++i) {
          left.scales[static_cast<size_t>(first + i)] =
              kernels_.pack(rows.const_data_ptr<float>() + (first + i) * depth_, depth_, 128, size, to + i);
        }
      }
    });
    return left;
  }

  // The columns of one panel for some tiles.
  void multiply(const Left& left, int64_t first_tile, int64_t end_tile, int64_t panel, const float* bias,
                float* out) const {
    const int64_t width = kernels_.panel_columns, column = panel * width;
    const int64_t columns = std::min(width, outputs_ - column);
    const Int8Kernels::Columns about = {offsets_.data() + column, scales_.data() + column, bias + column};
    const auto* right = memory_.const_data_ptr<int32_t>() + column * groups_;
    std::array<float, Int8Kernels::kMostTileRows * kMostColumns> edge;  // of a tile that is wider than the matrix
    for (int64_t tile = first_tile; tile < end_tile; ++tile) {
      const int64_t row = left.first_row(tile), rows = left.first_row(tile + 1) - row;
      const auto run = kernels_.tiles[static_cast<size_t>(rows - 1)];
      const auto* tile_groups = left.memory.const_data_ptr<int32_t>() + row * groups_;
      float* to = out + row * outputs_ + column;
      if (columns == width) {
        run(tile_groups, right, groups_, left.scales.data() + row, about, to, outputs_);
        continue;
      }
      run(tile_groups, right, groups_, left.scales.data() + row, about, edge.data(), width);
      for (int64_t i = 0; i < rows; ++i) std::copy_n(edge.data() + i * width, columns, to + i * outputs_);
    }
  }

  const Int8Kernels& kernels_;
  int64_t outputs_, depth_, groups_, panels_;
  std::vector<float> scales_;     // [panels * panel_columns]
  std::vector<int32_t> offsets_;  // [panels * panel_columns]
  torch::Tensor memory_;          // [panels, groups, panel_columns] of 4 bytes
};

class Int8Weight::LibraryProducts : public Products {
 public:
  explicit LibraryProducts(const torch::Tensor& weight) {
    at::globalContext().setQEngine(at::QEngine::FBGEMM);
    const auto scales = weight.abs().amax(1).clamp_min(1e-30).to(torch::kFloat64) / 127;
    const auto zeros = at::zeros({weight.size(0)}, at::kLong);
    // LibTorch has no C++ function for FBGEMM's form of a weight; the operator is called by name.
    std::vector<c10::IValue> stack = {at::quantize_per_channel(weight, scales, zeros, 0, at::kQInt8), c10::IValue()};
    c10::Dispatcher::singleton().findSchemaOrThrow("quantized::linear_prepack", "").callBoxed(stack);
    weight_ = stack.front().toCustomClass<LinearPackedParamsBase>();
  }

  torch::Tensor product(const torch::Tensor& input, const torch::Tensor& bias) const override {
    // Without dot-product instructions sums of two products saturate at 16 bits, which 7-bit inputs can't reach.
    const int64_t levels = has_dot_products() ? 127 : 63;
    const auto ranges = input.abs().amax(1, /*keepdim=*/true).clamp_min(1e-30);  // [M,1]
    const auto out = weight_->apply_with_input_q_dq_qweight_dq_output_fp32((input / ranges).contiguous(),
                                                                           1 / static_cast<double>(levels), levels + 1);
    return bias.defined() ? at::addcmul(bias, out, ranges) : out * ranges;
  }

 private:
  c10::intrusive_ptr<LinearPackedParamsBase> weight_;
};

Int8Weight::Int8Weight(const torch::Tensor& weight) {
  const auto plain = weight.detach().contiguous();
  if (const auto* kernels = int8_kernels()) {
    products_ = std::make_unique<OwnProducts>(*kernels, plain);
  } else {
    products_ = std::make_unique<LibraryProducts>(plain);
  }
}

Int8Weight::~Int8Weight() = default;

torch::Tensor Int8Weight::product(const torch::Tensor& input, const torch::Tensor& bias) const {
  return products_->product(input, bias);
}

bool has_int8_products() {
  if (int8_kernels() != nullptr) return true;
  const auto& engines = at::Context::supportedQEngines();
  return std::find(engines.begin(), engines.end(), at::QEngine::FBGEMM) != engines.end();
}

}  // namespace nmt
