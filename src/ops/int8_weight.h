#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>

namespace nmt {

// A weight [N,K] rounded to 8 bits with a scale for each output, made ready for products without gradients. Inputs are
// rounded to 8 bits with a scale for each row, so that a row's product doesn't depend on what stands beside it; sums
// are exact. By our own kernels where the processor has them (ops/int8_kernels.h), else by FBGEMM. Safe to share
// between threads.
class Int8Weight {
 public:
  explicit Int8Weight(const torch::Tensor& weight);
  ~Int8Weight();

  torch::Tensor product(const torch::Tensor& input, const torch::Tensor& bias) const;  // [M,K] -> [M,N] float32

 private:
  class Products;
  class OwnProducts;
  class LibraryProducts;

  std::unique_ptr<const Products> products_;
};

// Whether this processor has our own kernels, or FBGEMM runs on it.
bool has_int8_products();

}  // namespace nmt
