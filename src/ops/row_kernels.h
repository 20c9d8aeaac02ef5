#pragma once

#include <cstdint>

namespace nmt {

// What a device implements of this folder's operators: kernels over all rows of a step or a chunk, float32, between
// which LibTorch computes the matrix products. No torch here: CUDA's are compiled by nvcc. Letters: N rows, B
// sentences, S source, A attention size, D annotation size, H state, V vocabulary. Pointers are the device's; arrays
// are contiguous, but for `stride`s from row to row.

// What attention reads at every step.
struct AttentionMemoryView {
  const float* keys = nullptr;       // [B,S,A]: U h_j
  const float* values = nullptr;     // [B,S,D]: h_j
  const float* score = nullptr;      // [A]: v
  const int64_t* lengths = nullptr;  // [B]: real positions, from 1 to S
  int64_t source = 0;                // S
  int64_t attention_dim = 0;         // A
  int64_t value_dim = 0;             // D
  float scale = 1;                   // of the scores
  bool with_tanh = true;             // false for additive_linear
};

// Rows that attend: row n looks at sentence sentences[n], or at sentence n where that is null.
struct QueryRows {
  int64_t count = 0;             // N
  const float* query = nullptr;  // [N,A]: W s
  int64_t stride = 0;
  const int64_t* sentences = nullptr;  // [N]
};

struct AttentionRowGradients {
  const float* context = nullptr;  // [B,D]: read
  float* query = nullptr;          // [B,A], with the stride of the queries: set
  float* keys = nullptr;           // [B,S,A]: added to
  float* score = nullptr;          // [B,A]: added to
  float* scratch = nullptr;        // [B,S]
};

// Rows of a GRU step (model/gru.h), gates in the order r, z, n.
struct GruRows {
  int64_t count = 0;                   // B
  int64_t state_dim = 0;               // H
  const float* state_gates = nullptr;  // [B,3H]: U h + c
  int64_t stride = 0;                  // of state_gates and its gradient
  const float* state = nullptr;        // [B,H]
};

struct GruRowGradients {
  const float* next = nullptr;   // [B,H]: read
  float* input_gates = nullptr;  // [B,3H]: set
  float* state_gates = nullptr;  // [B,3H]: set
  float* state = nullptr;        // [B,H]: set to the part that doesn't pass through state_gates
};

struct LossRows {
  int64_t count = 0;
  int64_t vocab = 0;                 // V
  float* scores = nullptr;           // [N,V]
  const int64_t* targets = nullptr;  // [N]
  float smoothing = 0;
};

class RowKernels {
 public:
  virtual ~RowKernels() = default;

  // Weights [N,S], exactly 0 behind each sentence's length, and contexts [N,D] (model/attention.h).
  virtual void attend(const AttentionMemoryView& memory, const QueryRows& rows, float* weights,
                      float* contexts) const = 0;
  // Of rows without `sentences`. The hidden layer is computed again.
  virtual void attend_backward(const AttentionMemoryView& memory, const QueryRows& rows, const float* weights,
                               const AttentionRowGradients& gradients) const = 0;

  // input_gates [B,3H] = W x + b -> next [B,H] and the activated gates [B,3H].
  virtual void gru(const GruRows& rows, const float* input_gates, float* next, float* gates) const = 0;
  virtual void gru_backward(const GruRows& rows, const float* gates, const GruRowGradients& gradients) const = 0;

  // losses [N,2]: label-smoothed cross-entropy and negative log-likelihood of each row (ops/loss_rows.h). Where
  // `to_gradient`, scores become their gradients.
  virtual void loss_rows(const LossRows& rows, bool to_gradient, double* losses) const = 0;
};

}  // namespace nmt
