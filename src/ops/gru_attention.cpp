#include "ops/gru_attention.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include "ops/kernels.h"
#include "tensor/shape.h"

namespace nmt {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// Sizes and the parts of attention that are the same at every step.
struct Plan {
  int64_t steps, sentences, source, state_dim, attention_dim, value_dim;
  torch::Tensor keys, values, score, lengths;  // contiguous
  float scale;
  bool with_tanh;

  AttentionRow row(int64_t sentence, const float* query) const {
    return {query,
            keys.data_ptr<float>() + sentence * source * attention_dim,
            values.data_ptr<float>() + sentence * source * value_dim,
            score.data_ptr<float>(),
            lengths.data_ptr<int64_t>()[sentence],
            source,
            attention_dim,
            value_dim,
            scale,
            with_tanh};
  }
};

Plan make_plan(const torch::Tensor& word_gates, const torch::Tensor& keys, const torch::Tensor& values,
               const torch::Tensor& score, const torch::Tensor& lengths, double scale, bool with_tanh) {
  Plan plan;
  plan.steps = word_gates.size(0);
  plan.sentences = word_gates.size(1);
  plan.source = keys.size(1);
  plan.state_dim = word_gates.size(2) / 3;
  plan.attention_dim = keys.size(2);
  plan.value_dim = values.size(2);
  plan.keys = keys.contiguous();
  plan.values = values.contiguous();
  plan.score = score.contiguous();
  plan.lengths = lengths.contiguous();
  plan.scale = static_cast<float>(scale);
  plan.with_tanh = with_tanh;
  return plan;
}

// What the forward loop leaves for the backward loop.
struct Trace {
  torch::Tensor states;    // [T+1,B,H]: s_0 .. s_T
  torch::Tensor products;  // [T,B,A+3H]: query and the state's part of the gates
  torch::Tensor gates;     // [T,B,3H]: r, z, n
  torch::Tensor weights;   // [T,B,S]
  torch::Tensor contexts;  // [T,B,D]
};

Trace make_trace(const Plan& p, const torch::TensorOptions& options) {
  const auto empty = [&](int64_t steps, int64_t size) { return at::empty({steps, p.sentences, size}, options); };
  return {empty(p.steps + 1, p.state_dim), empty(p.steps, p.attention_dim + 3 * p.state_dim),
          empty(p.steps, 3 * p.state_dim), empty(p.steps, p.source), empty(p.steps, p.value_dim)};
}

const float* at_step(const torch::Tensor& tensor, int64_t t) {
  return tensor.data_ptr<float>() + t * tensor.size(1) * tensor.size(2);
}
float* mutable_at_step(const torch::Tensor& tensor, int64_t t) { return const_cast<float*>(at_step(tensor, t)); }

void attend_step(const Plan& p, const Trace& trace, int64_t t) {
  const float* products = at_step(trace.products, t);
  float* weights = mutable_at_step(trace.weights, t);
  float* contexts = mutable_at_step(trace.contexts, t);
  const int64_t width = p.attention_dim + 3 * p.state_dim;
  at::parallel_for(0, p.sentences, 1, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      kernels().attend(p.row(b, products + b * width), weights + b * p.source, contexts + b * p.value_dim);
    }
  });
}

void gru_step(const Plan& p, const Trace& trace, const torch::Tensor& input_gates, int64_t t) {
  const float* products = at_step(trace.products, t) + p.attention_dim;
  const float* input = input_gates.data_ptr<float>();
  const float* state = at_step(trace.states, t);
  float* next = mutable_at_step(trace.states, t + 1);
  float* gates = mutable_at_step(trace.gates, t);
  const int64_t h = p.state_dim;
  at::parallel_for(0, p.sentences, 16, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      kernels().gru(input + b * 3 * h, products + b * (p.attention_dim + 3 * h), state + b * h, h, next + b * h,
                    gates + b * 3 * h);
    }
  });
}

// The gradients that the backward loop leaves for the products after it.
struct Gradients {
  torch::Tensor products;     // [T,B,A+3H]
  torch::Tensor input_gates;  // [T,B,3H]
  torch::Tensor contexts;     // [T,B,D]: whole gradient of c_t
  torch::Tensor keys;         // [B,S,A]
  torch::Tensor score;        // [B,A]: summed over B at the end
  torch::Tensor state;        // [B,H]: of s_t while the loop runs, of s_0 after it
};

