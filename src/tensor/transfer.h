#pragma once

#include <c10/core/Event.h>
#include <torch/types.h>

#include <memory>

namespace nmt {

// The tensor on the device. From the CPU to a GPU it goes through page-locked memory, so that neither side waits: the
// copy runs when the GPU comes to it, in order with what it was given before.
torch::Tensor moved_to(const torch::Tensor& tensor, const torch::Device& device);

// A small tensor on its way to the CPU. Making one doesn't wait; values() waits until it is there.
class Readback {
 public:
  explicit Readback(const torch::Tensor& tensor);

  const torch::Tensor& values() const;  // on the CPU

 private:
  torch::Tensor values_;
  std::shared_ptr<c10::Event> there_;  // null where the tensor was on the CPU
};

}  // namespace nmt
