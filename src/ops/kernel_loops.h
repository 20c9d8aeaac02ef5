// The kernels of ops/kernels.h, written so that the compiler vectorises every inner loop. Compiled once for each
// instruction-set level by kernels_<level>.cpp, which names the level's namespace:
//   #define NMT_KERNEL_LEVEL avx2
//   #include "ops/kernel_loops.h"

#include <cmath>
#include <cstring>

#include "ops/kernel_math.h"
#include "ops/kernels.h"

namespace nmt::NMT_KERNEL_LEVEL {

namespace {

float largest(const float* x, int64_t n) {
  float best = x[0];
  for (int64_t i = 1; i < n; ++i) best = x[i] > best ? x[i] : best;
  return best;
}

float dot(const float* a, const float* b, int64_t n) {
  float sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

void scale_in_place(float* x, float factor, int64_t n) {
  for (int64_t i = 0; i < n; ++i) x[i] *= factor;
}

// Replaces x by e^(x - top) and returns the sum.
float exp_shifted(float* __restrict x, float top, int64_t n) {
  float sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    const float e = fast_exp(x[i] - top);
    x[i] = e;
    sum += e;
  }
  return sum;
}

LossOfRow loss_row(float* scores, int64_t vocab, int64_t target, float smoothing, bool to_gradient) {
  const float top = largest(scores, vocab);
  double mean_score = 0;
  constexpr int64_t kBlock = 512;  // block sums in float, their sum in double
  for (int64_t begin = 0; begin < vocab; begin += kBlock) {
    float sum = 0;
    const int64_t end = begin + kBlock < vocab ? begin + kBlock : vocab;
    for (int64_t v = begin; v < end; ++v) sum += scores[v];
    mean_score += sum;
  }
  mean_score /= static_cast<double>(vocab);
  const double target_score = scores[target];
  const float sum = exp_shifted(scores, top, vocab);
  const double log_normalizer = static_cast<double>(top) + std::log(static_cast<double>(sum));
  LossOfRow loss;
  loss.nll = log_normalizer - target_score;
  loss.smoothed =
      (1 - static_cast<double>(smoothing)) * loss.nll + static_cast<double>(smoothing) * (log_normalizer - mean_score);
  if (!to_gradient) return loss;
  const float inverse = 1 / sum;
  const float even = smoothing / static_cast<float>(vocab);
  for (int64_t v = 0; v < vocab; ++v) scores[v] = scores[v] * inverse - even;
  scores[target] -= 1 - smoothing;
  return loss;
}

float additive_score(const float* __restrict query, const float* __restrict key, const float* __restrict score,
                     int64_t n, bool with_tanh) {
  float sum = 0;
  if (with_tanh) {
    for (int64_t a = 0; a < n; ++a) sum += score[a] * fast_tanh(query[a] + key[a]);
  } else {
    for (int64_t a = 0; a < n; ++a) sum += score[a] * (query[a] + key[a]);
  }
  return sum;
}

void attend(const AttentionRow& row, float* weights, float* context) {
  for (int64_t s = 0; s < row.length; ++s) {
    weights[s] = row.scale * additive_score(row.query, row.keys + s * row.attention_dim, row.score, row.attention_dim,
                                            row.with_tanh);
  }
  const float top = largest(weights, row.length);
  const float sum = exp_shifted(weights, top, row.length);
  scale_in_place(weights, 1 / sum, row.length);
  for (int64_t s = row.length; s < row.padded; ++s) weights[s] = 0;
  std::memset(context, 0, sizeof(float) * static_cast<size_t>(row.value_dim));
  for (int64_t s = 0; s < row.length; ++s) {
    const float weight = weights[s];
    const float* __restrict value = row.values + s * row.value_dim;
    float* __restrict sum_of_values = context;
    for (int64_t d = 0; d < row.value_dim; ++d) sum_of_values[d] += weight * value[d];
  }
}

// Gradients through one position's hidden layer, whose score has gradient `g`.
void additive_score_backward(const float* __restrict query, const float* __restrict key, const float* __restrict score,
                             float g, int64_t n, float* __restrict query_gradient, float* __restrict key_gradient,
                             float* __restrict score_gradient) {
  for (int64_t a = 0; a < n; ++a) {
    const float t = fast_tanh(query[a] + key[a]);
    const float u = g * score[a] * (1.0f - t * t);
    score_gradient[a] += g * t;
    query_gradient[a] += u;
    key_gradient[a] += u;
  }
}

void linear_score_backward(const float* __restrict query, const float* __restrict key, const float* __restrict score,
                           float g, int64_t n, float* __restrict query_gradient, float* __restrict key_gradient,
                           float* __restrict score_gradient) {
  for (int64_t a = 0; a < n; ++a) {
    const float u = g * score[a];
    score_gradient[a] += g * (query[a] + key[a]);
    query_gradient[a] += u;
    key_gradient[a] += u;
  }
}

void attend_backward(const AttentionRow& row, const float* weights, const float* context_gradient,
                     float* query_gradient, float* keys_gradient, float* score_gradient, float* scratch) {
  std::memset(query_gradient, 0, sizeof(float) * static_cast<size_t>(row.attention_dim));
  std::memset(score_gradient, 0, sizeof(float) * static_cast<size_t>(row.attention_dim));
  float mean = 0;  // sum_s a_s da_s
  for (int64_t s = 0; s < row.length; ++s) {
    scratch[s] = dot(context_gradient, row.values + s * row.value_dim, row.value_dim);
    mean += weights[s] * scratch[s];
  }
  const auto backward = row.with_tanh ? additive_score_backward : linear_score_backward;
  for (int64_t s = 0; s < row.length; ++s) {
    const float g = row.scale * weights[s] * (scratch[s] - mean);
    const int64_t at = s * row.attention_dim;
    backward(row.query, row.keys + at, row.score, g, row.attention_dim, query_gradient, keys_gradient + at,
             score_gradient);
  }
}

void gru(const float* __restrict input, const float* __restrict from_state, const float* __restrict state, int64_t n,
         float* __restrict next, float* __restrict gates) {
  for (int64_t i = 0; i < n; ++i) {
    const float reset = fast_sigmoid(input[i] + from_state[i]);
    const float update = fast_sigmoid(input[n + i] + from_state[n + i]);
    const float candidate = fast_tanh(input[2 * n + i] + reset * from_state[2 * n + i]);
    gates[i] = reset;
    gates[n + i] = update;
    gates[2 * n + i] = candidate;
    next[i] = candidate + update * (state[i] - candidate);
  }
}

void gru_backward(const float* __restrict gates, const float* __restrict from_state, const float* __restrict state,
                  const float* __restrict next_gradient, int64_t n, float* __restrict input_gradient,
                  float* __restrict from_state_gradient, float* __restrict state_gradient) {
  for (int64_t i = 0; i < n; ++i) {
    const float reset = gates[i];
    const float update = gates[n + i];
    const float candidate = gates[2 * n + i];
    const float g = next_gradient[i];
    const float to_candidate = g * (1.0f - update) * (1.0f - candidate * candidate);
    const float to_update = g * (state[i] - candidate) * update * (1.0f - update);
    const float to_reset = to_candidate * from_state[2 * n + i] * reset * (1.0f - reset);
    input_gradient[i] = to_reset;
    input_gradient[n + i] = to_update;
    input_gradient[2 * n + i] = to_candidate;
    from_state_gradient[i] = to_reset;
    from_state_gradient[n + i] = to_update;
    from_state_gradient[2 * n + i] = to_candidate * reset;
    state_gradient[i] = g * update;
  }
}

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels = {loss_row, attend, attend_backward, gru, gru_backward};

}  // namespace nmt::NMT_KERNEL_LEVEL
