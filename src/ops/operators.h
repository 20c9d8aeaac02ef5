#pragma once

#include <torch/types.h>

namespace nmt {

// What this folder has kernels for are PyTorch operators of the library `nmt`, so that each device's implementation is
// found by the dispatcher: the CPU's is part of libnmt_torch.so, CUDA's (ops/cuda/) is a library of its own. Calls are
// one for a whole sequence, batch or step of a search; backward passes are ours, above the operators. Everywhere else
// the plain form by LibTorch's operators runs, which is the reference.

// True where the device has an implementation of its own of "nmt::<name>".
bool has_operator(const char* name, const torch::Device& device);

}  // namespace nmt
