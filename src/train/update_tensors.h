#pragma once

#include <torch/types.h>

#include <vector>

#include "train/update_rules.h"

namespace nmt {

// What an update works on: weights, their gradients and moments, entry i of each belonging together and of one shape.
struct UpdateTensors {
  std::vector<torch::Tensor> weights;
  std::vector<torch::Tensor> gradients;  // used up
  std::vector<torch::Tensor> moments[2];
};

// The rules of update_rules.h as tensor operations, on any device.
void update(const AdamRule& rule, UpdateTensors& tensors);
void update(const SgdRule& rule, UpdateTensors& tensors);
void update(const AdadeltaRule& rule, UpdateTensors& tensors);

// Euclidean length of all tensors together (one transfer from the device).
double global_norm(const std::vector<torch::Tensor>& tensors);

}  // namespace nmt
