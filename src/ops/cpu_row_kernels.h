#pragma once

#include "ops/row_kernels.h"

namespace nmt {

// By the loops of ops/kernels.h, rows shared out between LibTorch's threads.
class CpuRowKernels : public RowKernels {
 public:
  void attend(const AttentionMemoryView& memory, const QueryRows& rows, float* weights, float* contexts) const override;
  void attend_backward(const AttentionMemoryView& memory, const QueryRows& rows, const float* weights,
                       const AttentionRowGradients& gradients) const override;
  void gru(const GruRows& rows, const float* input_gates, float* next, float* gates) const override;
  void gru_backward(const GruRows& rows, const float* gates, const GruRowGradients& gradients) const override;
  void loss_rows(const LossRows& rows, bool to_gradient, double* losses) const override;
};

}  // namespace nmt
