#include "ops/cpu_row_kernels.h"
#include "ops/device_operators.h"

namespace nmt {

namespace {

class CpuKernels : public CpuRowKernels {
 public:
  explicit CpuKernels(const torch::Device&) {}

  // losses [M,2] -> totals [2] +=, in the order of the rows
  static void add_losses(torch::Tensor& totals, const torch::Tensor& losses) {
    auto* const total = totals.data_ptr<double>();
    const auto* const loss = losses.const_data_ptr<double>();
    for (int64_t i = 0; i < losses.numel(); ++i) total[i % 2] += loss[i];
  }
};

}  // namespace

TORCH_LIBRARY_IMPL(nmt, CPU, library) { DeviceOperators<CpuKernels>::register_in(library); }

}  // namespace nmt
