#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "ops/cuda/row_kernels.h"
#include "ops/device_operators.h"

namespace nmt {

namespace {

// On the tensors' GPU and the stream that LibTorch's own operators use there. By LibTorch's device-neutral functions,
// so that this library needs of CUDA nothing but its runtime.
class CudaKernels : public CudaRowKernels {
 public:
  explicit CudaKernels(const torch::Device& device) : CudaRowKernels(stream_of(device)), guard_(device) {}

  // losses [M,2] -> totals [2] +=
  static void add_losses(torch::Tensor& totals, const torch::Tensor& losses) { totals.add_(losses.sum(0)); }

 private:
  static void* stream_of(const torch::Device& device) {
    return c10::impl::VirtualGuardImpl(device.type()).getStream(device).native_handle();
  }

  c10::DeviceGuard guard_;
};

}  // namespace

TORCH_LIBRARY_IMPL(nmt, CUDA, library) { DeviceOperators<CudaKernels>::register_in(library); }

}  // namespace nmt
