#include "ops/gru_attention.h"

#include <torch/csrc/autograd/custom_function.h>

#include "ops/device_operators.h"
#include "ops/operators.h"
#include "ops/right_factor.h"
#include "tensor/shape.h"

namespace nmt {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

using Operators = DeviceOperators<RowKernels>;  // names the operators' types only

class GruAttention : public torch::autograd::Function<GruAttention> {
 public:
  // In the order of GruAttentionInputs -> {states [T,B,H], contexts [T,B,D]}
  static tensor_list forward(AutogradContext* context, const torch::Tensor& word_gates, const torch::Tensor& state,
                             const torch::Tensor& keys, const torch::Tensor& values, const torch::Tensor& query_weight,
                             const torch::Tensor& score_weight, const torch::Tensor& context_weight,
                             const torch::Tensor& recurrent_weight, const torch::Tensor& recurrent_bias,
                             const torch::Tensor& lengths, const std::optional<torch::Tensor>& context_mask,
                             double scale, bool with_tanh, int64_t precision_code) {
    static const Operator<decltype(Operators::gru_attention)> run("nmt::gru_attention");
    const AttentionPlan plan = AttentionPlan{keys, values, score_weight, lengths, scale, with_tanh}.contiguous();
    const auto product_weight = at::cat({query_weight, recurrent_weight}, 0);  // [A+3H,H]
    const auto product_bias = at::cat({at::zeros({query_weight.size(0)}, word_gates.options()), recurrent_bias});
    const auto [states, products, gates, weights, contexts] =
        run(word_gates, state, plan.keys, plan.values, plan.score_weight, plan.lengths, product_weight, product_bias,
            context_weight, context_mask, scale, with_tanh, precision_code);
    context->save_for_backward({plan.keys, plan.values, plan.score_weight, plan.lengths,
                                context_mask.value_or(torch::Tensor()), product_weight, context_weight, states,
                                products, gates, weights, contexts});
    context->saved_data["scale"] = scale;
    context->saved_data["with_tanh"] = with_tanh;
    context->saved_data["precision"] = precision_code;
    return {states.narrow(0, 1, gates.size(0)), contexts.view_as(contexts)};
  }

  static tensor_list backward(AutogradContext* context, tensor_list output_gradients) {
    static const Operator<decltype(Operators::gru_attention_backward)> run("nmt::gru_attention_backward");
    const auto given = [](const torch::Tensor& tensor) {
      return tensor.defined() ? std::optional(tensor) : std::nullopt;
    };
    const auto saved = context->get_saved_variables();
    const torch::Tensor& context_mask = saved[4];
    const AttentionTrace trace = {saved[7], saved[8], saved[9], saved[10], saved[11]};
    const int64_t precision = context->saved_data["precision"].toInt();
    const auto [products, input_gates, contexts, keys, score, state] =
        run(given(output_gradients[0]), given(output_gradients[1]), saved[0], saved[1], saved[2], saved[3], saved[5],
            saved[6], given(context_mask), trace.states, trace.products, trace.gates, trace.weights, trace.contexts,
            context->saved_data["scale"].toDouble(), context->saved_data["with_tanh"].toBool(), precision);
    return weight_gradients(trace, {products, input_gates, contexts, keys, score, state}, context_mask,
                            gradient_precision(static_cast<Precision>(precision)));
  }

 private:
  // The sums over all steps, each as one product.
  static tensor_list weight_gradients(const AttentionTrace& trace, const AttentionGradients& out,
                                      const torch::Tensor& context_mask, Precision precision) {
    const int64_t steps = trace.gates.size(0), sentences = trace.gates.size(1), gates = trace.gates.size(2);
    const int64_t rows = steps * sentences;
    const auto products = out.products.view({rows, -1});
    const int64_t attention_dim = products.size(1) - gates;
    const auto product_weight =
        matrix_product(products.t(), trace.states.narrow(0, 0, steps).reshape({rows, -1}), precision);
    const auto inputs = context_mask.defined() ? trace.contexts * context_mask : trace.contexts;
    const auto context_weight =
        matrix_product(out.input_gates.view({rows, -1}).t(), inputs.reshape({rows, -1}), precision);
    const auto values = at::bmm(trace.weights.permute({1, 2, 0}), out.contexts.transpose(0, 1));  // [B,S,D]
    return {out.input_gates,
            out.state,
            out.keys,
            values,
            product_weight.narrow(0, 0, attention_dim),
            out.score.sum(0, /*keepdim=*/true),
            context_weight,
            product_weight.narrow(0, attention_dim, gates),
            products.narrow(1, attention_dim, gates).sum(0),
            {},
            {},
            {},
            {},
            {}};
  }
};

}  // namespace

bool has_attention_kernels(const torch::Device& device) { return has_operator("gru_attention", device); }

GruAttentionOutputs gru_attention(const GruAttentionInputs& in) {
  check_shape(in.lengths, {in.word_gates.size(1)}, "source lengths");
  const auto out =
      GruAttention::apply(in.word_gates.contiguous(), in.state, in.keys, in.values, in.query_weight, in.score_weight,
                          in.context_weight, in.recurrent_weight, in.recurrent_bias, in.lengths,
                          in.context_mask.defined() ? std::optional(in.context_mask) : std::nullopt, in.scale,
                          in.with_tanh, static_cast<int64_t>(in.precision));
  return {out[0], out[1]};
}

AdditiveAttention additive_attention(const torch::Tensor& query, const torch::Tensor& keys, const torch::Tensor& values,
                                     const torch::Tensor& score_weight, const torch::Tensor& lengths,
                                     const torch::Tensor& rows, double scale, bool with_tanh) {
  static const Operator<decltype(Operators::additive_attention)> run("nmt::additive_attention");
  const auto [context, weights] = run(query, keys, values, score_weight, lengths,
                                      rows.defined() ? std::optional(rows) : std::nullopt, scale, with_tanh);
  return {context, weights};
}

}  // namespace nmt
