#include "model/seq2seq.h"

#include "base/error.h"
#include "model/initialization.h"
#include "ops/dropout.h"

namespace nmt {

Seq2SeqImpl::Seq2SeqImpl(const ModelConfig& config, int64_t source_vocab, int64_t target_vocab)
    : config_(config), source_vocab_(source_vocab), target_vocab_(target_vocab) {
  const int64_t readout_dim = ReadoutLayerImpl::output_dim(config);
  if (config.tying == Tying::kAll && source_vocab != target_vocab) {
    throw UsageError("model.tying: 'all' needs one vocabulary for both languages; the source has " +
                     std::to_string(source_vocab) + " pieces, the target " + std::to_string(target_vocab) + ".");
  }
  if (config.tying != Tying::kNone && readout_dim != config.embedding_dim) {
    throw UsageError("model.tying: the output can share the embedding only where the readout has its size; it has " +
                     std::to_string(readout_dim) + ", embedding_dim is " + std::to_string(config.embedding_dim) + ".");
  }
  if (config.tying != Tying::kAll) {
    source_embedding_ = register_parameter("source_embedding", torch::empty({source_vocab, config.embedding_dim}));
  }
  target_embedding_ = register_parameter("target_embedding", torch::empty({target_vocab, config.embedding_dim}));
  if (config.tying == Tying::kAll) source_embedding_ = target_embedding_;
  encoder_ = register_module("encoder", Encoder(config));
  decoder_ = register_module("decoder", Decoder(config));
  readout_ = register_module("readout", ReadoutLayer(config));
  if (config.tying == Tying::kNone) {
    output_weight_ = register_parameter("output_weight", torch::empty({target_vocab, readout_dim}));
  }
  output_bias_ = register_parameter("output_bias", torch::empty({target_vocab}));
  initialize_parameters(*this);
}

torch::Tensor Seq2SeqImpl::forward(const torch::Tensor& source, const torch::Tensor& source_lengths,
                                   const torch::Tensor& target_input) {
  const Encoded encoded = encode(source, source_lengths);
  const auto embedded = embed(target_embedding_, target_input);  // [B,T,E]
  const DecoderOutput out = decoder_->forward(embedded, decoder_->initial_state(encoded), decoder_->prepare(encoded));
  return readout_->forward(out.states, embedded, out.contexts);
}

Seq2SeqImpl::Start Seq2SeqImpl::start(const torch::Tensor& source, const torch::Tensor& source_lengths) {
  const Encoded encoded = encode(source, source_lengths);
  return {decoder_->prepare(encoded), decoder_->initial_state(encoded)};
}

Seq2SeqImpl::Step Seq2SeqImpl::step(const torch::Tensor& last_pieces, const torch::Tensor& state,
                                    const DecoderMemory& memory, const torch::Tensor& rows) {
  const auto embedded = embed(target_embedding_, last_pieces);  // [N,E]
  const DecoderStep out = decoder_->step(embedded, state, memory, rows);
  return {out.state, readout_->forward(out.state, embedded, out.context), out.weights};
}

torch::Tensor Seq2SeqImpl::scores(const torch::Tensor& readout) {
  return output_product_(readout, output_weight(), output_bias_);
}

void Seq2SeqImpl::set_training_precision(Precision precision) {
  check_training_precision(precision, output_bias_.device());
  training_precision_ = precision;
  encoder_->set_training_precision(precision);
  decoder_->set_training_precision(precision);
  readout_->set_training_precision(precision);
}

void Seq2SeqImpl::pack(Precision precision) {
  check_precision(precision, output_bias_.device());
  encoder_->pack(precision);
  decoder_->pack(precision);
  readout_->pack(precision);
  output_product_.pack(output_weight(), output_bias_, precision);
}

void Seq2SeqImpl::unpack() {
  encoder_->unpack();
  decoder_->unpack();
  readout_->unpack();
  output_product_.unpack();
}

const torch::Tensor& Seq2SeqImpl::output_weight() const {
  return output_weight_.defined() ? output_weight_ : target_embedding_;
}

int64_t Seq2SeqImpl::parameter_count() const {
  int64_t count = 0;
  for (const torch::Tensor& parameter : parameters()) count += parameter.numel();
  return count;
}

Encoded Seq2SeqImpl::encode(const torch::Tensor& source, const torch::Tensor& source_lengths) {
  return encoder_->forward(embed(source_embedding_, source), source_lengths);
}

torch::Tensor Seq2SeqImpl::embed(const torch::Tensor& embedding, const torch::Tensor& pieces) const {
  return inverted_dropout(at::embedding(embedding, pieces), config_.dropout_embedding, is_training());
}

}  // namespace nmt
