#pragma once

#include "ops/row_kernels.h"

namespace nmt {

// On the current GPU, in order with what else `stream` (a cudaStream_t) gets; nothing waits for it. Throws
// InternalError where a kernel can't be started.
class CudaRowKernels : public RowKernels {
 public:
  explicit CudaRowKernels(void* stream) : stream_(stream) {}

  void attend(const AttentionMemoryView& memory, const QueryRows& rows, float* weights, float* contexts) const override;
  void attend_backward(const AttentionMemoryView& memory, const QueryRows& rows, const float* weights,
                       const AttentionRowGradients& gradients) const override;
  void gru(const GruRows& rows, const float* input_gates, float* next, float* gates) const override;
  void gru_backward(const GruRows& rows, const float* gates, const GruRowGradients& gradients) const override;
  void loss_rows(const LossRows& rows, bool to_gradient, double* losses) const override;

 private:
  void* stream_;
};

}  // namespace nmt
