#include "ops/vocabulary_loss.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "ops/loss_rows.h"

namespace nmt {

namespace {

constexpr int64_t kChunkBytes = 4 << 20;  // of float32 scores held at a time

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

int64_t rows_per_chunk(int64_t vocab, bool on_cpu) {
  const int64_t bytes = on_cpu ? kChunkBytes : 64 * kChunkBytes;  // a GPU wants more work at a time
  return std::max<int64_t>(16, bytes / (4 * vocab));
}

// Loss and, where wanted, its gradients for all real rows at once: the backward pass only scales them.
class ChunkedLoss : public torch::autograd::Function<ChunkedLoss> {
 public:
  // states [M,R], weight [V,R], bias [V], targets [M] int64 -> {smoothed [], nll []}
  static tensor_list forward(AutogradContext* context, const torch::Tensor& states, const torch::Tensor& weight,
                             const torch::Tensor& bias, const torch::Tensor& targets, double smoothing,
                             int64_t precision_code) {
    const bool with_gradient = states.requires_grad() || weight.requires_grad() || bias.requires_grad();
    const auto precision = static_cast<Precision>(precision_code);
    const auto used_weight = as_factor(weight, precision), used_states = as_factor(states, precision);
    const int64_t rows = states.size(0);
    const int64_t chunk = rows_per_chunk(weight.size(0), states.device().is_cpu());
    auto totals = at::zeros({2}, states.options().dtype(torch::kFloat64));  // smoothed, nll
    torch::Tensor states_gradient, weight_gradient, bias_gradient;
    if (with_gradient) {
      states_gradient = at::empty_like(states);
      weight_gradient = at::zeros_like(weight);
      bias_gradient = at::zeros_like(bias);
    }
    auto scores = at::empty({std::min(chunk, rows), weight.size(0)}, states.options());
    for (int64_t begin = 0; begin < rows; begin += chunk) {
      const int64_t count = std::min(chunk, rows - begin);
      auto part = scores.narrow(0, 0, count);                        // [count,V]
      const auto part_states = used_states.narrow(0, begin, count);  // [count,R]
      add_product_out(part, bias, part_states, used_weight.t(), precision);
      loss_rows_(part, targets.narrow(0, begin, count), smoothing, with_gradient, totals);
      if (!with_gradient) continue;
      bias_gradient.add_(part.sum(0));
      const auto factors = as_factor(part, precision);
      states_gradient.narrow(0, begin, count).copy_(matrix_product(factors, used_weight, precision));
      add_product_(weight_gradient, factors.t(), part_states, precision);
    }
    if (with_gradient) context->save_for_backward({states_gradient, weight_gradient, bias_gradient});
    return {totals[0].to(states.dtype()), totals[1].to(states.dtype())};
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    return {saved[0] * gradients[0], saved[1] * gradients[0], saved[2] * gradients[0], {}, {}, {}};
  }
};

struct RealRows {
  torch::Tensor states;   // [M,R]
  torch::Tensor targets;  // [M]
};

RealRows real_rows(const torch::Tensor& states, const torch::Tensor& targets, std::optional<int64_t> tokens,
                   int64_t padding) {
  const auto flat_targets = targets.reshape({-1});
  const auto flat_states = states.reshape({-1, states.size(-1)});
  const auto is_real = flat_targets.ne(padding);
  const auto at_rows = (tokens ? at::nonzero_static(is_real, *tokens) : is_real.nonzero()).squeeze(1);
  if (at_rows.size(0) == flat_targets.size(0)) return {flat_states, flat_targets};
  return {flat_states.index_select(0, at_rows), flat_targets.index_select(0, at_rows)};
}

}  // namespace

VocabularyLoss vocabulary_loss(const torch::Tensor& states, const torch::Tensor& weight, const torch::Tensor& bias,
                               const torch::Tensor& targets, double smoothing, Precision precision,
                               std::optional<int64_t> tokens, int64_t padding) {
  const RealRows real = real_rows(states, targets, tokens, padding);
  const auto sums =
      ChunkedLoss::apply(real.states, weight, bias, real.targets, smoothing, static_cast<int64_t>(precision));
  return {sums[0], sums[1].detach(), real.targets.size(0)};
}

VocabularyLoss vocabulary_loss_plain(const torch::Tensor& states, const torch::Tensor& weight,
                                     const torch::Tensor& bias, const torch::Tensor& targets, double smoothing,
                                     int64_t padding) {
  const RealRows real = real_rows(states, targets, std::nullopt, padding);
  const auto log_probs = at::linear(real.states, weight, bias).log_softmax(-1);  // [M,V]
  const auto nll = -log_probs.gather(1, real.targets.unsqueeze(1)).sum();
  const auto smoothed = nll * (1 - smoothing) - log_probs.mean(1).sum() * smoothing;
  return {smoothed, nll.detach(), real.targets.size(0)};
}

}  // namespace nmt