void gru_step_backward(const Plan& p, const Trace& trace, const torch::Tensor& next_gradient, Gradients& out,
                       int64_t t) {
  const int64_t h = p.state_dim;
  const int64_t width = p.attention_dim + 3 * h;
  at::parallel_for(0, p.sentences, 16, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      kernels().gru_backward(
          at_step(trace.gates, t) + b * 3 * h, at_step(trace.products, t) + b * width + p.attention_dim,
          at_step(trace.states, t) + b * h, next_gradient.data_ptr<float>() + b * h, h,
          mutable_at_step(out.input_gates, t) + b * 3 * h,
          mutable_at_step(out.products, t) + b * width + p.attention_dim, out.state.data_ptr<float>() + b * h);
    }
  });
}

void attend_step_backward(const Plan& p, const Trace& trace, Gradients& out, const torch::Tensor& score_of_step,
                          int64_t t) {
  const int64_t width = p.attention_dim + 3 * p.state_dim;
  at::parallel_for(0, p.sentences, 1, [&](int64_t begin, int64_t end) {
    std::vector<float> scratch(static_cast<size_t>(p.source));
    for (int64_t b = begin; b < end; ++b) {
      kernels().attend_backward(p.row(b, at_step(trace.products, t) + b * width),
                                at_step(trace.weights, t) + b * p.source, at_step(out.contexts, t) + b * p.value_dim,
                                mutable_at_step(out.products, t) + b * width,
                                out.keys.data_ptr<float>() + b * p.source * p.attention_dim,
                                score_of_step.data_ptr<float>() + b * p.attention_dim, scratch.data());
    }
  });
  out.score.add_(score_of_step);
}

class GruAttention : public torch::autograd::Function<GruAttention> {
 public:
  // In the order of GruAttentionInputs -> {states [T,B,H], contexts [T,B,D]}
  static tensor_list forward(AutogradContext* context, const torch::Tensor& word_gates, const torch::Tensor& state,
                             const torch::Tensor& keys, const torch::Tensor& values, const torch::Tensor& query_weight,
                             const torch::Tensor& score_weight, const torch::Tensor& context_weight,
                             const torch::Tensor& recurrent_weight, const torch::Tensor& recurrent_bias,
                             const torch::Tensor& lengths, const std::optional<torch::Tensor>& given_mask, double scale,
                             bool with_tanh, int64_t precision_code) {
    const torch::Tensor context_mask = given_mask.value_or(torch::Tensor());
    const Plan plan = make_plan(word_gates, keys, values, score_weight, lengths, scale, with_tanh);
    const Trace trace = make_trace(plan, word_gates.options());
    const auto precision = static_cast<Precision>(precision_code);
    const auto product_weight = as_factor(at::cat({query_weight, recurrent_weight}, 0), precision);  // [A+3H,H]
    const auto product_bias = at::cat({at::zeros({plan.attention_dim}, word_gates.options()), recurrent_bias});
    const auto used_context_weight = as_factor(context_weight.contiguous(), precision);  // [3H,D]
    trace.states.select(0, 0).copy_(state);
    auto input_gates = at::empty({plan.sentences, 3 * plan.state_dim}, word_gates.options());
    for (int64_t t = 0; t < plan.steps; ++t) {
      add_product_out(trace.products.select(0, t), product_bias, trace.states.select(0, t), product_weight.t(),
                      precision);
      attend_step(plan, trace, t);
      auto input = trace.contexts.select(0, t);
      if (context_mask.defined()) input = input * context_mask.select(0, t);
      add_product_out(input_gates, word_gates.select(0, t), input, used_context_weight.t(), precision);
      gru_step(plan, trace, input_gates, t);
    }
    context->save_for_backward({plan.keys, plan.values, plan.score, plan.lengths, context_mask, product_weight,
                                used_context_weight, trace.states, trace.products, trace.gates, trace.weights,
                                trace.contexts});
    context->saved_data["scale"] = scale;
    context->saved_data["with_tanh"] = with_tanh;
    context->saved_data["precision"] = precision_code;
    return {trace.states.narrow(0, 1, plan.steps), trace.contexts.view_as(trace.contexts)};
  }

