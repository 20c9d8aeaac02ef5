#include "tensor/transfer.h"

#include <c10/core/impl/VirtualGuardImpl.h>

namespace nmt {

torch::Tensor moved_to(const torch::Tensor& tensor, const torch::Device& device) {
  if (tensor.device() == device) return tensor;
  if (!device.is_cuda() || !tensor.is_cpu()) return tensor.to(device);
  return (tensor.is_pinned() ? tensor : tensor.pin_memory()).to(device, /*non_blocking=*/true);
}

Readback::Readback(const torch::Tensor& tensor) : values_(tensor.detach()) {
  if (tensor.is_cpu()) return;
  values_ = torch::empty(tensor.sizes(), tensor.options().device(torch::kCPU).pinned_memory(true));
  values_.copy_(tensor, /*non_blocking=*/true);
  there_ = std::make_shared<c10::Event>(tensor.device().type());
  there_->record(c10::impl::VirtualGuardImpl(tensor.device().type()).getStream(tensor.device()));
}

const torch::Tensor& Readback::values() const {
  if (there_) there_->synchronize();
  return values_;
}

}  // namespace nmt
