#include "ops/right_factor.h"

#include <ATen/ATen.h>

#include "tensor/shape.h"

namespace nmt {

namespace {

torch::Tensor rounded(const torch::Tensor& factor, Precision precision) {
  return precision == Precision::kBfloat16 ? factor.to(torch::kBFloat16) : factor;
}

MatrixView view_of(const torch::Tensor& matrix) {
  return {matrix.const_data_ptr<float>(), matrix.size(0), matrix.size(1), matrix.stride(0), matrix.stride(1)};
}

}  // namespace

RightFactor::RightFactor(const torch::Tensor& matrix, Precision precision)
    : precision_(precision), rows_(matrix.size(0)), columns_(matrix.size(1)) {
  if (const auto* kernels = own_kernels(matrix, precision)) {
    packed_.emplace(*kernels, view_of(matrix));
  } else if (precision == Precision::kInt8) {
    library_ = std::make_shared<const LibraryInt8>(matrix);
  } else {
    matrix_ = rounded(matrix, precision);
  }
}

const ProductKernels* RightFactor::own_kernels(const torch::Tensor& matrix, Precision precision) {
  const bool is_plain = matrix.is_cpu() && matrix.scalar_type() == torch::kFloat32;
  return is_plain ? product_kernels(precision) : nullptr;
}

torch::Tensor RightFactor::product(const torch::Tensor& left, const torch::Tensor& start) const {
  auto out = at::empty({left.size(0), columns_}, left.options());
  product_out(out, start, left);
  return out;
}

void RightFactor::product_out(torch::Tensor out, const torch::Tensor& start, const torch::Tensor& left) const {
  if (packed_) {
    check_shape(left, {-1, rows_}, "left factor");
    check_shape(out, {left.size(0), columns_}, "product");
    multiply_packed(view_of(left), out, start);
  } else if (precision_ == Precision::kFloat32) {
    if (start.defined()) {
      at::addmm_out(out, start, left, matrix_);
    } else {
      at::mm_out(out, left, matrix_);
    }
  } else {
    const auto sums = library_ ? library_->product(left) : at::mm(rounded(left, precision_), matrix_);
    if (start.defined()) {
      at::add_out(out, sums, start);
    } else {
      out.copy_(sums);
    }
  }
}

void RightFactor::product_out(torch::Tensor out, const torch::Tensor& start, const PackedRows& left) const {
  TORCH_CHECK(packed_, "a factor that LibTorch multiplies with a packed one");
  multiply_packed(left, out, start);
}

template <class Left>
void RightFactor::multiply_packed(const Left& left, torch::Tensor& out, const torch::Tensor& start) const {
  const bool has_rows = start.defined() && start.dim() == 2 && start.size(0) != 1;
  if (has_rows) check_shape(start, {out.size(0), columns_}, "start of a product");
  const bool contiguous = out.stride(1) == 1 && (!start.defined() || start.stride(-1) == 1);
  TORCH_CHECK(columns_ == 1 || contiguous, "rows of a product aren't contiguous");
  TORCH_CHECK(!start.defined() || start.size(-1) == columns_, "the start of a product has another size");
  packed_->multiply(left, out.mutable_data_ptr<float>(), out.stride(0),
                    start.defined() ? start.const_data_ptr<float>() : nullptr, has_rows ? start.stride(0) : 0);
}

torch::Tensor matrix_product(const torch::Tensor& left, const torch::Tensor& right, Precision precision) {
  return RightFactor(right, precision).product(left);
}

}  // namespace nmt
