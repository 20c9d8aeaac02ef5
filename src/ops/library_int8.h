#pragma once

#include <torch/types.h>

#include <memory>

namespace nmt {

// A right factor [K,N] rounded to 8 bits with a scale for each column, and products with it by FBGEMM, for processors
// without our own kernels (ops/product_kernels.h). Left factors are rounded to 8 bits (7 without VNNI) with a scale for
// each row, so that a row's product doesn't depend on what stands beside it. Safe to share between threads.
class LibraryInt8 {
 public:
  explicit LibraryInt8(const torch::Tensor& matrix);
  ~LibraryInt8();

  torch::Tensor product(const torch::Tensor& left) const;  // [M,K] -> [M,N] float32

 private:
  struct Packed;

  std::unique_ptr<const Packed> packed_;
};

// Whether FBGEMM runs on this processor.
bool library_has_int8();

}  // namespace nmt
