#include "model/decoder.h"

#include <vector>

#include "ops/dropout.h"
#include "ops/gru_attention.h"

namespace nmt {

DecoderImpl::DecoderImpl(const ModelConfig& config) : config_(config), annotation_dim_(2 * config.encoder_dim) {
  const int64_t init_dim = config.decoder_init == DecoderInit::kBackward ? config.encoder_dim : annotation_dim_;
  init_ = register_module("init", torch::nn::Linear(init_dim, config.decoder_dim));
  if (config.attention != AttentionScore::kNone) {
    attention_ = register_module("attention", Attention(config, config.decoder_dim, annotation_dim_));
  }
  if (config.decoder_cell == DecoderCell::kGru) {
    cell_ = register_module("cell", GruWeights(config.embedding_dim + annotation_dim_, config.decoder_dim));
  } else {
    cell_ = register_module("cell", GruWeights(config.embedding_dim, config.decoder_dim));
    context_cell_ = register_module("context_cell", GruWeights(annotation_dim_, config.decoder_dim));
  }
}

DecoderMemory DecoderImpl::prepare(const Encoded& encoded) {
  DecoderMemory memory;
  if (attention_.is_empty()) {
    memory.fixed = at::cat({encoded.last_forward, encoded.first_backward}, 1);
  } else {
    memory.attention = attention_->prepare(encoded.annotations, encoded.mask, encoded.lengths);
  }
  return memory;
}

torch::Tensor DecoderImpl::initial_state(const Encoded& encoded) {
  if (config_.decoder_init == DecoderInit::kBackward) return init_->forward(encoded.first_backward).tanh();
  const auto lengths = encoded.mask.sum(1, /*keepdim=*/true).to(encoded.annotations.dtype());
  return init_->forward(encoded.annotations.sum(1) / lengths).tanh();  // annotations are zero at padding
}

torch::Tensor DecoderImpl::word_gates(const torch::Tensor& embedded) const {
  return word_product_(embedded, word_weight(), cell_->input_bias);
}

DecoderStep DecoderImpl::advance(const torch::Tensor& gates, const torch::Tensor& state, const DecoderMemory& memory,
                                 const torch::Tensor& rows, const torch::Tensor& context_mask) {
  const bool conditional = !context_cell_.is_empty();
  const auto query = conditional ? cell_->advance(gates, state) : state;
  DecoderStep out;
  if (attention_.is_empty()) {
    out.context = rows.defined() ? memory.fixed.index_select(0, rows) : memory.fixed;
  } else {
    AttentionResult attended = attention_->attend(query, memory.attention, rows);
    out.context = attended.context;
    out.weights = attended.weights;
  }
  const auto input = context_mask.defined() ? out.context * context_mask : out.context;
  if (conditional) {
    out.state = context_cell_->advance(context_gates(input), query);
  } else {
    out.state = cell_->advance(gates + context_gates(input), state);
  }
  return out;
}

DecoderStep DecoderImpl::step(const torch::Tensor& embedded, const torch::Tensor& state, const DecoderMemory& memory,
                              const torch::Tensor& rows) {
  return advance(word_gates(embedded), state, memory, rows, {});
}

torch::Tensor DecoderImpl::word_weight() const { return cell_->input_weight.narrow(1, 0, config_.embedding_dim); }

torch::Tensor DecoderImpl::context_weight() const {
  if (!context_cell_.is_empty()) return context_cell_->input_weight;
  return cell_->input_weight.narrow(1, config_.embedding_dim, annotation_dim_);
}

torch::Tensor DecoderImpl::context_gates(const torch::Tensor& context) const {
  return context_product_(context, context_weight(),
                          context_cell_.is_empty() ? torch::Tensor() : context_cell_->input_bias);
}

void DecoderImpl::set_training_precision(Precision precision) {
  word_product_.set_training_precision(precision);
  context_product_.set_training_precision(precision);
  cell_->recurrent_product.set_training_precision(precision);
  if (!context_cell_.is_empty()) context_cell_->recurrent_product.set_training_precision(precision);
  if (!attention_.is_empty()) attention_->set_training_precision(precision);
}

void DecoderImpl::pack(Precision precision) {
  word_product_.pack(word_weight(), cell_->input_bias, precision);
  context_product_.pack(context_weight(), context_cell_.is_empty() ? torch::Tensor() : context_cell_->input_bias,
                        precision);
  for (GruWeights cell : {cell_, context_cell_}) {
    if (!cell.is_empty()) cell->recurrent_product.pack(cell->recurrent_weight, cell->recurrent_bias, precision);
  }
  if (!attention_.is_empty()) attention_->pack(precision);
}

void DecoderImpl::unpack() {
  word_product_.unpack();
  context_product_.unpack();
  cell_->recurrent_product.unpack();
  if (!context_cell_.is_empty()) context_cell_->recurrent_product.unpack();
  if (!attention_.is_empty()) attention_->unpack();
}

torch::Tensor DecoderImpl::context_dropout_mask(const torch::Tensor& embedded) const {
  if (!is_training() || config_.dropout_recurrent == 0) return {};
  const auto ones = at::ones({embedded.size(1), embedded.size(0), annotation_dim_}, embedded.options());
  return inverted_dropout(ones, config_.dropout_recurrent, true);
}

DecoderOutput DecoderImpl::forward(const torch::Tensor& embedded, const torch::Tensor& state,
                                   const DecoderMemory& memory) {
  const bool fused = config_.decoder_cell == DecoderCell::kGru && !attention_.is_empty() &&
                     attention_->has_kernel(memory.attention.keys);
  return fused ? forward_fused(embedded, state, memory) : forward_by_steps(embedded, state, memory);
}

DecoderOutput DecoderImpl::forward_by_steps(const torch::Tensor& embedded, const torch::Tensor& first_state,
                                            const DecoderMemory& memory) {
  const auto gates = word_gates(embedded);
  const auto masks = context_dropout_mask(embedded);
  torch::Tensor state = first_state;
  std::vector<torch::Tensor> states;
  std::vector<torch::Tensor> contexts;
  for (int64_t t = 0; t < embedded.size(1); ++t) {
    DecoderStep out = advance(gates.select(1, t), state, memory, {}, masks.defined() ? masks[t] : masks);
    state = out.state;
    states.push_back(out.state);
    contexts.push_back(out.context);
  }
  return {at::stack(states, 1), at::stack(contexts, 1)};
}

DecoderOutput DecoderImpl::forward_fused(const torch::Tensor& embedded, const torch::Tensor& state,
                                         const DecoderMemory& memory) {
  GruAttentionInputs inputs;
  inputs.word_gates = word_gates(embedded.transpose(0, 1).contiguous());
  inputs.state = state;
  inputs.keys = memory.attention.keys;
  inputs.values = memory.attention.values;
  inputs.query_weight = attention_->query_weight->weight;
  inputs.score_weight = attention_->score_weight->weight;
  inputs.context_weight = context_weight();
  inputs.recurrent_weight = cell_->recurrent_weight;
  inputs.recurrent_bias = cell_->recurrent_bias;
  inputs.lengths = memory.attention.lengths;
  inputs.context_mask = context_dropout_mask(embedded);
  inputs.scale = attention_->scale();
  inputs.with_tanh = attention_->score() == AttentionScore::kAdditive;
  inputs.precision = word_product_.training_precision();
  const GruAttentionOutputs out = gru_attention(inputs);
  return {out.states.transpose(0, 1), out.contexts.transpose(0, 1)};
}

}  // namespace nmt
