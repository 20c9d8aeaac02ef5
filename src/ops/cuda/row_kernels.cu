#include <cmath>
#include <limits>

#include "ops/cuda/row_kernels.h"
#include "ops/element_formulas.h"
#ifdef __CUDACC__
#include "ops/cuda/launch.cuh"
#endif  // else tests/ops/cuda_on_host.h stands in for the GPU
#include "ops/cuda/reduce.cuh"

namespace nmt {

namespace {

constexpr int kAttendThreads = 256;
constexpr int kGruThreads = 128;
constexpr int kLossThreads = 512;
constexpr float kLowest = std::numeric_limits<float>::lowest();

struct DeviceMath {
  __device__ static float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }
  __device__ static float tanh(float x) { return tanhf(x); }
};

// --- attention: one block for each row
// --------------------------------------------------------------------------------

// A warp for each source position, a lane for every 32nd unit.
template <bool kWithTanh>
__device__ void write_scores(const AttentionMemoryView& memory, const float* query, const float* keys, int64_t length,
                             float* scores) {
  const int lane = static_cast<int>(threadIdx.x) % kWarpSize;
  for (int64_t s = threadIdx.x / kWarpSize; s < length; s += kAttendThreads / kWarpSize) {
    const float* key = keys + s * memory.attention_dim;
    float sum = 0;
    for (int64_t a = lane; a < memory.attention_dim; a += kWarpSize) {
      sum += memory.score[a] * additive_unit<DeviceMath, kWithTanh>(query[a], key[a]);
    }
    sum = reduce_warp<Sum>(sum);
    if (lane == 0) scores[s] = memory.scale * sum;
  }
}

// scores [S] -> softmax over the first `length`, 0 behind them. The block has synchronised after writing scores.
__device__ void softmax_in_place(float* scores, int64_t length, int64_t padded) {
  float top = kLowest;
  for (int64_t s = threadIdx.x; s < length; s += kAttendThreads) top = fmaxf(top, scores[s]);
  top = reduce_block<Maximum>(top, kLowest);
  float sum = 0;
  for (int64_t s = threadIdx.x; s < length; s += kAttendThreads) sum += expf(scores[s] - top);
  const float inverse = 1.0f / reduce_block<Sum>(sum, 0.0f);
  for (int64_t s = threadIdx.x; s < padded; s += kAttendThreads) {
    scores[s] = s < length ? expf(scores[s] - top) * inverse : 0.0f;
  }
}

template <bool kWithTanh>
__global__ void attend_kernel(AttentionMemoryView memory, QueryRows rows, float* weights, float* contexts) {
  const int64_t n = blockIdx.x;
  const int64_t sentence = rows.sentences == nullptr ? n : rows.sentences[n];
  const int64_t length = memory.lengths[sentence];
  float* row = weights + n * memory.source;
  write_scores<kWithTanh>(memory, rows.query + n * rows.stride,
                          memory.keys + sentence * memory.source * memory.attention_dim, length, row);
  __syncthreads();
  softmax_in_place(row, length, memory.source);
  __syncthreads();
  const float* values = memory.values + sentence * memory.source * memory.value_dim;
  for (int64_t d = threadIdx.x; d < memory.value_dim; d += kAttendThreads) {
    float sum = 0;
    for (int64_t s = 0; s < length; ++s) sum += row[s] * values[s * memory.value_dim + d];
    contexts[n * memory.value_dim + d] = sum;
  }
}

// Gradients of the scores of one sentence: scale a_s (da_s - sum_s a_s da_s) with da_s = dc . h_s.
__device__ void write_score_gradients(const AttentionMemoryView& memory, const float* values, int64_t length,
                                      const float* weights, const float* context_gradient, float* out) {
  const int lane = static_cast<int>(threadIdx.x) % kWarpSize;
  for (int64_t s = threadIdx.x / kWarpSize; s < length; s += kAttendThreads / kWarpSize) {
    float sum = 0;
    for (int64_t d = lane; d < memory.value_dim; d += kWarpSize) {
      sum += context_gradient[d] * values[s * memory.value_dim + d];
    }
    sum = reduce_warp<Sum>(sum);
    if (lane == 0) out[s] = sum;
  }
  __syncthreads();
  float mean = 0;
  for (int64_t s = threadIdx.x; s < length; s += kAttendThreads) mean += weights[s] * out[s];
  mean = reduce_block<Sum>(mean, 0.0f);
  for (int64_t s = threadIdx.x; s < length; s += kAttendThreads) out[s] = memory.scale * weights[s] * (out[s] - mean);
}

template <bool kWithTanh>
__global__ void attend_backward_kernel(AttentionMemoryView memory, QueryRows rows, const float* weights,
                                       AttentionRowGradients gradients) {
  const int64_t b = blockIdx.x;
  const int64_t length = memory.lengths[b];
  const int64_t units = memory.attention_dim;
  float* score_gradients = gradients.scratch + b * memory.source;
  write_score_gradients(memory, memory.values + b * memory.source * memory.value_dim, length,
                        weights + b * memory.source, gradients.context + b * memory.value_dim, score_gradients);
  __syncthreads();
  const float* keys = memory.keys + b * memory.source * units;
  float* keys_gradient = gradients.keys + b * memory.source * units;
  for (int64_t a = threadIdx.x; a < units; a += kAttendThreads) {
    const float query = rows.query[b * rows.stride + a];
    const float score = memory.score[a];
    float query_sum = 0;
    float score_sum = 0;
    for (int64_t s = 0; s < length; ++s) {
      const auto unit =
          additive_unit_backward<DeviceMath, kWithTanh>(query, keys[s * units + a], score, score_gradients[s]);
      keys_gradient[s * units + a] += unit.hidden;
      query_sum += unit.hidden;
      score_sum += unit.score;
    }
    gradients.query[b * rows.stride + a] = query_sum;
    gradients.score[b * units + a] += score_sum;
  }
}

// --- GRU: a thread for each unit; blocks x: rows, y: units
// ------------------------------------------------------------

__global__ void gru_kernel(GruRows rows, const float* input_gates, float* next, float* gates) {
  const int64_t h = rows.state_dim;
  const int64_t b = blockIdx.x;
  const int64_t i = static_cast<int64_t>(blockIdx.y) * kGruThreads + threadIdx.x;
  if (i >= h) return;
  const float* input = input_gates + b * 3 * h;
  const float* from_state = rows.state_gates + b * rows.stride;
  const GruUnit unit = gru_unit<DeviceMath>(input[i], input[h + i], input[2 * h + i], from_state[i], from_state[h + i],
                                            from_state[2 * h + i], rows.state[b * h + i]);
  float* out = gates + b * 3 * h;
  out[i] = unit.reset;
  out[h + i] = unit.update;
  out[2 * h + i] = unit.candidate;
  next[b * h + i] = unit.next;
}

__global__ void gru_backward_kernel(GruRows rows, const float* gates, GruRowGradients gradients) {
  const int64_t h = rows.state_dim;
  const int64_t b = blockIdx.x;
  const int64_t i = static_cast<int64_t>(blockIdx.y) * kGruThreads + threadIdx.x;
  if (i >= h) return;
  const float* gate = gates + b * 3 * h;
  const float reset = gate[i];
  const GruUnitGradient unit =
      gru_unit_backward(reset, gate[h + i], gate[2 * h + i], rows.state_gates[b * rows.stride + 2 * h + i],
                        rows.state[b * h + i], gradients.next[b * h + i]);
  float* input = gradients.input_gates + b * 3 * h;
  input[i] = unit.reset;
  input[h + i] = unit.update;
  input[2 * h + i] = unit.candidate;
  float* from_state = gradients.state_gates + b * rows.stride;
  from_state[i] = unit.reset;
  from_state[h + i] = unit.update;
  from_state[2 * h + i] = unit.candidate * reset;
  gradients.state[b * h + i] = unit.state;
}

// --- loss: one block for each row
// -------------------------------------------------------------------------------------

// Over the row's scores z: the largest, sum exp(z - top), and the sum of z, in one pass.
struct RowSums {
  float top;
  float exponentials;
  double scores;
};

__device__ RowSums sums_of_row(const float* row, int64_t vocab) {
  RowSums own = {kLowest, 0, 0};
  float sum = 0;
  for (int64_t v = threadIdx.x; v < vocab; v += kLossThreads) {
    const float z = row[v];
    sum += z;
    if (z > own.top) {
      own.exponentials = own.exponentials * expf(own.top - z) + 1.0f;
      own.top = z;
    } else {
      own.exponentials += expf(z - own.top);
    }
  }
  RowSums all;
  all.top = reduce_block<Maximum>(own.top, kLowest);
  const float shifted = own.exponentials * expf(own.top - all.top);
  all.exponentials = reduce_block<Sum>(shifted, 0.0f);
  all.scores = reduce_block<Sum>(static_cast<double>(sum), 0.0);
  return all;
}

__global__ void loss_rows_kernel(LossRows rows, bool to_gradient, double* losses) {
  const int64_t n = blockIdx.x;
  float* row = rows.scores + n * rows.vocab;
  const int64_t target = rows.targets[n];
  const float target_score = row[target];
  const RowSums sums = sums_of_row(row, rows.vocab);  // synchronises: every thread has read the target's score
  if (threadIdx.x == 0) {
    const double smoothing = static_cast<double>(rows.smoothing);
    const double log_normalizer = static_cast<double>(sums.top) + log(static_cast<double>(sums.exponentials));
    const double nll = log_normalizer - static_cast<double>(target_score);
    losses[2 * n] =
        (1 - smoothing) * nll + smoothing * (log_normalizer - sums.scores / static_cast<double>(rows.vocab));
    losses[2 * n + 1] = nll;
  }
  if (!to_gradient) return;
  const float inverse = 1.0f / sums.exponentials;
  const float even = rows.smoothing / static_cast<float>(rows.vocab);
  for (int64_t v = threadIdx.x; v < rows.vocab; v += kLossThreads) {
    const float gradient = expf(row[v] - sums.top) * inverse - even;
    row[v] = v == target ? gradient - (1.0f - rows.smoothing) : gradient;
  }
}

dim3 blocks_of_units(const GruRows& rows) {
  return {static_cast<unsigned>(rows.count), static_cast<unsigned>((rows.state_dim + kGruThreads - 1) / kGruThreads),
          1};
}

dim3 block_for_each(int64_t row_count) { return {static_cast<unsigned>(row_count), 1, 1}; }

}  // namespace

