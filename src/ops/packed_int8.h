#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "ops/int8_kernels.h"

namespace nmt {

// The weight of an Int8Weight (ops/int8_weight.h), laid out in panels of outputs for our own kernels. Safe to share
// between threads.
class PackedInt8 {
 public:
  // weight [N,K] contiguous, bias [N] or undefined
  PackedInt8(const Int8Kernels& kernels, const torch::Tensor& weight, const torch::Tensor& bias);

  torch::Tensor product(const torch::Tensor& input) const;  // [M,K] -> [M,N]

 private:
  class LeftTiles;

  void multiply_block(const LeftTiles& left, int64_t first_tile, int64_t end_tile, int64_t panel, float* out) const;

  const Int8Kernels* kernels_;
  int64_t outputs_, depth_, groups_, panels_;
  std::vector<float> scales_;     // [panels * panel_columns]
  std::vector<int32_t> offsets_;  // [panels * panel_columns]
  std::vector<float> bias_;       // [panels * panel_columns]
  torch::Tensor memory_;          // [panels, groups, panel_columns] of 4 bytes
};

}  // namespace nmt
