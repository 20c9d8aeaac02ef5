#include "model/encoder.h"

#include <torch/nn/utils/rnn.h>

#include "tensor/shape.h"

namespace nmt {

EncoderImpl::EncoderImpl(const ModelConfig& config)
    : state_dim_(config.encoder_dim), dropout_(config.dropout_recurrent) {
  for (int64_t layer = 0; layer < config.encoder_layers; ++layer) {
    const int64_t input_dim = layer == 0 ? config.embedding_dim : 2 * config.encoder_dim;
    for (const char* direction : {"forward", "backward"}) {
      layers_.push_back(register_module(std::string(direction) + "_" + std::to_string(layer),
                                        GruWeights(input_dim, config.encoder_dim)));
    }
  }
}

Encoded EncoderImpl::forward(const torch::Tensor& embedded, const torch::Tensor& lengths) {
  check_shape(lengths, {embedded.size(0)}, "source lengths");
  std::vector<torch::Tensor> weights;
  for (const GruWeights& layer : layers_) {
    for (const torch::Tensor& weight : layer->flat()) weights.push_back(weight);
  }
  const auto packed = torch::nn::utils::rnn::pack_padded_sequence(embedded, lengths, /*batch_first=*/true,
                                                                  /*enforce_sorted=*/false);
  const auto layers = static_cast<int64_t>(layers_.size()) / 2;
  const auto start = torch::zeros({2 * layers, embedded.size(0), state_dim_}, embedded.options());
  const auto [data, last] = at::gru(packed.data(), packed.batch_sizes(), start, weights, /*has_biases=*/true, layers,
                                    dropout_, is_training(), /*bidirectional=*/true);
  const auto output = torch::nn::utils::rnn::PackedSequence(data, packed.batch_sizes(), packed.sorted_indices(),
                                                            packed.unsorted_indices());
  Encoded encoded;
  encoded.annotations = std::get<0>(torch::nn::utils::rnn::pad_packed_sequence(
      output, /*batch_first=*/true, /*padding_value=*/0.0, /*total_length=*/embedded.size(1)));
  encoded.lengths = lengths;
  encoded.mask = length_mask(lengths, embedded.size(1), embedded.device());
  const auto in_order = last.index_select(1, packed.unsorted_indices());
  encoded.last_forward = in_order[2 * layers - 2];
  encoded.first_backward = in_order[2 * layers - 1];
  return encoded;
}

}  // namespace nmt
