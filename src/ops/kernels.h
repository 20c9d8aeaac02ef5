#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace nmt {

// Loops over float32 rows that LibTorch has no single operator for, compiled once for each level of the x86-64
// instruction set and chosen at run time. Levels agree within rounding (sums are ordered differently), and one level
// always gives the same bits. Rows are contiguous. Letters: A attention size, D annotation size, H state size.

enum class CpuLevel { kPlain, kAvx2, kAvx512 };

struct LossOfRow {
  double smoothed = 0;
  double nll = 0;
};

// One sentence as the attention kernels read it.
struct AttentionRow {
  const float* query;   // [A]: W s
  const float* keys;    // [S,A]: U h_j
  const float* values;  // [S,D]: h_j
  const float* score;   // [A]: v
  int64_t length;       // real positions; S is at least this
  int64_t padded;       // S
  int64_t attention_dim;
  int64_t value_dim;
  float scale;     // of the scores
  bool with_tanh;  // false for additive_linear
};

struct Kernels {
  // ops/loss_rows.h, for one row [vocab].
  LossOfRow (*loss_row)(float* scores, int64_t vocab, int64_t target, float smoothing, bool to_gradient);

  // rows [count, columns], added in their order -> sum [columns].
  void (*sum_rows)(const float* rows, int64_t count, int64_t columns, float* sum);

  // ops/log_sum_exp.h, for one row [vocab].
  float (*log_sum_exp)(const float* scores, int64_t vocab);

  // weights [S] and context [D] of one row (model/attention.h, additive scores).
  void (*attend)(const AttentionRow& row, float* weights, float* context);

  // From the gradient of the context [D] and the weights [S]: sets query_gradient [A] and score_gradient [A], adds to
  // keys_gradient [S,A]. The hidden layer is computed again. scratch [S].
  void (*attend_backward)(const AttentionRow& row, const float* weights, const float* context_gradient,
                          float* query_gradient, float* keys_gradient, float* score_gradient, float* scratch);

  // One GRU step (model/gru.h): gates from the input and from the state [3H], both with bias; state [H]. Writes the new
  // state [H] and the activated gates r, z, n [3H].
  void (*gru)(const float* input_gates, const float* state_gates, const float* state, int64_t state_dim, float* next,
              float* gates);

  // Its gradients: next_gradient [H] -> input_gates_gradient, state_gates_gradient [3H] and state_gradient [H] (the
  // part that doesn't pass through state_gates), all set. state_gates is what the forward step read.
  void (*gru_backward)(const float* gates, const float* state_gates, const float* state, const float* next_gradient,
                       int64_t state_dim, float* input_gates_gradient, float* state_gates_gradient,
                       float* state_gradient);

  // ops/dropout.h, for elements [first, first + size) of a tensor: zero where their hash is below `below`, else times
  // `scale`. All levels give the same bits.
  void (*dropout)(const float* from, float* to, int64_t size, uint64_t key, int64_t first, uint32_t below, float scale);
};

// The kernels of the highest level that the processor has and cap_cpu_level allows.
const Kernels& kernels();
CpuLevel cpu_level();

// What else the processor has, whatever the level is capped at.
bool cpu_has_bfloat16();           // AVX-512 BF16
bool cpu_has_amx_bfloat16();       // which goes with the former
bool cpu_has_int8_dot_products();  // AVX-512 VNNI

// Every level that this processor can run, lowest first.
std::vector<CpuLevel> available_cpu_levels();

// Never goes above `level` from now on (tests; the environment variable NMT_CPU_LEVEL=plain|avx2|avx512 does the same).
void cap_cpu_level(CpuLevel level);

std::string_view name_of(CpuLevel level);

}  // namespace nmt
