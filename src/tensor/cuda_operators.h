#pragma once

namespace nmt {

// Loads nmt's own CUDA operators (libnmt_cuda.so, beside this library) where the environment variable
// NMT_CUDA_OPERATORS is `on`; by default it is `off`, and a GPU runs LibTorch's operators only. Gives whether they are
// loaded. Throws UsageError for another word, ResourceError where they can't be loaded. tensor/device.h calls it where
// a GPU is found.
bool load_cuda_operators();

}  // namespace nmt
