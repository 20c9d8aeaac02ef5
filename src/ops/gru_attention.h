#pragma once

#include <torch/types.h>

#include "ops/precision.h"

namespace nmt {

// Everything that teacher-forced decoding with additive attention reads (model/decoder.h, decoder_cell gru). Time comes
// first, so that a step is contiguous. float32, all on one device that has the kernels.
struct GruAttentionInputs {
  torch::Tensor word_gates;        // [T,B,3H]: the word's part of the gates with the input bias
  torch::Tensor state;             // [B,H]: s_0
  torch::Tensor keys;              // [B,S,A]
  torch::Tensor values;            // [B,S,D]
  torch::Tensor query_weight;      // [A,H]: W
  torch::Tensor score_weight;      // [1,A]: v
  torch::Tensor context_weight;    // [3H,D]: the context's columns of the input weights
  torch::Tensor recurrent_weight;  // [3H,H]
  torch::Tensor recurrent_bias;    // [3H]
  torch::Tensor lengths;           // [B] int64: real source positions
  torch::Tensor context_mask;      // [T,B,D] factors on the context that enters the cell (dropout), or undefined
  double scale = 1;                // of the scores
  bool with_tanh = true;
  Precision precision = Precision::kFloat32;  // of the matrix products
};

struct GruAttentionOutputs {
  torch::Tensor states;    // [T,B,H]
  torch::Tensor contexts;  // [T,B,D]: before the mask
};

// All T steps as one operator (nmt::gru_attention) with its own backward pass. The recurrent products of a step are one
// matrix product (the query's and the gates'), scores, softmax and context are one kernel, tanh is computed again in
// the backward pass instead of being stored as [B,T,S,A], and the weights' gradients are single products after the
// loop.
GruAttentionOutputs gru_attention(const GruAttentionInputs& inputs);

// True where the device has kernels for the functions here: the CPU, and CUDA where ops/cuda/ is loaded.
bool has_attention_kernels(const torch::Device& device);

// Attention of N rows without gradients: query [N,A] (W s), keys [B,S,A], values [B,S,D], score_weight [1,A],
// lengths [B] int64, rows [N] int64 or undefined (row n looks at sentence n), all on one device.
struct AdditiveAttention {
  torch::Tensor context;  // [N,D]
  torch::Tensor weights;  // [N,S]
};
AdditiveAttention additive_attention(const torch::Tensor& query, const torch::Tensor& keys, const torch::Tensor& values,
                                     const torch::Tensor& score_weight, const torch::Tensor& lengths,
                                     const torch::Tensor& rows, double scale, bool with_tanh);

}  // namespace nmt
