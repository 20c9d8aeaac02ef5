// The kernels of ops/kernels.h, written so that the compiler vectorises every inner loop. Compiled once for each
// instruction-set level by kernels_<level>.cpp, which names the level's namespace:
//   #define NMT_KERNEL_LEVEL avx2
//   #include "ops/kernel_loops.h"

#include <cmath>
#include <cstring>

#include "ops/element_formulas.h"
#include "ops/kernel_math.h"
#include "ops/kernels.h"

namespace nmt::NMT_KERNEL_LEVEL {

namespace {

// Lane by lane first, since compilers don't reorder a maximum where something may be no number.
float largest(const float* x, int64_t n) {
  constexpr int64_t kLanes = 64;
  float best = x[0];
  int64_t i = 1;
  if (n > kLanes) {
    float lanes[kLanes];
    std::memcpy(lanes, x, sizeof lanes);
    for (i = kLanes; i + kLanes <= n; i += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] = x[i + lane] > lanes[lane] ? x[i + lane] : lanes[lane];
    }
    for (const float lane : lanes) best = lane > best ? lane : best;
  }
  for (; i < n; ++i) best = x[i] > best ? x[i] : best;
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

// The sum of term(0) to term(n - 1): blocks in float, their sum in double.
template <class Term>
double sum_of(int64_t n, Term term) {
  constexpr int64_t kBlock = 512;
  double total = 0;
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    float sum = 0;
    const int64_t end = begin + kBlock < n ? begin + kBlock : n;
    for (int64_t i = begin; i < end; ++i) sum += term(i);
    total += sum;
  }
  return total;
}

// Replaces x by e^(x - top) and returns the sum.
float exp_shifted(float* __restrict x, float top, int64_t n) {
  return static_cast<float>(sum_of(n, [=](int64_t i) { return x[i] = fast_exp(x[i] - top); }));
}

float log_sum_exp(const float* scores, int64_t vocab) {
  const float top = largest(scores, vocab);
  const double sum = sum_of(vocab, [=](int64_t v) { return fast_exp(scores[v] - top); });
  return static_cast<float>(static_cast<double>(top) + std::log(sum));
}

struct TopAndSum {
  float top;
  double sum;
};

// The largest number and the sum, in one pass over the memory; sums of blocks in float, their sum in double.
TopAndSum top_and_sum(const float* x, int64_t n) {
  constexpr int64_t kLanes = 64, kBlock = 8 * kLanes;
  TopAndSum found = {x[0], 0};
  float tops[kLanes];
  for (float& top : tops) top = x[0];
  int64_t i = 0;
  while (i + kLanes <= n) {
    float sums[kLanes] = {};
    const int64_t end = i + kBlock < n ? i + kBlock : n;
    for (; i + kLanes <= end; i += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        tops[lane] = x[i + lane] > tops[lane] ? x[i + lane] : tops[lane];
        sums[lane] += x[i + lane];
      }
    }
    float sum = 0;
    for (const float lane : sums) sum += lane;
    found.sum += sum;
  }
  for (const float top : tops) found.top = top > found.top ? top : found.top;
  for (; i < n; ++i) {
    found.top = x[i] > found.top ? x[i] : found.top;
    found.sum += x[i];
  }
  return found;
}

