#include "tensor/transfer.h"

namespace nmt {

torch::Tensor moved_to(const torch::Tensor& tensor, const torch::Device& device) {
  if (tensor.device() == device) return tensor;
  if (!device.is_cuda() || !tensor.is_cpu()) return tensor.to(device);
  return (tensor.is_pinned() ? tensor : tensor.pin_memory()).to(device, /*non_blocking=*/true);
}

}  // namespace nmt
