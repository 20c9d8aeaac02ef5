#pragma once

#include <torch/types.h>

#include <string>
#include <vector>

namespace nmt {

// The device that a user's word means: "cpu"; "cuda" or "cuda:N", an error (ResourceError) that says what is missing
// where there is no such GPU; "auto", the first GPU where there is one, else the CPU. Any other word is a UsageError.
//
// The CUDA libraries are no dependency of the program: the first call looks for libtorch_cuda.so beside
// libtorch_cpu.so and opens it. That has to come before anything else asks LibTorch about CUDA, which looks once and
// keeps the answer, so every program selects its device before its first tensor.
torch::Device select_device(const std::string& word);

// Every device that tests should run on: the CPU, and the GPUs found.
std::vector<torch::Device> available_devices();

// "CPU, 2 threads (AVX-512)" or "GPU cuda:0", for the log.
std::string describe_device(const torch::Device& device);

// Threads that tensor operations use; 0 asks for one per core. Returns the number in use.
int set_threads(int count);

}  // namespace nmt