  static tensor_list backward(AutogradContext* context, tensor_list output_gradients) {
    const auto saved = context->get_saved_variables();
    const Trace trace = {saved[7], saved[8], saved[9], saved[10], saved[11]};
    const Plan plan = make_plan(trace.gates, saved[0], saved[1], saved[2], saved[3],
                                context->saved_data["scale"].toDouble(), context->saved_data["with_tanh"].toBool());
    const auto& context_mask = saved[4];
    const auto precision = static_cast<Precision>(context->saved_data["precision"].toInt());
    Gradients out = run_backward(plan, trace, output_gradients, context_mask, saved[5], saved[6], precision);
    return weight_gradients(plan, trace, out, context_mask, precision);
  }

 private:
  static Gradients run_backward(const Plan& p, const Trace& trace, const tensor_list& output_gradients,
                                const torch::Tensor& context_mask, const torch::Tensor& product_weight,
                                const torch::Tensor& context_weight, Precision precision) {
    const auto options = trace.gates.options();
    const auto states_gradient =
        output_gradients[0].defined() ? output_gradients[0] : at::zeros_like(trace.states[0]).expand({p.steps, -1, -1});
    Gradients out;
    out.products = at::empty_like(trace.products);
    out.input_gates = at::empty_like(trace.gates);
    out.contexts = output_gradients[1].defined() ? output_gradients[1].clone(at::MemoryFormat::Contiguous)
                                                 : at::zeros_like(trace.contexts);
    out.keys = at::zeros_like(p.keys);
    out.score = at::zeros({p.sentences, p.attention_dim}, options);
    out.state = at::zeros({p.sentences, p.state_dim}, options);
    const auto score_of_step = at::empty_like(out.score);
    for (int64_t t = p.steps - 1; t >= 0; --t) {
      const auto next_gradient = out.state + states_gradient.select(0, t);
      gru_step_backward(p, trace, next_gradient, out, t);
      auto context_gradient = out.contexts.select(0, t);
      if (context_mask.defined()) {
        context_gradient.addcmul_(matrix_product(out.input_gates.select(0, t), context_weight, precision),
                                  context_mask.select(0, t));
      } else {
        add_product_(context_gradient, out.input_gates.select(0, t), context_weight, precision);
      }
      attend_step_backward(p, trace, out, score_of_step, t);
      add_product_(out.state, out.products.select(0, t), product_weight, precision);
    }
    return out;
  }

  // The sums over all steps, each as one product.
  static tensor_list weight_gradients(const Plan& p, const Trace& trace, const Gradients& out,
                                      const torch::Tensor& context_mask, Precision precision) {
    const int64_t rows = p.steps * p.sentences;
    const auto products = out.products.view({rows, -1});
    const auto product_weight =
        matrix_product(products.t(), trace.states.narrow(0, 0, p.steps).reshape({rows, -1}), precision);
    const auto inputs = context_mask.defined() ? trace.contexts * context_mask : trace.contexts;
    const auto context_weight =
        matrix_product(out.input_gates.view({rows, -1}).t(), inputs.reshape({rows, -1}), precision);
    const auto values = at::bmm(trace.weights.permute({1, 2, 0}), out.contexts.transpose(0, 1));  // [B,S,D]
    const int64_t gates = 3 * p.state_dim;
    return {out.input_gates,
            out.state,
            out.keys,
            values,
            product_weight.narrow(0, 0, p.attention_dim),
            out.score.sum(0, /*keepdim=*/true),
            context_weight,
            product_weight.narrow(0, p.attention_dim, gates),
            products.narrow(1, p.attention_dim, gates).sum(0),
            {},
            {},
            {},
            {},
            {}};
  }
};

}  // namespace

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
  const int64_t count = query.size(0);
  const auto used_query = query.contiguous();
  Plan plan = make_plan(used_query.unsqueeze(0), keys, values, score_weight, lengths, scale, with_tanh);
  AdditiveAttention out = {at::empty({count, plan.value_dim}, query.options()),
                           at::empty({count, plan.source}, query.options())};
  const int64_t* sentence = rows.defined() ? rows.data_ptr<int64_t>() : nullptr;
  at::parallel_for(0, count, 1, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      kernels().attend(
          plan.row(sentence == nullptr ? n : sentence[n], used_query.data_ptr<float>() + n * plan.attention_dim),
          out.weights.data_ptr<float>() + n * plan.source, out.context.data_ptr<float>() + n * plan.value_dim);
    }
  });
  return out;
}

}  // namespace nmt
