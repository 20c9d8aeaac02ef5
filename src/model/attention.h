#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include "config/model_config.h"
#include "ops/product.h"

namespace nmt {

// What the decoder looks at, prepared once for each batch.
struct AttentionMemory {
  torch::Tensor keys;     // [B,S,K]: what scores are computed from (K = A for additive scores, H else)
  torch::Tensor values;   // [B,S,D]: what the context is a weighted sum of
  torch::Tensor mask;     // [B,S] bool: true at real positions
  torch::Tensor lengths;  // [B] int64: real positions; beside the keys where there are kernels for them
};

struct AttentionResult {
  torch::Tensor context;  // [N,D]
  torch::Tensor weights;  // [N,S]: sums to 1 over S; exactly 0 at masked positions
};

// Scores of source positions and the context they give: a_tj = softmax_j(score(s, h_j)), c_t = sum_j a_tj h_j
// (Bahdanau et al. 2014, equations 5 and 6). The score is one of
//   additive         v . tanh(W s + U h_j)     (appendix A.1.2)
//   additive_linear  v . (W s + U h_j)         the query's term is the same for every j and cancels in the softmax, so
//                                              the alignment is the same at every target position
//   dot              s . h_j                   (Luong et al. 2015, equation 8; needs H = D)
//   scaled_dot       s . h_j / sqrt(D)         (Vaswani et al. 2017, equation 1)
//   general          s . W h_j                 (Luong et al. 2015, equation 8)
// W, U and v have no bias. With attention `none` there is no such module.
class AttentionImpl : public torch::nn::Module {
 public:
  // query_dim is H, annotation_dim is D.
  AttentionImpl(const ModelConfig& config, int64_t query_dim, int64_t annotation_dim);

  // annotations [B,S,D], mask [B,S] bool, lengths [B] int64 on the CPU
  AttentionMemory prepare(const torch::Tensor& annotations, const torch::Tensor& mask, const torch::Tensor& lengths);

  // Raw scores of every position, masked ones too: query [N,H], keys [N,S,K] -> [N,S].
  torch::Tensor scores(const torch::Tensor& query, const torch::Tensor& keys);

  // query [N,H]; row n looks at sentence rows[n] of the memory ([N] int64), or at sentence n where rows is undefined.
  AttentionResult attend(const torch::Tensor& query, const AttentionMemory& memory, const torch::Tensor& rows = {});

  // True where scores are computed by ops/gru_attention.h's kernels: additive ones in float32 on a device that has
  // them.
  bool has_kernel(const torch::Tensor& keys) const;

  // See Seq2SeqImpl.
  void set_training_precision(Precision precision);
  void pack(Precision precision);
  void unpack();

  AttentionScore score() const { return score_; }
  double scale() const { return scale_; }

  // Weights that the fused decoder reads; null where the score has none.
  torch::nn::Linear query_weight{nullptr};  // W: H to A
  torch::nn::Linear key_weight{nullptr};    // U: D to A; W of general: D to H
  torch::nn::Linear score_weight{nullptr};  // v: A to 1
  torch::nn::Linear value_weight{nullptr};  // D to D, with bias; null unless value_projection

 private:
  AttentionScore score_;
  double scale_;
  WeightProduct query_product_;  // with query_weight
  WeightProduct key_product_;    // with key_weight
};
TORCH_MODULE(Attention);

// softmax over the last dimension that gives masked positions exactly 0: scores [N,S], mask [N,S] bool -> [N,S]
torch::Tensor masked_softmax(const torch::Tensor& scores, const torch::Tensor& mask);

// c_n = sum_j weights[n][j] values[n][j]: weights [N,S], values [N,S,D] -> [N,D]
torch::Tensor weighted_sum(const torch::Tensor& weights, const torch::Tensor& values);

}  // namespace nmt
