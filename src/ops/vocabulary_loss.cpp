#include "ops/vocabulary_loss.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "ops/loss_rows.h"
#include "ops/right_factor.h"
#include "ops/scores_gradient.h"

namespace nmt {

namespace {

constexpr int64_t kChunkBytes = 8 << 20;  // of float32 scores held at a time

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// Rows of a chunk; of our own kernels as many as fill tiles.
int64_t rows_per_chunk(int64_t vocab, bool on_cpu, const ProductKernels* kernels) {
  const int64_t bytes = on_cpu ? kChunkBytes : 32 * kChunkBytes;  // a GPU wants more work at a time
  const int64_t rows = std::max<int64_t>(16, bytes / (4 * vocab));
  return kernels == nullptr ? rows : divided_up(rows, kernels->tile_rows) * kernels->tile_rows;
}

// The gradients of a chunk of scores as LibTorch multiplies them.
struct ScoresGradient {
  torch::Tensor by_row;    // [N,V]
  torch::Tensor by_piece;  // [V,N]
  torch::Tensor sum;       // [V]: over the rows
};

// Makes the gradients of the objective, chunk by chunk.
class GradientSums {
 public:
  GradientSums(const torch::Tensor& states, const torch::Tensor& weight, const torch::Tensor& bias, double scale,
               Precision precision)
      : scale_(scale),
        precision_(precision),
        weight_(weight, precision),
        of_states_(at::empty_like(states)),
        of_weight_(at::empty_like(weight)),
        of_bias_(at::zeros_like(bias)) {}

  // Of the rows [N,R] that begin at `begin`, from the gradient of their scores: ScoresGradient or PackedScoresGradient.
  template <class Gradient>
  void add(const Gradient& of_scores, const torch::Tensor& rows, int64_t begin) {
    auto of_rows = of_states_.narrow(0, begin, rows.size(0));
    weight_.product_out(of_rows, {}, of_scores.by_row);
    of_rows.mul_(scale_);
    of_bias_.add_(of_scores.sum, scale_);
    const RightFactor scaled_rows(rows * scale_, precision_);
    scaled_rows.product_out(of_weight_, begin == 0 ? torch::Tensor() : of_weight_, of_scores.by_piece);
  }

  tensor_list all() const { return {of_states_, of_weight_, of_bias_}; }  // [M,R], [V,R], [V]

 private:
  double scale_;
  Precision precision_;
  RightFactor weight_;  // [V,R]
  torch::Tensor of_states_, of_weight_, of_bias_;
};

// Loss and, where wanted, its gradients for all real rows at once.
class ChunkedLoss : public torch::autograd::Function<ChunkedLoss> {
 public:
  // states [M,R], weight [V,R], bias [V], targets [M] int64 -> {objective [], smoothed [], nll []}
  static tensor_list forward(AutogradContext* context, const torch::Tensor& states, const torch::Tensor& weight,
                             const torch::Tensor& bias, const torch::Tensor& targets, double smoothing, double scale,
                             int64_t precision_code) {
    const bool with_gradient =
        states.size(0) > 0 && (states.requires_grad() || weight.requires_grad() || bias.requires_grad());
    const auto precision = static_cast<Precision>(precision_code);
    const ProductKernels* kernels =
        with_gradient ? RightFactor::own_kernels(weight, gradient_precision(precision)) : nullptr;
    const int64_t vocab = weight.size(0), chunk = rows_per_chunk(vocab, states.device().is_cpu(), kernels);
    const RightFactor output(weight.t(), precision);
    std::optional<GradientSums> gradients;
    if (with_gradient) gradients.emplace(states, weight, bias, scale, gradient_precision(precision));
    auto totals = at::zeros({2}, states.options().dtype(torch::kFloat64));  // smoothed, nll
    const auto buffer = at::empty({std::min(chunk, states.size(0)) * vocab + ProductKernels::kSlack}, states.options());
    for (int64_t begin = 0; begin < states.size(0); begin += chunk) {
      const auto rows = states.narrow(0, begin, std::min(chunk, states.size(0) - begin));
      const auto row_targets = targets.narrow(0, begin, rows.size(0));
      auto scores = buffer.narrow(0, 0, rows.size(0) * vocab).view({rows.size(0), vocab});  // [N,V]
      output.product_out(scores, bias, rows);
      if (kernels != nullptr) {
        gradients->add(pack_scores_gradient(*kernels, scores, row_targets, smoothing, totals), rows, begin);
        continue;
      }
      loss_rows_(scores, row_targets, smoothing, with_gradient, totals);
      if (gradients) gradients->add(ScoresGradient{scores, scores.t(), scores.sum(0)}, rows, begin);
    }
    if (gradients) context->save_for_backward(gradients->all());
    const auto sums = totals.to(states.dtype());
    tensor_list out = {sums[0] * scale, sums[0], sums[1]};
    context->mark_non_differentiable({out[1], out[2]});
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    auto made = context->get_saved_variables();
    made.resize(3);  // undefined where there are no rows
    const torch::Tensor& of_objective = gradients[0];
    const bool is_one = of_objective.is_cpu() && of_objective.item<double>() == 1;  // a GPU isn't waited for
    for (torch::Tensor& gradient : made) {
      if (!is_one && gradient.defined()) gradient = gradient * of_objective;
    }
    made.resize(7);
    return made;
  }
};

struct RealRows {
  torch::Tensor states;   // [M,R]
  torch::Tensor targets;  // [M]
};

RealRows real_rows(const torch::Tensor& states, const torch::Tensor& targets, const VocabularyLossOptions& options) {
  const auto flat_targets = targets.reshape({-1});
  const auto flat_states = states.reshape({-1, states.size(-1)});
  const auto is_real = flat_targets.ne(options.padding);
  const auto at_rows = (options.tokens ? at::nonzero_static(is_real, *options.tokens) : is_real.nonzero()).squeeze(1);
  if (at_rows.size(0) == flat_targets.size(0)) return {flat_states, flat_targets};
  return {flat_states.index_select(0, at_rows), flat_targets.index_select(0, at_rows)};
}

}  // namespace

VocabularyLoss vocabulary_loss(const torch::Tensor& states, const torch::Tensor& weight, const torch::Tensor& bias,
                               const torch::Tensor& targets, const VocabularyLossOptions& options) {
  const RealRows real = real_rows(states, targets, options);
  const auto sums = ChunkedLoss::apply(real.states, weight, bias, real.targets, options.smoothing, options.scale,
                                       static_cast<int64_t>(options.precision));
  return {sums[0], sums[1], sums[2], real.targets.size(0)};
}

VocabularyLoss vocabulary_loss_plain(const torch::Tensor& states, const torch::Tensor& weight,
                                     const torch::Tensor& bias, const torch::Tensor& targets,
                                     const VocabularyLossOptions& options) {
  const RealRows real = real_rows(states, targets, options);
  const auto log_probs = at::linear(real.states, weight, bias).log_softmax(-1);  // [M,V]
  const auto nll = -log_probs.gather(1, real.targets.unsqueeze(1)).sum();
  const auto smoothed = nll * (1 - options.smoothing) - log_probs.mean(1).sum() * options.smoothing;
  return {smoothed * options.scale, smoothed.detach(), nll.detach(), real.targets.size(0)};
}

}  // namespace nmt
