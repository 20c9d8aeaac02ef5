#pragma once

#include <torch/nn/module.h>
#include <torch/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "config/train_config.h"
#include "model/safetensors.h"
#include "ops/kernels.h"

namespace nmt {

// What one update did.
struct UpdateReport {
  double gradient_norm = 0;  // before clipping
  bool applied = false;      // false where the norm isn't finite: weights and moments are as they were
};

// Changes the parameters of a model by their gradients. Global norm, clipping and update walk the memory twice: once
// over the gradients for the norm, once over everything. Float32 parameters; on the CPU fixed pieces of the parameters
// are shared out between the threads, so the result doesn't depend on their number; elsewhere, and where `fused` is
// false, the same formulas run as tensor operations.
class Optimizer {
 public:
  // The parameters that require a gradient, by the names the model gives them. They may be changed and moved between
  // devices by others only before this.
  Optimizer(const torch::nn::Module& model, const OptimizerConfig& config, bool fused = true);

  // One update from the gradients that are there (parameters without one stay), which are gone afterwards.
  UpdateReport step(double learning_rate);

  void clear_gradients();

  int64_t updates() const;  // applied so far; t of Adam's bias correction

  // Everything that the next update depends on beside weights and gradients, by name: "updates" ([1] int64), and for
  // each parameter "first.<name>" and "second.<name>", the moments of its rule. The tensors are the optimizer's own:
  // what is copied into them is its new state.
  NamedTensors state() const;

 private:
  struct Parameter {
    std::string name;
    torch::Tensor weight;
    std::vector<torch::Tensor> moments;  // of the shape of the weight
  };
  // What one thread works on at a time: a piece of one parameter.
  struct Piece {
    size_t parameter = 0;
    int64_t begin = 0;
    int64_t size = 0;
  };

  double gradient_norm(const std::vector<torch::Tensor>& gradients) const;
  template <class Rule>
  void apply(const Rule& rule, const std::vector<torch::Tensor>& gradients);
  template <class Rule>
  void apply_fused(const Rule& rule, const std::vector<torch::Tensor>& gradients);

  OptimizerConfig config_;
  bool fused_;
  std::vector<Parameter> parameters_;
  std::vector<Piece> pieces_;
  torch::Tensor updates_;  // [1] int64, CPU
};

}  // namespace nmt
