#include "ops/cpu_row_kernels.h"

#include <ATen/Parallel.h>

#include <vector>

#include "ops/kernels.h"

namespace nmt {

namespace {

AttentionRow row_of(const AttentionMemoryView& memory, int64_t sentence, const float* query) {
  return {query,
          memory.keys + sentence * memory.source * memory.attention_dim,
          memory.values + sentence * memory.source * memory.value_dim,
          memory.score,
          memory.lengths[sentence],
          memory.source,
          memory.attention_dim,
          memory.value_dim,
          memory.scale,
          memory.with_tanh};
}

// Calls `work(i)` for every row, at least `grain` rows to a thread.
template <class Work>
void for_rows(int64_t count, int64_t grain, Work work) {
  at::parallel_for(0, count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) work(i);
  });
}

}  // namespace

void CpuRowKernels::attend(const AttentionMemoryView& memory, const QueryRows& rows, float* weights,
                           float* contexts) const {
  for_rows(rows.count, 1, [&](int64_t n) {
    kernels().attend(row_of(memory, rows.sentences == nullptr ? n : rows.sentences[n], rows.query + n * rows.stride),
                     weights + n * memory.source, contexts + n * memory.value_dim);
  });
}

void CpuRowKernels::attend_backward(const AttentionMemoryView& memory, const QueryRows& rows, const float* weights,
                                    const AttentionRowGradients& gradients) const {
  const int64_t a = memory.attention_dim;
  at::parallel_for(0, rows.count, 1, [&](int64_t begin, int64_t end) {
    std::vector<float> score_gradient(static_cast<size_t>(a));
    for (int64_t b = begin; b < end; ++b) {
      kernels().attend_backward(row_of(memory, b, rows.query + b * rows.stride), weights + b * memory.source,
                                gradients.context + b * memory.value_dim, gradients.query + b * rows.stride,
                                gradients.keys + b * memory.source * a, score_gradient.data(),
                                gradients.scratch + b * memory.source);
      float* const sum = gradients.score + b * a;
      for (int64_t i = 0; i < a; ++i) sum[i] += score_gradient[static_cast<size_t>(i)];
    }
  });
}

void CpuRowKernels::gru(const GruRows& rows, const float* input_gates, float* next, float* gates) const {
  const int64_t h = rows.state_dim;
  for_rows(rows.count, 16, [&](int64_t b) {
    kernels().gru(input_gates + b * 3 * h, rows.state_gates + b * rows.stride, rows.state + b * h, h, next + b * h,
                  gates + b * 3 * h);
  });
}

void CpuRowKernels::gru_backward(const GruRows& rows, const float* gates, const GruRowGradients& gradients) const {
  const int64_t h = rows.state_dim;
  for_rows(rows.count, 16, [&](int64_t b) {
    kernels().gru_backward(gates + b * 3 * h, rows.state_gates + b * rows.stride, rows.state + b * h,
                           gradients.next + b * h, h, gradients.input_gates + b * 3 * h,
                           gradients.state_gates + b * rows.stride, gradients.state + b * h);
  });
}

void CpuRowKernels::loss_rows(const LossRows& rows, bool to_gradient, double* losses) const {
  for_rows(rows.count, 8, [&](int64_t i) {
    const LossOfRow loss =
        kernels().loss_row(rows.scores + i * rows.vocab, rows.vocab, rows.targets[i], rows.smoothing, to_gradient);
    losses[2 * i] = loss.smoothed;
    losses[2 * i + 1] = loss.nll;
  });
}

}  // namespace nmt
