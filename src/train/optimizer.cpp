#include "train/optimizer.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>
#include <variant>

#include "train/update_loops.h"

namespace nmt {

namespace {

constexpr int64_t kPieceSize = 1 << 15;
constexpr const char* kMomentNames[2] = {"first.", "second."};

using Rule = std::variant<AdamRule, SgdRule, AdadeltaRule>;

int moments_of(OptimizerKind kind) { return kind == OptimizerKind::kSgd ? SgdRule::kMoments : AdamRule::kMoments; }

// The rule for update t (from 1) of gradients that are to be multiplied by `clip`.
Rule make_rule(const OptimizerConfig& config, double learning_rate, double clip, int64_t t) {
  const auto f = [](double value) { return static_cast<float>(value); };
  const bool decoupled = config.kind == OptimizerKind::kAdamW;
  const double l2 = decoupled ? 0 : config.weight_decay;
  switch (config.kind) {
    case OptimizerKind::kAdam:
    case OptimizerKind::kAdamW: break;
    case OptimizerKind::kSgd: return SgdRule{f(clip), f(l2), f(config.momentum), f(learning_rate)};
    case OptimizerKind::kAdadelta:
      return AdadeltaRule{f(clip), f(l2), f(config.rho), f(config.epsilon), f(learning_rate)};
  }
  AdamRule rule;
  rule.clip = f(clip);
  rule.l2 = f(l2);
  rule.keep = f(decoupled ? 1 - learning_rate * config.weight_decay : 1);
  rule.beta1 = f(config.beta1);
  rule.beta2 = f(config.beta2);
  rule.step = f(learning_rate / (1 - std::pow(config.beta1, static_cast<double>(t))));
  rule.correct = f(1 / std::sqrt(1 - std::pow(config.beta2, static_cast<double>(t))));
  rule.epsilon = f(config.epsilon);
  return rule;
}

}  // namespace

Optimizer::Optimizer(const torch::nn::Module& model, const OptimizerConfig& config, bool fused)
    : config_(config), fused_(fused) {
  const at::NoGradGuard no_grad;
  torch::Device device = torch::kCPU;
  for (const auto& entry : model.named_parameters()) {
    const torch::Tensor& weight = entry.value();
    if (!weight.requires_grad()) continue;
    fused_ = fused_ && weight.is_cpu() && weight.is_contiguous();
    device = weight.device();
    Parameter parameter{entry.key(), weight, {}};
    for (int i = 0; i < moments_of(config.kind); ++i) parameter.moments.push_back(at::zeros_like(weight));
    for (int64_t begin = 0; begin < weight.numel(); begin += kPieceSize) {
      pieces_.push_back({parameters_.size(), begin, std::min(kPieceSize, weight.numel() - begin)});
    }
    parameters_.push_back(std::move(parameter));
  }
  updates_ = at::zeros({1}, at::TensorOptions(device).dtype(at::kLong));
}

void Optimizer::clear_gradients() {
  for (Parameter& parameter : parameters_) parameter.weight.mutable_grad().reset();
}

torch::Tensor Optimizer::step(double learning_rate, const torch::Tensor& loss) {
  const at::NoGradGuard no_grad;
  const torch::Tensor norm = fused_ ? step_by_loops(learning_rate, loss) : step_by_tensors(learning_rate, loss);
  clear_gradients();
  return norm;
}

double Optimizer::clip_factor(double norm) const {
  return config_.clip_norm > 0 && norm > config_.clip_norm ? config_.clip_norm / norm : 1;
}

torch::Tensor Optimizer::step_by_loops(double learning_rate, const torch::Tensor& loss) {
  std::vector<torch::Tensor> gradients;  // one for each parameter; undefined where it has none
  for (const Parameter& parameter : parameters_) {
    const torch::Tensor& gradient = parameter.weight.grad();
    gradients.push_back(gradient.defined() ? gradient.contiguous() : gradient);
  }
  const bool good_loss = !loss.defined() || std::isfinite(loss.item<double>());
  const double norm = good_loss ? norm_by_loops(gradients) : std::nan("");
  if (std::isfinite(norm)) {
    updates_ += 1;
    std::visit([&](const auto& rule) { apply_loops(rule, gradients); },
               make_rule(config_, learning_rate, clip_factor(norm), updates()));
  }
  return at::scalar_tensor(norm, at::kDouble);
}

double Optimizer::norm_by_loops(const std::vector<torch::Tensor>& gradients) const {
  const CpuLevel level = cpu_level();
  std::vector<double> sums(pieces_.size());
  at::parallel_for(0, static_cast<int64_t>(pieces_.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Piece& piece = pieces_[i];
      const torch::Tensor& gradient = gradients[piece.parameter];
      if (!gradient.defined()) continue;
      sums[i] = sum_of_squares(gradient.const_data_ptr<float>() + piece.begin, piece.size, level);
    }
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return std::sqrt(total);
}

template <class Rule>
void Optimizer::apply_loops(const Rule& rule, const std::vector<torch::Tensor>& gradients) {
  const CpuLevel level = cpu_level();
  at::parallel_for(0, static_cast<int64_t>(pieces_.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Piece& piece = pieces_[i];
      const Parameter& parameter = parameters_[piece.parameter];
      if (!gradients[piece.parameter].defined()) continue;
      UpdateSpan span;
      span.size = piece.size;
      span.weights = parameter.weight.data_ptr<float>() + piece.begin;
      span.gradients = gradients[piece.parameter].template const_data_ptr<float>() + piece.begin;
      for (int moment = 0; moment < Rule::kMoments; ++moment) {
        span.moments[moment] = parameter.moments[moment].template data_ptr<float>() + piece.begin;
      }
      update(rule, span, level);
    }
  });
}

torch::Tensor Optimizer::step_by_tensors(double learning_rate, const torch::Tensor& loss) {
  UpdateTensors tensors = tensors_with_gradients();
  if (tensors.weights.empty()) return at::zeros({}, updates_.options().dtype(at::kDouble));
  torch::Tensor norm = global_norm(tensors.gradients);
  if (loss.defined()) norm = norm + loss.detach().to(at::kDouble) * 0;  // not a number where the loss isn't finite
  if (config_.kind == OptimizerKind::kAdam || config_.kind == OptimizerKind::kAdamW) {
    const torch::Tensor finite = norm.isfinite();
    const torch::Tensor excess = config_.clip_norm > 0 ? (norm / config_.clip_norm).clamp_min(1) : at::ones_like(norm);
    updates_ += finite;
    update(config_, learning_rate,
           {updates_[0].to(at::kFloat), excess.to(at::kFloat), finite.logical_not().to(at::kFloat)}, tensors);
    return norm;
  }
  const double known = norm.item<double>();
  if (!std::isfinite(known)) return norm;
  updates_ += 1;
  const Rule rule = make_rule(config_, learning_rate, clip_factor(known), 0);
  if (const auto* sgd = std::get_if<SgdRule>(&rule)) update(*sgd, tensors);
  if (const auto* adadelta = std::get_if<AdadeltaRule>(&rule)) update(*adadelta, tensors);
  return norm;
}

UpdateTensors Optimizer::tensors_with_gradients() const {
  UpdateTensors tensors;
  for (const Parameter& parameter : parameters_) {
    if (!parameter.weight.grad().defined()) continue;
    tensors.weights.push_back(parameter.weight);
    tensors.gradients.push_back(parameter.weight.grad().contiguous());
    for (size_t i = 0; i < parameter.moments.size(); ++i) tensors.moments[i].push_back(parameter.moments[i]);
  }
  return tensors;
}

int64_t Optimizer::updates() const { return updates_.item<int64_t>(); }

NamedTensors Optimizer::state() const {
  NamedTensors state = {{"updates", updates_}};
  for (const Parameter& parameter : parameters_) {
    for (size_t i = 0; i < parameter.moments.size(); ++i) {
      state.emplace_back(kMomentNames[i] + parameter.name, parameter.moments[i]);
    }
  }
  return state;
}

}  // namespace nmt
