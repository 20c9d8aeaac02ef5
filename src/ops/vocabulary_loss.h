#pragma once

#include <torch/types.h>

#include <optional>

#include "ops/precision.h"

namespace nmt {

// The training loss of a batch, summed over its real target positions.
struct VocabularyLoss {
  torch::Tensor objective;  // [] `smoothed` times the scale; differentiable; what training minimises
  torch::Tensor smoothed;   // [] label-smoothed cross-entropy
  torch::Tensor nll;        // [] negative log-likelihood, natural log; exp(nll / tokens) is the perplexity
  int64_t tokens = 0;       // real positions
};

struct VocabularyLossOptions {
  double smoothing = 0;                       // s, in [0,1)
  double scale = 1;                           // of the objective, as 1 / tokens for a mean
  Precision precision = Precision::kFloat32;  // of the matrix products
  int64_t padding = 0;                        // the target that marks positions to leave out
  // Real positions, where the caller knows them: a GPU isn't waited for to count them.
  std::optional<int64_t> tokens = std::nullopt;
};

// Projection to the vocabulary, log-softmax and label-smoothed cross-entropy in one:
//
//   z = W r + b;  p = softmax(z);  loss = -(1 - s) log p[y] - s / V sum_v log p[v]   (Szegedy et al. 2016, section 7)
//
// states [..,R] float32 (r), weight [V,R], bias [V], targets [..] int64 (y). Real positions are worked on in chunks,
// each chunk's gradient is made while its probabilities are at hand, and nothing of size positions x V is ever held.
// Gradients come scaled: a backward pass that starts at the objective itself has nothing to multiply.
VocabularyLoss vocabulary_loss(const torch::Tensor& states, const torch::Tensor& weight, const torch::Tensor& bias,
                               const torch::Tensor& targets, const VocabularyLossOptions& options = {});

// The same by plain operators, for reference and for tests; the precision is float32.
VocabularyLoss vocabulary_loss_plain(const torch::Tensor& states, const torch::Tensor& weight,
                                     const torch::Tensor& bias, const torch::Tensor& targets,
                                     const VocabularyLossOptions& options = {});

}  // namespace nmt
