#pragma once

#include <torch/types.h>

namespace nmt {

// The tensor on the device. From the CPU to a GPU it goes through page-locked memory, so that neither side waits: the
// copy runs when the GPU comes to it, in order with what it was given before.
torch::Tensor moved_to(const torch::Tensor& tensor, const torch::Device& device);

}  // namespace nmt
