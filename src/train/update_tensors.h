#pragma once

#include <torch/types.h>

#include <vector>

#include "config/train_config.h"
#include "train/update_rules.h"

namespace nmt {

// What an update works on: weights, their gradients and moments, entry i of each belonging together and of one shape.
struct UpdateTensors {
  std::vector<torch::Tensor> weights;
  std::vector<torch::Tensor> gradients;  // used up
  std::vector<torch::Tensor> moments[2];
};

// The rules of update_rules.h as tensor operations, on any device.
void update(const SgdRule& rule, UpdateTensors& tensors);
void update(const AdadeltaRule& rule, UpdateTensors& tensors);

// AdamRule by LibTorch's fused operator, for update `t` ([] float32) of gradients to be divided by `excess` ([]
// float32). Where `bad` ([] float32) is 1 nothing is changed. All three are on the weights' device: nothing is read
// back.
struct AdamTensors {
  torch::Tensor t, excess, bad;
};
void update(const OptimizerConfig& config, double learning_rate, const AdamTensors& numbers, UpdateTensors& tensors);

// Euclidean length of all tensors together: [] float64 on their device.
torch::Tensor global_norm(const std::vector<torch::Tensor>& tensors);

}  // namespace nmt
