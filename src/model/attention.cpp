#include "model/attention.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "ops/gru_attention.h"
#include "tensor/transfer.h"

namespace nmt {

namespace {

bool is_additive(AttentionScore score) {
  return score == AttentionScore::kAdditive || score == AttentionScore::kAdditiveLinear;
}

torch::nn::Linear without_bias(int64_t in, int64_t out) {
  return torch::nn::Linear(torch::nn::LinearOptions(in, out).bias(false));
}

double scale_of(const ModelConfig& config, int64_t annotation_dim) {
  if (config.attention == AttentionScore::kScaledDot) return 1 / std::sqrt(static_cast<double>(annotation_dim));
  if (is_additive(config.attention) && config.score_scale == ScoreScale::kSqrt) {
    return 1 / std::sqrt(static_cast<double>(config.attention_dim));
  }
  return 1;
}

}  // namespace

AttentionImpl::AttentionImpl(const ModelConfig& config, int64_t query_dim, int64_t annotation_dim)
    : score_(config.attention), scale_(scale_of(config, annotation_dim)) {
  if (is_additive(score_)) {
    query_weight = register_module("query", without_bias(query_dim, config.attention_dim));
    key_weight = register_module("key", without_bias(annotation_dim, config.attention_dim));
    score_weight = register_module("score", without_bias(config.attention_dim, 1));
  } else if (score_ == AttentionScore::kGeneral) {
    key_weight = register_module("key", without_bias(annotation_dim, query_dim));
  } else if (query_dim != annotation_dim) {
    throw UsageError("model.attention: dot products need a decoder state as large as an annotation; decoder_dim is " +
                     std::to_string(query_dim) + ", 2 x encoder_dim is " + std::to_string(annotation_dim) + ".");
  }
  if (config.value_projection) {
    value_weight = register_module("value", torch::nn::Linear(annotation_dim, annotation_dim));
  }
}

AttentionMemory AttentionImpl::prepare(const torch::Tensor& annotations, const torch::Tensor& mask,
                                       const torch::Tensor& lengths) {
  AttentionMemory memory;
  const auto read_often = annotations.contiguous();
  memory.keys = key_weight.is_empty() ? read_often : key_product_(read_often, key_weight->weight);
  // The weights sum to 1, so projecting the annotations once is projecting every context.
  memory.values = value_weight.is_empty() ? read_often : value_weight->forward(read_often);
  memory.mask = mask;
  memory.lengths = has_kernel(memory.keys) ? moved_to(lengths, memory.keys.device()) : lengths;
  return memory;
}

torch::Tensor AttentionImpl::scores(const torch::Tensor& query, const torch::Tensor& keys) {
  torch::Tensor raw;
  if (is_additive(score_)) {
    torch::Tensor hidden = query_product_(query, query_weight->weight).unsqueeze(1) + keys;  // [N,S,A]
    if (score_ == AttentionScore::kAdditive) hidden = hidden.tanh();
    raw = score_weight->forward(hidden).squeeze(2);
  } else {
    raw = at::bmm(keys, query.unsqueeze(2)).squeeze(2);
  }
  return scale_ == 1 ? raw : raw * scale_;
}

AttentionResult AttentionImpl::attend(const torch::Tensor& query, const AttentionMemory& memory,
                                      const torch::Tensor& rows) {
  const bool with_gradient = at::GradMode::is_enabled() && (query.requires_grad() || memory.keys.requires_grad());
  if (has_kernel(memory.keys) && !with_gradient) {
    const AdditiveAttention out =
        additive_attention(query_product_(query, query_weight->weight), memory.keys, memory.values,
                           score_weight->weight, memory.lengths, rows, scale_, score_ == AttentionScore::kAdditive);
    return {out.context, out.weights};
  }
  const auto of_rows = [&](const torch::Tensor& tensor) {
    return rows.defined() ? tensor.index_select(0, rows) : tensor;
  };
  AttentionResult result;
  result.weights = masked_softmax(scores(query, of_rows(memory.keys)), of_rows(memory.mask));
  result.context = weighted_sum(result.weights, of_rows(memory.values));
  return result;
}

void AttentionImpl::set_training_precision(Precision precision) {
  query_product_.set_training_precision(precision);
  key_product_.set_training_precision(precision);
}

void AttentionImpl::pack(Precision precision) {
  if (!query_weight.is_empty()) query_product_.pack(query_weight->weight, {}, precision);
  if (!key_weight.is_empty()) key_product_.pack(key_weight->weight, {}, precision);
}

void AttentionImpl::unpack() {
  query_product_.unpack();
  key_product_.unpack();
}

bool AttentionImpl::has_kernel(const torch::Tensor& keys) const {
  return is_additive(score_) && keys.scalar_type() == torch::kFloat32 && has_attention_kernels(keys.device());
}

torch::Tensor masked_softmax(const torch::Tensor& scores, const torch::Tensor& mask) {
  return scores.masked_fill(mask.logical_not(), -std::numeric_limits<float>::infinity()).softmax(-1);
}

torch::Tensor weighted_sum(const torch::Tensor& weights, const torch::Tensor& values) {
  return at::bmm(weights.unsqueeze(1), values).squeeze(1);
}

}  // namespace nmt
