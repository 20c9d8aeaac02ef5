#include "model/readout.h"

#include "ops/dropout.h"

namespace nmt {

ReadoutLayerImpl::ReadoutLayerImpl(const ModelConfig& config)
    : kind_(config.readout), dropout_(config.dropout_readout) {
  if (kind_ == Readout::kLinear) return;
  const int64_t inputs = config.decoder_dim + config.embedding_dim + 2 * config.encoder_dim;
  const int64_t outputs = kind_ == Readout::kMaxout ? 2 * config.readout_dim : config.readout_dim;
  hidden_ = register_module("hidden", torch::nn::Linear(inputs, outputs));
}

int64_t ReadoutLayerImpl::output_dim(const ModelConfig& config) {
  return config.readout == Readout::kLinear ? config.decoder_dim + 2 * config.encoder_dim : config.readout_dim;
}

torch::Tensor ReadoutLayerImpl::forward(const torch::Tensor& state, const torch::Tensor& embedded,
                                        const torch::Tensor& context) {
  torch::Tensor out;
  switch (kind_) {
    case Readout::kLinear: out = at::cat({state, context}, -1); break;
    case Readout::kTanh:
      out = product_(at::cat({state, embedded, context}, -1), hidden_->weight, hidden_->bias).tanh();
      break;
    case Readout::kMaxout:
      out = product_(at::cat({state, embedded, context}, -1), hidden_->weight, hidden_->bias)
                .unflatten(-1, {-1, 2})
                .amax(-1);
      break;
  }
  return inverted_dropout(out, dropout_, is_training());
}

void ReadoutLayerImpl::pack(Precision precision) {
  if (!hidden_.is_empty()) product_.pack(hidden_->weight, hidden_->bias, precision);
}

}  // namespace nmt
