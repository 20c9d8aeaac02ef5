#include "train/optimizer.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>
#include <variant>

#include "train/update_loops.h"
#include "train/update_tensors.h"

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
    : config_(config), fused_(fused), updates_(at::zeros({1}, at::kLong)) {
  const at::NoGradGuard no_grad;
  for (const auto& entry : model.named_parameters()) {
    const torch::Tensor& weight = entry.value();
    if (!weight.requires_grad()) continue;
    fused_ = fused_ && weight.is_cpu() && weight.is_contiguous();
    Parameter parameter{entry.key(), weight, {}};
    for (int i = 0; i < moments_of(config.kind); ++i) parameter.moments.push_back(at::zeros_like(weight));
    for (int64_t begin = 0; begin < weight.numel(); begin += kPieceSize) {
      pieces_.push_back({parameters_.size(), begin, std::min(kPieceSize, weight.numel() - begin)});
    }
    parameters_.push_back(std::move(parameter));
  }
}

void Optimizer::clear_gradients() {
  for (Parameter& parameter : parameters_) parameter.weight.mutable_grad().reset();
}

UpdateReport Optimizer::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  std::vector<torch::Tensor> gradients;  // one for each parameter; undefined where it has none
  for (Parameter& parameter : parameters_) {
    const torch::Tensor& gradient = parameter.weight.grad();
    gradients.push_back(gradient.defined() && fused_ ? gradient.contiguous() : gradient);
  }
  UpdateReport report;
  report.gradient_norm = gradient_norm(gradients);
  report.applied = std::isfinite(report.gradient_norm);
  if (report.applied) {
    const bool too_long = config_.clip_norm > 0 && report.gradient_norm > config_.clip_norm;
    const double clip = too_long ? config_.clip_norm / report.gradient_norm : 1;
    updates_ += 1;
    std::visit([&](const auto& rule) { fused_ ? apply_fused(rule, gradients) : apply(rule, gradients); },
               make_rule(config_, learning_rate, clip, updates()));
  }
  clear_gradients();
  return report;
}

double Optimizer::gradient_norm(const std::vector<torch::Tensor>& gradients) const {
  if (!fused_) {
    std::vector<torch::Tensor> defined;
    for (const torch::Tensor& gradient : gradients) {
      if (gradient.defined()) defined.push_back(gradient);
    }
    return global_norm(defined);
  }
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
void Optimizer::apply_fused(const Rule& rule, const std::vector<torch::Tensor>& gradients) {
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

template <class Rule>
void Optimizer::apply(const Rule& rule, const std::vector<torch::Tensor>& gradients) {
  UpdateTensors tensors;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    if (!gradients[i].defined()) continue;
    tensors.weights.push_back(parameters_[i].weight);
    tensors.gradients.push_back(gradients[i]);
    for (int moment = 0; moment < Rule::kMoments; ++moment) {
      tensors.moments[moment].push_back(parameters_[i].moments[moment]);
    }
  }
  if (!tensors.weights.empty()) update(rule, tensors);
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
