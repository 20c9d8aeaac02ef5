#pragma once

#include <cuda_runtime.h>

#include <string>

#include "base/error.h"

namespace nmt {

// Starts a kernel with `blocks` blocks of `threads` threads on `stream` (a cudaStream_t).
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 blocks, unsigned threads, void* stream, const Arguments&... arguments) {
  kernel<<<blocks, threads, 0, static_cast<cudaStream_t>(stream)>>>(arguments...);
  const cudaError_t code = cudaGetLastError();
  if (code != cudaSuccess)
    throw InternalError(std::string("A CUDA kernel can't be started: ") + cudaGetErrorString(code));
}

}  // namespace nmt
