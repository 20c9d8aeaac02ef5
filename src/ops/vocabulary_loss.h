#pragma once

#include <torch/types.h>

#include <optional>

#include "ops/product.h"

namespace nmt {

// The training loss of a batch, summed over its real target positions.
struct VocabularyLoss {
  torch::Tensor smoothed;  // [] label-smoothed cross-entropy; differentiable; what training minimises
  torch::Tensor nll;       // [] negative log-likelihood, natural log; exp(nll / tokens) is the perplexity
  int64_t tokens = 0;      // real positions
};

// Projection to the vocabulary, log-softmax and label-smoothed cross-entropy in one:
//
//   z = W r + b;  p = softmax(z);  loss = -(1 - s) log p[y] - s / V sum_v log p[v]      (Szegedy et al. 2016, section
//   7)
//
// states [..,R] float32 (r), weight [V,R], bias [V], targets [..] int64 (y; `padding` marks positions to leave out),
// smoothing s in [0,1). Real positions are worked on in chunks, each chunk's gradient is made while its probabilities
// are at hand, and nothing of size positions x V is ever held. precision, kFloat32 or
// kBfloat16, is that of the matrix products. `tokens` is the number of real positions, where the caller knows it: a GPU
// is then not waited for to count them.
VocabularyLoss vocabulary_loss(const torch::Tensor& states, const torch::Tensor& weight, const torch::Tensor& bias,
                               const torch::Tensor& targets, double smoothing,
                               Precision precision = Precision::kFloat32, std::optional<int64_t> tokens = {},
                               int64_t padding = 0);

// The same by plain operators, for reference and for tests.
VocabularyLoss vocabulary_loss_plain(const torch::Tensor& states, const torch::Tensor& weight,
                                     const torch::Tensor& bias, const torch::Tensor& targets, double smoothing,
                                     int64_t padding = 0);

}  // namespace nmt
