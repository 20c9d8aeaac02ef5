#pragma once

#include <torch/types.h>

#include <cstdint>

namespace nmt {

// Seeds the random streams of the CPU and of every GPU in use.
void seed_random(uint64_t seed);

// The state of the random stream that tensor operations on `device` draw from, as bytes ([n] uint8 on the CPU), and
// its way back. Restoring a state that isn't one throws ModelError.
torch::Tensor random_state(const torch::Device& device);
void set_random_state(const torch::Device& device, const torch::Tensor& state);

}  // namespace nmt
