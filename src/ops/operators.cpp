#include "ops/operators.h"

#include <torch/library.h>

#include <string>

namespace nmt {

bool has_operator(const char* name, const torch::Device& device) {
  const auto schema = c10::Dispatcher::singleton().findSchema({std::string("nmt::") + name, ""});
  return schema && schema->hasKernelForDispatchKey(at::TensorOptions(device).computeDispatchKey());
}

}  // namespace nmt

// Shapes and meaning: ops/device_operators.h, ops/bidirectional_gru.cpp and ops/log_sum_exp.h.
TORCH_LIBRARY(nmt, library) {
  library.def(
      "bidirectional_gru(Tensor input_gates, Tensor recurrent_weight, Tensor recurrent_bias, Tensor lengths, "
      "int precision) -> (Tensor states, Tensor products, Tensor gates)");
  library.def(
      "bidirectional_gru_backward(Tensor states_gradient, Tensor lengths, Tensor recurrent_weight, Tensor states, "
      "Tensor products, Tensor gates, int precision) -> (Tensor input_gates, Tensor products)");
  library.def(
      "gru_attention(Tensor word_gates, Tensor state, Tensor keys, Tensor values, Tensor score_weight, Tensor lengths, "
      "Tensor product_weight, Tensor product_bias, Tensor context_weight, Tensor? context_mask, float scale, "
      "bool with_tanh, int precision) -> (Tensor states, Tensor products, Tensor gates, Tensor weights, "
      "Tensor contexts)");
  library.def(
      "gru_attention_backward(Tensor? states_gradient, Tensor? contexts_gradient, Tensor keys, Tensor values, "
      "Tensor score_weight, Tensor lengths, Tensor product_weight, Tensor context_weight, Tensor? context_mask, "
      "Tensor states, Tensor products, Tensor gates, Tensor weights, Tensor contexts, float scale, bool with_tanh, "
      "int precision) -> (Tensor products, Tensor input_gates, Tensor contexts, Tensor keys, Tensor score, "
      "Tensor state)");
  library.def(
      "additive_attention(Tensor query, Tensor keys, Tensor values, Tensor score_weight, Tensor lengths, Tensor? rows, "
      "float scale, bool with_tanh) -> (Tensor context, Tensor weights)");
  library.def("log_sum_exp(Tensor scores) -> Tensor");
  library.def(
      "loss_rows_(Tensor(a!) scores, Tensor targets, float smoothing, bool to_gradient, Tensor(b!) totals) -> ()");
}
