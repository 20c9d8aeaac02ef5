#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include "config/model_config.h"
#include "ops/product.h"

namespace nmt {

// From the decoder's state, the previous word and the context to what the vocabulary is scored from.
//   linear  [s ; c]                                       R = H + D
//   tanh    tanh(W [s ; e ; c] + b)                        R = readout_dim
//   maxout  pairs of W [s ; e ; c] + b, the larger of each R = readout_dim (Bahdanau et al. 2014, appendix A.2.2)
class ReadoutLayerImpl : public torch::nn::Module {
 public:
  explicit ReadoutLayerImpl(const ModelConfig& config);

  // state [..,H], embedded [..,E], context [..,D] -> [..,R]
  torch::Tensor forward(const torch::Tensor& state, const torch::Tensor& embedded, const torch::Tensor& context);

  // See Seq2SeqImpl.
  void set_training_precision(Precision precision) { product_.set_training_precision(precision); }
  void pack(Precision precision);
  void unpack() { product_.unpack(); }

  static int64_t output_dim(const ModelConfig& config);  // R

 private:
  Readout kind_;
  double dropout_;
  torch::nn::Linear hidden_{nullptr};
  WeightProduct product_;  // with hidden_'s weight
};
TORCH_MODULE(ReadoutLayer);

}  // namespace nmt
