#include "model/encoder.h"

#include <torch/nn/utils/rnn.h>

#include "ops/bidirectional_gru.h"
#include "ops/dropout.h"
#include "tensor/shape.h"
#include "tensor/transfer.h"

namespace nmt {

EncoderImpl::EncoderImpl(const ModelConfig& config)
    : state_dim_(config.encoder_dim), dropout_(config.dropout_recurrent) {
  for (int64_t layer = 0; layer < config.encoder_layers; ++layer) {
    const int64_t input_dim = layer == 0 ? config.embedding_dim : 2 * config.encoder_dim;
    for (const char* direction : {"forward", "backward"}) {
      const std::string name = std::string(direction) + "_" + std::to_string(layer);
      layers_.emplace_back(register_module(name, GruWeights(input_dim, config.encoder_dim)));
    }
  }
}

Encoded EncoderImpl::forward(const torch::Tensor& embedded, const torch::Tensor& lengths) {
  check_shape(lengths, {embedded.size(0)}, "source lengths");
  const bool has_operator = embedded.scalar_type() == torch::kFloat32 && has_bidirectional_gru(embedded.device());
  Encoded encoded;
  encoded.annotations = has_operator ? run_operator(embedded, lengths) : run_library(embedded, lengths);
  encoded.lengths = lengths;
  encoded.mask = length_mask(lengths, embedded.size(1), embedded.device());
  const auto ends = moved_to(lengths - 1, embedded.device()).view({-1, 1, 1}).expand({-1, 1, state_dim_});
  encoded.last_forward = encoded.annotations.narrow(2, 0, state_dim_).gather(1, ends).squeeze(1);
  encoded.first_backward = encoded.annotations.select(1, 0).narrow(1, state_dim_, state_dim_);
  return encoded;
}

torch::Tensor EncoderImpl::run_operator(const torch::Tensor& embedded, const torch::Tensor& lengths) {
  const auto both = [&](size_t layer, const torch::Tensor GruWeightsImpl::*weight) {
    return at::cat({(*layers_[layer]).*weight, (*layers_[layer + 1]).*weight});
  };
  const Precision precision = at::GradMode::is_enabled() ? training_precision_ : precision_;
  auto states = embedded.transpose(0, 1).contiguous();  // [S,B,E], then [S,B,D]
  for (size_t layer = 0; layer < layers_.size(); layer += 2) {
    if (layer > 0) states = inverted_dropout(states, dropout_, is_training());
    BidirectionalGruInputs inputs;
    inputs.input_gates = product(states, both(layer, &GruWeightsImpl::input_weight),
                                 both(layer, &GruWeightsImpl::input_bias), precision);
    inputs.recurrent_weight = both(layer, &GruWeightsImpl::recurrent_weight);
    inputs.recurrent_bias = both(layer, &GruWeightsImpl::recurrent_bias);
    inputs.lengths = lengths;
    inputs.precision = precision;
    states = bidirectional_gru(inputs);
  }
  return states.transpose(0, 1);
}

torch::Tensor EncoderImpl::run_library(const torch::Tensor& embedded, const torch::Tensor& lengths) {
  std::vector<torch::Tensor> weights;
  for (const GruWeights& layer : layers_) {
    for (const torch::Tensor& weight : layer->flat()) weights.push_back(weight);
  }
  // As torch::nn::utils::rnn::pack_padded_sequence, which would make a GPU finish its work before the order is copied.
  const auto [sorted_lengths, order_on_cpu] = lengths.sort(/*dim=*/0, /*descending=*/true);
  const auto order = moved_to(order_on_cpu, embedded.device());
  const auto [rows, batch_sizes] =
      at::_pack_padded_sequence(embedded.index_select(0, order), sorted_lengths, /*batch_first=*/true);
  const torch::nn::utils::rnn::PackedSequence packed(rows, batch_sizes, order, {});
  const auto layers = static_cast<int64_t>(layers_.size()) / 2;
  const auto start = torch::zeros({2 * layers, embedded.size(0), state_dim_}, embedded.options());
  const auto data = std::get<0>(at::gru(packed.data(), packed.batch_sizes(), start, weights, /*has_biases=*/true,
                                        layers, dropout_, is_training(), /*bidirectional=*/true));
  const auto output = torch::nn::utils::rnn::PackedSequence(data, packed.batch_sizes(), packed.sorted_indices(),
                                                            packed.unsorted_indices());
  return std::get<0>(torch::nn::utils::rnn::pad_packed_sequence(output, /*batch_first=*/true, /*padding_value=*/0.0,
                                                                /*total_length=*/embedded.size(1)));
}

}  // namespace nmt
