#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include "config/model_config.h"
#include "model/attention.h"
#include "model/encoder.h"
#include "model/gru.h"
#include "ops/product.h"

namespace nmt {

// What the decoder keeps of a batch of source sentences: the attention's memory, or the one fixed context.
struct DecoderMemory {
  AttentionMemory attention;  // of B sentences; empty with attention none
  torch::Tensor fixed;        // [B,D]: [last forward state ; first backward state]; only with attention none
};

// What one decoder step gives for N rows.
struct DecoderStep {
  torch::Tensor state;    // [N,H]: s_t
  torch::Tensor context;  // [N,D]: c_t
  torch::Tensor weights;  // [N,S]: a_t; undefined with attention none
};

// What teacher-forced decoding of T steps gives.
struct DecoderOutput {
  torch::Tensor states;    // [B,T,H]
  torch::Tensor contexts;  // [B,T,D]
};

// The decoder's recurrence (Bahdanau et al. 2014, section 3.1; conditional_gru: Sennrich et al. 2017, "Nematus").
//   gru              c_t = attend(s_{t-1});   s_t = GRU([e(y_{t-1}) ; c_t], s_{t-1})
//   conditional_gru  s'_t = GRU1(e(y_{t-1}), s_{t-1});   c_t = attend(s'_t);   s_t = GRU2(c_t, s'_t)
class DecoderImpl : public torch::nn::Module {
 public:
  explicit DecoderImpl(const ModelConfig& config);

  DecoderMemory prepare(const Encoded& encoded);
  torch::Tensor initial_state(const Encoded& encoded);  // s_0 = tanh(W_init x) [B,H]

  // One step: embedded [N,E] is e(y_{t-1}), state [N,H] is s_{t-1}; row n belongs to sentence rows[n] ([N] int64), or
  // to sentence n where rows is undefined.
  DecoderStep step(const torch::Tensor& embedded, const torch::Tensor& state, const DecoderMemory& memory,
                   const torch::Tensor& rows = {});

  // All steps with the right previous words: embedded [B,T,E], state [B,H]. Runs as one operator (ops/gru_attention.h)
  // where there is one for this decoder, else step by step.
  DecoderOutput forward(const torch::Tensor& embedded, const torch::Tensor& state, const DecoderMemory& memory);
  DecoderOutput forward_by_steps(const torch::Tensor& embedded, const torch::Tensor& first_state,
                                 const DecoderMemory& memory);

  // See Seq2SeqImpl.
  void set_training_precision(Precision precision);
  void pack(Precision precision);
  void unpack();

 private:
  torch::Tensor word_gates(const torch::Tensor& embedded) const;  // [..,E] -> [..,3H]
  DecoderStep advance(const torch::Tensor& word_gates, const torch::Tensor& state, const DecoderMemory& memory,
                      const torch::Tensor& rows, const torch::Tensor& context_mask);
  DecoderOutput forward_fused(const torch::Tensor& embedded, const torch::Tensor& state, const DecoderMemory& memory);
  torch::Tensor context_dropout_mask(const torch::Tensor& embedded) const;  // [T,B,D]; undefined without dropout
  torch::Tensor word_weight() const;                                        // [3H,E]
  torch::Tensor context_weight() const;                                     // [3H,D]
  torch::Tensor context_gates(const torch::Tensor& context) const;          // [N,D] -> [N,3H]

  ModelConfig config_;
  int64_t annotation_dim_;
  torch::nn::Linear init_{nullptr};
  Attention attention_{nullptr};
  GruWeights cell_{nullptr};          // reads [e ; c]; the first cell, which reads e, with conditional_gru
  GruWeights context_cell_{nullptr};  // reads c; only with conditional_gru
  WeightProduct word_product_;        // with word_weight()
  WeightProduct context_product_;     // with context_weight()
};
TORCH_MODULE(Decoder);

}  // namespace nmt
