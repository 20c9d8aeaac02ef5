#pragma once

#include <torch/nn/module.h>
#include <torch/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "config/train_config.h"
#include "model/safetensors.h"
#include "ops/kernels.h"
#include "train/update_tensors.h"

namespace nmt {

// Changes the parameters of a model by their gradients. Global norm, clipping and update walk the memory twice: once
// over the gradients for the norm, once over everything. Float32 parameters; on the CPU fixed pieces of the parameters
// are shared out between the threads, so the result doesn't depend on their number; elsewhere, and where `fused` is
// false, the same formulas run as tensor operations, of which Adam's don't wait for the device.
class Optimizer {
 public:
  // The parameters that require a gradient, by the names the model gives them. They may be changed and moved between
  // devices by others only before this.
  Optimizer(const torch::nn::Module& model, const OptimizerConfig& config, bool fused = true);

  // One update from the gradients that are there (parameters without one stay), which are gone afterwards. Gives their
  // norm before clipping, [] float64 on the parameters' device. Where it isn't finite nothing was changed; it is not a
  // number where `loss` ([], of which the gradients are) isn't finite.
  torch::Tensor step(double learning_rate, const torch::Tensor& loss = {});

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

  torch::Tensor step_by_loops(double learning_rate, const torch::Tensor& loss);
  torch::Tensor step_by_tensors(double learning_rate, const torch::Tensor& loss);
  double clip_factor(double norm) const;
  double norm_by_loops(const std::vector<torch::Tensor>& gradients) const;
  template <class Rule>
  void apply_loops(const Rule& rule, const std::vector<torch::Tensor>& gradients);
  UpdateTensors tensors_with_gradients() const;

  OptimizerConfig config_;
  bool fused_;
  std::vector<Parameter> parameters_;
  std::vector<Piece> pieces_;
  torch::Tensor updates_;  // [1] int64, on the parameters' device
};

}  // namespace nmt
