#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <vector>

#include "config/model_config.h"
#include "model/gru.h"
#include "ops/product_kernels.h"

namespace nmt {

// A batch of source sentences as the decoder sees it.
struct Encoded {
  torch::Tensor annotations;     // [B,S,D]: h_j = [forward_j ; backward_j], zero at padding
  torch::Tensor mask;            // [B,S] bool: true at real positions
  torch::Tensor lengths;         // [B] int64 on the CPU: real positions
  torch::Tensor last_forward;    // [B,D/2]: forward state after the last word
  torch::Tensor first_backward;  // [B,D/2]: backward state at the first word
};

// The bidirectional encoder (Bahdanau et al. 2014, section 3.2): one GRU reads the sentence forwards, one backwards,
// in 1..n layers. Padding never reaches either direction: a sentence gives the same annotations alone and in a batch.
class EncoderImpl : public torch::nn::Module {
 public:
  explicit EncoderImpl(const ModelConfig& config);

  // embedded [B,S,E], lengths [B] int64 on the CPU
  Encoded forward(const torch::Tensor& embedded, const torch::Tensor& lengths);

  void set_training_precision(Precision precision) { training_precision_ = precision; }

  // What products without gradients are computed in from now on. Weights are rounded anew for each batch, which pays
  // for int8 with our own kernels only: without them it is float32.
  void pack(Precision precision) {
    const bool pays = precision != Precision::kInt8 || product_kernels(precision) != nullptr;
    precision_ = pays ? precision : Precision::kFloat32;
  }
  void unpack() { precision_ = Precision::kFloat32; }

 private:
  // Annotations [B,S,D] of the last layer: by our operator where it runs, by LibTorch's elsewhere.
  torch::Tensor run_operator(const torch::Tensor& embedded, const torch::Tensor& lengths);
  torch::Tensor run_library(const torch::Tensor& embedded, const torch::Tensor& lengths);

  std::vector<GruWeights> layers_;  // forward and backward of each layer in turn
  int64_t state_dim_;
  double dropout_;
  Precision training_precision_ = Precision::kFloat32;
  Precision precision_ = Precision::kFloat32;  // without gradients
};
TORCH_MODULE(Encoder);

}  // namespace nmt
