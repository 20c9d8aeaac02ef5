#include "ops/attention_loop.h"

#include "ops/right_factor.h"

namespace nmt {

namespace {

// tensor [T,B,N] contiguous -> its step t
float* at_step(const torch::Tensor& tensor, int64_t t) {
  return tensor.data_ptr<float>() + t * tensor.size(1) * tensor.size(2);
}

QueryRows queries_of(const AttentionTrace& trace, int64_t t) {
  const int64_t width = trace.products.size(2);
  return {trace.products.size(1), at_step(trace.products, t), width, nullptr};
}

GruRows gru_rows_of(const AttentionMemoryView& memory, const AttentionTrace& trace, int64_t t) {
  return {trace.states.size(1), trace.states.size(2), at_step(trace.products, t) + memory.attention_dim,
          trace.products.size(2), at_step(trace.states, t)};
}

AttentionTrace make_trace(const AttentionMemoryView& memory, const torch::Tensor& word_gates) {
  const int64_t steps = word_gates.size(0), sentences = word_gates.size(1), gates = word_gates.size(2);
  const auto empty = [&](int64_t length, int64_t size) {
    return at::empty({length, sentences, size}, word_gates.options());
  };
  return {empty(steps + 1, gates / 3), empty(steps, memory.attention_dim + gates), empty(steps, gates),
          empty(steps, memory.source), empty(steps, memory.value_dim)};
}

}  // namespace

AttentionPlan AttentionPlan::contiguous() const {
  return {keys.contiguous(), values.contiguous(), score_weight.contiguous(), lengths.contiguous(), scale, with_tanh};
}

AttentionMemoryView AttentionPlan::view() const {
  return {keys.data_ptr<float>(),
          values.data_ptr<float>(),
          score_weight.data_ptr<float>(),
          lengths.data_ptr<int64_t>(),
          keys.size(1),
          keys.size(2),
          values.size(2),
          static_cast<float>(scale),
          with_tanh};
}

AttentionTrace run_attention_loop(const RowKernels& kernels, const AttentionPlan& plan, const StepProducts& products,
                                  const torch::Tensor& word_gates, const torch::Tensor& state) {
  const AttentionMemoryView memory = plan.view();
  AttentionTrace trace = make_trace(memory, word_gates);
  trace.states.select(0, 0).copy_(state);
  const auto input_gates = at::empty_like(word_gates.select(0, 0));
  const RightFactor state_factor(products.weight.t(), products.precision);
  const RightFactor context_factor(products.context_weight.t(), products.precision);
  auto masked = products.context_mask.defined() ? at::empty_like(trace.contexts.select(0, 0)) : torch::Tensor();
  for (int64_t t = 0; t < word_gates.size(0); ++t) {
    state_factor.product_out(trace.products.select(0, t), products.bias, trace.states.select(0, t));
    kernels.attend(memory, queries_of(trace, t), at_step(trace.weights, t), at_step(trace.contexts, t));
    auto input = trace.contexts.select(0, t);
    if (masked.defined()) input = at::mul_out(masked, input, products.context_mask.select(0, t));
    context_factor.product_out(input_gates, word_gates.select(0, t), input);
    kernels.gru(gru_rows_of(memory, trace, t), input_gates.data_ptr<float>(), at_step(trace.states, t + 1),
                at_step(trace.gates, t));
  }
  return trace;
}

AttentionGradients run_attention_loop_backward(const RowKernels& kernels, const AttentionPlan& plan,
                                               const StepProducts& products, const AttentionTrace& trace,
                                               const torch::Tensor& states_gradient,
                                               const torch::Tensor& contexts_gradient) {
  const AttentionMemoryView memory = plan.view();
  AttentionGradients out;
  out.products = at::empty_like(trace.products);
  out.input_gates = at::empty_like(trace.gates);
  out.contexts = contexts_gradient.defined() ? contexts_gradient.clone(at::MemoryFormat::Contiguous)
                                             : at::zeros_like(trace.contexts);
  out.keys = at::zeros_like(plan.keys);
  out.state = at::zeros_like(trace.states.select(0, 0));
  out.score = at::zeros({out.state.size(0), memory.attention_dim}, out.state.options());
  const Precision precision = gradient_precision(products.precision);
  const RightFactor state_factor(products.weight, precision);
  const RightFactor context_factor(products.context_weight, precision);
  const auto scratch = at::empty_like(trace.weights.select(0, 0));
  auto next = at::zeros_like(out.state);
  for (int64_t t = trace.gates.size(0) - 1; t >= 0; --t) {
    if (states_gradient.defined()) {
      at::add_out(next, out.state, states_gradient.select(0, t));
    } else {
      next.copy_(out.state);
    }
    kernels.gru_backward(gru_rows_of(memory, trace, t), at_step(trace.gates, t),
                         {next.data_ptr<float>(), at_step(out.input_gates, t),
                          at_step(out.products, t) + memory.attention_dim, out.state.data_ptr<float>()});
    auto context = out.contexts.select(0, t);
    if (products.context_mask.defined()) {
      context.addcmul_(context_factor.product(out.input_gates.select(0, t)), products.context_mask.select(0, t));
    } else {
      context_factor.add_product_(context, out.input_gates.select(0, t));
    }
    kernels.attend_backward(memory, queries_of(trace, t), at_step(trace.weights, t),
                            {at_step(out.contexts, t), at_step(out.products, t), out.keys.data_ptr<float>(),
                             out.score.data_ptr<float>(), scratch.data_ptr<float>()});
    state_factor.add_product_(out.state, out.products.select(0, t));
  }
  return out;
}

}  // namespace nmt
