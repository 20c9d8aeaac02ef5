#include "train/update_tensors.h"

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcmul.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_foreach_sqrt.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/stack.h>

namespace nmt {

namespace {

void scale_and_penalise(UpdateTensors& tensors, float clip, float l2) {
  if (clip != 1) at::_foreach_mul_(tensors.gradients, clip);
  if (l2 != 0) at::_foreach_add_(tensors.gradients, tensors.weights, l2);
}

// mean = decay * mean + (1 - decay) * values^2
void decay_square(std::vector<torch::Tensor>& mean, const std::vector<torch::Tensor>& values, float decay) {
  at::_foreach_mul_(mean, decay);
  at::_foreach_addcmul_(mean, values, values, 1 - decay);
}

}  // namespace

void update(const OptimizerConfig& config, double learning_rate, const AdamTensors& numbers, UpdateTensors& tensors) {
  const std::vector<torch::Tensor> steps(tensors.weights.size(), numbers.t);
  const bool decoupled = config.kind == OptimizerKind::kAdamW;
  const auto run = decoupled ? &at::_ops::_fused_adamw_::call : &at::_ops::_fused_adam_::call;
  run(tensors.weights, tensors.gradients, tensors.moments[0], tensors.moments[1], /*max_exp_avg_sqs=*/{}, steps,
      learning_rate, config.beta1, config.beta2, config.weight_decay, config.epsilon, /*amsgrad=*/false,
      /*maximize=*/false, numbers.excess, numbers.bad);
}

void update(const SgdRule& rule, UpdateTensors& tensors) {
  auto& buffers = tensors.moments[0];
  scale_and_penalise(tensors, rule.clip, rule.l2);
  at::_foreach_mul_(buffers, rule.momentum);
  at::_foreach_add_(buffers, tensors.gradients, 1);
  at::_foreach_add_(tensors.weights, buffers, -rule.step);
}

void update(const AdadeltaRule& rule, UpdateTensors& tensors) {
  auto& [square, delta_square] = tensors.moments;
  scale_and_penalise(tensors, rule.clip, rule.l2);
  decay_square(square, tensors.gradients, rule.rho);
  std::vector<torch::Tensor> deltas = at::_foreach_add(delta_square, rule.epsilon);
  at::_foreach_div_(deltas, at::_foreach_add(square, rule.epsilon));
  at::_foreach_sqrt_(deltas);
  at::_foreach_mul_(deltas, tensors.gradients);
  decay_square(delta_square, deltas, rule.rho);
  at::_foreach_add_(tensors.weights, deltas, -rule.step);
}

torch::Tensor global_norm(const std::vector<torch::Tensor>& tensors) {
  return at::stack(at::_foreach_norm(tensors)).to(at::kDouble).norm();
}

}  // namespace nmt
