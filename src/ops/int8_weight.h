#pragma once

#include <torch/types.h>

#include <memory>
#include <optional>

#include "ops/packed_int8.h"

namespace nmt {

// A weight [N,K] rounded to 8 bits with a scale for each output, and its bias, made ready for products without
// gradients. Inputs are rounded to 8 bits with a scale for each row, so that a row's product doesn't depend on what
// stands beside it; sums are exact. By our own kernels where the processor has them (ops/int8_kernels.h), else by
// FBGEMM. Safe to share between threads.
class Int8Weight {
 public:
  // bias [N] or undefined
  Int8Weight(const torch::Tensor& weight, const torch::Tensor& bias);
  ~Int8Weight();

  torch::Tensor product(const torch::Tensor& input) const;  // [M,K] -> [M,N] float32

 private:
  struct OfLibrary;

  std::optional<PackedInt8> packed_;
  std::unique_ptr<const OfLibrary> of_library_;  // where it isn't packed
};

// Whether this processor has our own kernels, or FBGEMM runs on it.
bool has_int8_products();

}  // namespace nmt
