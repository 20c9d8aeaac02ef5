#pragma once

#include <torch/types.h>

#include <memory>
#include <optional>

#include "ops/library_int8.h"
#include "ops/packed_matrix.h"
#include "ops/precision.h"

namespace nmt {

// The right factor [K,N] of matrix products, made ready once for all products that it takes part in: laid out for our
// own kernels where the processor has them (ops/product_kernels.h), else rounded for LibTorch's. Left factors [M,K] are
// float32 of any strides; rows of what is written or started from are contiguous. No gradients flow through these
// products. Whether later changes of the matrix are followed is open. Safe to share between threads.
class RightFactor {
 public:
  RightFactor(const torch::Tensor& matrix, Precision precision);

  // Our own kernels where they would compute products with this matrix, else null.
  static const ProductKernels* own_kernels(const torch::Tensor& matrix, Precision precision);

  // start + left right, with start [N] or [M,N], or undefined for zero
  torch::Tensor product(const torch::Tensor& left, const torch::Tensor& start = {}) const;
  // The same into out.
  void product_out(torch::Tensor out, const torch::Tensor& start, const torch::Tensor& left) const;
  void product_out(torch::Tensor out, const torch::Tensor& start, const PackedRows& left) const;  // own kernels only
  // out += left right
  void add_product_(torch::Tensor out, const torch::Tensor& left) const { product_out(out, out, left); }

 private:
  template <class Left>
  void multiply_packed(const Left& left, torch::Tensor& out, const torch::Tensor& start) const;

  Precision precision_;
  int64_t rows_;     // K
  int64_t columns_;  // N
  std::optional<PackedMatrix> packed_;
  torch::Tensor matrix_;                        // the rounded factor, where it isn't packed
  std::shared_ptr<const LibraryInt8> library_;  // the same of kInt8
};

// left [M,K] right [K,N]
torch::Tensor matrix_product(const torch::Tensor& left, const torch::Tensor& right, Precision precision);

}  // namespace nmt