LossOfRow loss_row(float* scores, int64_t vocab, int64_t target, float smoothing, bool to_gradient) {
  const auto [top, sum_of_scores] = top_and_sum(scores, vocab);
  const double mean_score = sum_of_scores / static_cast<double>(vocab);
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

void sum_rows(const float* rows, int64_t count, int64_t columns, float* sum) {
  constexpr int64_t kBlock = 64;
  for (int64_t begin = 0; begin < columns; begin += kBlock) {
    const int64_t size = columns - begin < kBlock ? columns - begin : kBlock;
    float sums[kBlock] = {};
    for (int64_t row = 0; row < count; ++row) {
      const float* from = rows + row * columns + begin;
      if (size == kBlock) {
        for (int64_t i = 0; i < kBlock; ++i) sums[i] += from[i];
      } else {
        for (int64_t i = 0; i < size; ++i) sums[i] += from[i];
      }
    }
    std::memcpy(sum + begin, sums, sizeof(float) * static_cast<size_t>(size));
  }
}

struct FastMath {
  static float sigmoid(float x) { return fast_sigmoid(x); }
  static float tanh(float x) { return fast_tanh(x); }
};

template <bool kWithTanh>
float additive_score(const float* __restrict query, const float* __restrict key, const float* __restrict score,
                     int64_t n) {
  float sum = 0;
  for (int64_t a = 0; a < n; ++a) sum += score[a] * additive_unit<FastMath, kWithTanh>(query[a], key[a]);
  return sum;
}

void attend(const AttentionRow& row, float* weights, float* context) {
  const auto score = row.with_tanh ? additive_score<true> : additive_score<false>;
  for (int64_t s = 0; s < row.length; ++s) {
    weights[s] = row.scale * score(row.query, row.keys + s * row.attention_dim, row.score, row.attention_dim);
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
template <bool kWithTanh>
void additive_score_backward(const float* __restrict query, const float* __restrict key, const float* __restrict score,
                             float g, int64_t n, float* __restrict query_gradient, float* __restrict key_gradient,
                             float* __restrict score_gradient) {
  for (int64_t a = 0; a < n; ++a) {
    const auto unit = additive_unit_backward<FastMath, kWithTanh>(query[a], key[a], score[a], g);
    score_gradient[a] += unit.score;
    query_gradient[a] += unit.hidden;
    key_gradient[a] += unit.hidden;
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
  const auto backward = row.with_tanh ? additive_score_backward<true> : additive_score_backward<false>;
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
    const GruUnit unit = gru_unit<FastMath>(input[i], input[n + i], input[2 * n + i], from_state[i], from_state[n + i],
                                            from_state[2 * n + i], state[i]);
    gates[i] = unit.reset;
    gates[n + i] = unit.update;
    gates[2 * n + i] = unit.candidate;
    next[i] = unit.next;
  }
}

void gru_backward(const float* __restrict gates, const float* __restrict from_state, const float* __restrict state,
                  const float* __restrict next_gradient, int64_t n, float* __restrict input_gradient,
                  float* __restrict from_state_gradient, float* __restrict state_gradient) {
  for (int64_t i = 0; i < n; ++i) {
    const float reset = gates[i];
    const GruUnitGradient unit =
        gru_unit_backward(reset, gates[n + i], gates[2 * n + i], from_state[2 * n + i], state[i], next_gradient[i]);
    input_gradient[i] = unit.reset;
    input_gradient[n + i] = unit.update;
    input_gradient[2 * n + i] = unit.candidate;
    from_state_gradient[i] = unit.reset;
    from_state_gradient[n + i] = unit.update;
    from_state_gradient[2 * n + i] = unit.candidate * reset;
    state_gradient[i] = unit.state;
  }
}

// A bijection of 32 bits in which every bit of the result depends on every bit of x (lowbias32, Wellons 2018).
inline uint32_t mixed(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ (x >> 16);
}

void dropout(const float* __restrict from, float* __restrict to, int64_t size, uint64_t key, int64_t first,
             uint32_t below, float scale) {
  const auto low = static_cast<uint32_t>(key);
  const auto high = static_cast<uint32_t>(key >> 32);
  const auto place = static_cast<uint32_t>(first);
  for (int64_t i = 0; i < size; ++i) {
    const uint32_t hash = mixed(mixed((place + static_cast<uint32_t>(i)) ^ low) + high);
    to[i] = from[i] * (hash < below ? 0.0F : scale);
  }
}

}  // namespace

extern const Kernels kKernels;
// NOLINTNEXTLINE(misc-definitions-in-headers): each unit's namespace is another
const Kernels kKernels = {loss_row, sum_rows, log_sum_exp, attend, attend_backward, gru, gru_backward, dropout};

}  // namespace nmt::NMT_KERNEL_LEVEL
