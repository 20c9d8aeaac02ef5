#include "tensor/shape.h"

#include <ATen/ops/arange.h>

#include <sstream>

#include "base/error.h"
#include "tensor/transfer.h"

namespace nmt {

void check_shape(const torch::Tensor& tensor, at::IntArrayRef expected, std::string_view name) {
  bool equal = tensor.defined() && tensor.dim() == static_cast<int64_t>(expected.size());
  for (size_t i = 0; equal && i < expected.size(); ++i) {
    equal = expected[i] < 0 || tensor.size(static_cast<int64_t>(i)) == expected[i];
  }
  if (equal) return;
  std::ostringstream message;
  message << name << " must be " << expected << "; it is ";
  if (tensor.defined()) {
    message << tensor.sizes();
  } else {
    message << "undefined";
  }
  throw InternalError(message.str());
}

torch::Tensor length_mask(const torch::Tensor& lengths, int64_t longest, const torch::Device& device) {
  const auto positions = at::arange(longest, torch::TensorOptions().dtype(torch::kInt64).device(device));
  return positions.unsqueeze(0) < moved_to(lengths, device).unsqueeze(1);
}

}  // namespace nmt
