#pragma once

#include <torch/types.h>

#include "ops/precision.h"
#include "ops/row_kernels.h"

namespace nmt {

// The loops over time of gru_attention() (ops/gru_attention.h), one code for every device that has row kernels.

// What is the same at every step.
struct AttentionPlan {
  torch::Tensor keys;          // [B,S,A]
  torch::Tensor values;        // [B,S,D]
  torch::Tensor score_weight;  // [1,A]
  torch::Tensor lengths;       // [B] int64
  double scale = 1;
  bool with_tanh = true;

  AttentionPlan contiguous() const;
  AttentionMemoryView view() const;  // of a contiguous plan
};

// The matrix products of a step.
struct StepProducts {
  torch::Tensor weight;          // [A+3H,H]: query and recurrent weights
  torch::Tensor bias;            // [A+3H]: zeros and the recurrent bias; only the forward loop reads it
  torch::Tensor context_weight;  // [3H,D]
  torch::Tensor context_mask;    // [T,B,D], or undefined
  Precision precision = Precision::kFloat32;
};

// What the forward loop leaves for the backward loop.
struct AttentionTrace {
  torch::Tensor states;    // [T+1,B,H]: s_0 .. s_T
  torch::Tensor products;  // [T,B,A+3H]: query and the state's part of the gates
  torch::Tensor gates;     // [T,B,3H]: r, z, n
  torch::Tensor weights;   // [T,B,S]
  torch::Tensor contexts;  // [T,B,D]
};

// The gradients that the backward loop leaves for the products after it.
struct AttentionGradients {
  torch::Tensor products;     // [T,B,A+3H]
  torch::Tensor input_gates;  // [T,B,3H]
  torch::Tensor contexts;     // [T,B,D]: whole gradient of c_t
  torch::Tensor keys;         // [B,S,A]
  torch::Tensor score;        // [B,A]: to be summed over B
  torch::Tensor state;        // [B,H]: of s_t while the loop runs, of s_0 after it
};

// word_gates [T,B,3H], state [B,H]: s_0
AttentionTrace run_attention_loop(const RowKernels& kernels, const AttentionPlan& plan, const StepProducts& products,
                                  const torch::Tensor& word_gates, const torch::Tensor& state);

// states_gradient [T,B,H] and contexts_gradient [T,B,D], each undefined where it is zero.
AttentionGradients run_attention_loop_backward(const RowKernels& kernels, const AttentionPlan& plan,
                                               const StepProducts& products, const AttentionTrace& trace,
                                               const torch::Tensor& states_gradient,
                                               const torch::Tensor& contexts_gradient);

}  // namespace nmt
