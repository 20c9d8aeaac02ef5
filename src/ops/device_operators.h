#pragma once

#include <torch/library.h>
#include <torch/types.h>

#include <tuple>

#include "ops/attention_loop.h"

namespace nmt {

// The operators of ops/operators.cpp in terms of a device's row kernels. `Kernels` is made from the tensors' device for
// each call. Names of shapes as in ops/attention_loop.h and ops/gru_attention.h.
template <class Kernels>
struct DeviceOperators {
  using Tensor = at::Tensor;
  using Optional = std::optional<at::Tensor>;

  static std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> gru_attention(
      const Tensor& word_gates, const Tensor& state, const Tensor& keys, const Tensor& values,
      const Tensor& score_weight, const Tensor& lengths, const Tensor& product_weight, const Tensor& product_bias,
      const Tensor& context_weight, const Optional& context_mask, double scale, bool with_tanh, int64_t precision) {
    const Kernels kernels(word_gates.device());
    const AttentionPlan plan = {keys, values, score_weight, lengths, scale, with_tanh};
    const StepProducts products = {product_weight, product_bias, context_weight, context_mask.value_or(Tensor()),
                                   static_cast<Precision>(precision)};
    auto trace = run_attention_loop(kernels, plan.contiguous(), products, word_gates.contiguous(), state);
    return {trace.states, trace.products, trace.gates, trace.weights, trace.contexts};
  }

  static std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor, Tensor> gru_attention_backward(
      const Optional& states_gradient, const Optional& contexts_gradient, const Tensor& keys, const Tensor& values,
      const Tensor& score_weight, const Tensor& lengths, const Tensor& product_weight, const Tensor& context_weight,
      const Optional& context_mask, const Tensor& states, const Tensor& products, const Tensor& gates,
      const Tensor& weights, const Tensor& contexts, double scale, bool with_tanh, int64_t precision) {
    const Kernels kernels(keys.device());
    const AttentionPlan plan = {keys, values, score_weight, lengths, scale, with_tanh};
    const StepProducts step = {
        product_weight, {}, context_weight, context_mask.value_or(Tensor()), static_cast<Precision>(precision)};
    auto out =
        run_attention_loop_backward(kernels, plan.contiguous(), step, {states, products, gates, weights, contexts},
                                    states_gradient.value_or(Tensor()), contexts_gradient.value_or(Tensor()));
    return {out.products, out.input_gates, out.contexts, out.keys, out.score, out.state};
  }

  static std::tuple<Tensor, Tensor> additive_attention(const Tensor& query, const Tensor& keys, const Tensor& values,
                                                       const Tensor& score_weight, const Tensor& lengths,
                                                       const Optional& rows, double scale, bool with_tanh) {
    const Kernels kernels(query.device());
    const AttentionPlan plan = AttentionPlan{keys, values, score_weight, lengths, scale, with_tanh}.contiguous();
    const auto used_query = query.contiguous();
    const auto used_rows = rows ? rows->contiguous() : Tensor();
    const auto context = at::empty({query.size(0), values.size(2)}, query.options());
    const auto weights = at::empty({query.size(0), keys.size(1)}, query.options());
    kernels.attend(plan.view(),
                   {query.size(0), used_query.template data_ptr<float>(), used_query.size(1),
                    rows ? used_rows.template data_ptr<int64_t>() : nullptr},
                   weights.template data_ptr<float>(), context.template data_ptr<float>());
    return {context, weights};
  }

  // scores [M,V] contiguous, targets [M] int64, totals [2] float64
  static void loss_rows_(Tensor& scores, const Tensor& targets, double smoothing, bool to_gradient, Tensor& totals) {
    const Kernels kernels(scores.device());
    const auto used_targets = targets.contiguous();
    const auto losses = at::empty({scores.size(0), 2}, totals.options());
    kernels.loss_rows({scores.size(0), scores.size(1), scores.template data_ptr<float>(),
                       used_targets.template data_ptr<int64_t>(), static_cast<float>(smoothing)},
                      to_gradient, losses.template data_ptr<double>());
    Kernels::add_losses(totals, losses);
  }

  static void register_in(torch::Library& library) {
    library.impl("gru_attention", gru_attention);
    library.impl("gru_attention_backward", gru_attention_backward);
    library.impl("additive_attention", additive_attention);
    library.impl("loss_rows_", loss_rows_);
  }
};

}  // namespace nmt