void CudaRowKernels::attend(const AttentionMemoryView& memory, const QueryRows& rows, float* weights,
                            float* contexts) const {
  if (rows.count == 0) return;
  launch(memory.with_tanh ? attend_kernel<true> : attend_kernel<false>, block_for_each(rows.count), kAttendThreads,
         stream_, memory, rows, weights, contexts);
}

void CudaRowKernels::attend_backward(const AttentionMemoryView& memory, const QueryRows& rows, const float* weights,
                                     const AttentionRowGradients& gradients) const {
  if (rows.count == 0) return;
  launch(memory.with_tanh ? attend_backward_kernel<true> : attend_backward_kernel<false>, block_for_each(rows.count),
         kAttendThreads, stream_, memory, rows, weights, gradients);
}

void CudaRowKernels::gru(const GruRows& rows, const float* input_gates, float* next, float* gates) const {
  if (rows.count == 0) return;
  launch(gru_kernel, blocks_of_units(rows), kGruThreads, stream_, rows, input_gates, next, gates);
}

void CudaRowKernels::gru_backward(const GruRows& rows, const float* gates, const GruRowGradients& gradients) const {
  if (rows.count == 0) return;
  launch(gru_backward_kernel, blocks_of_units(rows), kGruThreads, stream_, rows, gates, gradients);
}

void CudaRowKernels::loss_rows(const LossRows& rows, bool to_gradient, double* losses) const {
  if (rows.count == 0) return;
  launch(loss_rows_kernel, block_for_each(rows.count), kLossThreads, stream_, rows, to_gradient, losses);
}

}  // namespace nmt
