#include "ops/bidirectional_gru.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "ops/kernels.h"
#include "ops/operators.h"
#include "ops/right_factor.h"
#include "tensor/shape.h"

namespace nmt {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr int64_t kRowsPerTask = 16;

// Rows of the batch at one step in one direction: where they are in the tensors that hold every step.
struct Sizes {
  int64_t steps, sentences, state_dim;

  int64_t gates_at(int64_t t, int64_t b, int64_t direction) const {  // in [S,B,6H]
    return ((t * sentences + b) * 2 + direction) * 3 * state_dim;
  }
  int64_t state_at(int64_t row, int64_t b, int64_t direction) const {  // in [S+2,B,2H]
    return ((row * sentences + b) * 2 + direction) * state_dim;
  }
};

// What the forward loop leaves for the backward loop.
struct Trace {
  torch::Tensor states;    // [S+2,B,2H]: of word t in row t + 1; the first and last row and padding are zero
  torch::Tensor products;  // [S,B,6H]: the state's part of the gates
  torch::Tensor gates;     // [S,B,6H]: r, z, n
};

// The right factors of the two directions' recurrent products.
std::array<RightFactor, 2> factors_of(const torch::Tensor& weight, bool transposed, Precision precision) {
  const auto halves = weight.chunk(2);  // [3H,H] each
  const auto factor = [&](int64_t direction) {
    return RightFactor(transposed ? halves[direction].t() : halves[direction], precision);
  };
  return {factor(0), factor(1)};
}

// The row of Trace::states from which step t of a direction starts.
int64_t state_before(int64_t t, int64_t direction) { return direction == 0 ? t : t + 2; }

torch::Tensor side(const torch::Tensor& tensor, int64_t direction) {  // half of the last dimension
  const int64_t size = tensor.size(-1) / 2;
  return tensor.narrow(-1, direction * size, size);
}

// Runs work(b, t, direction) for every sentence where the i-th step of each direction is a real word, and
// idle(b, t, direction) elsewhere.
template <class Work, class Idle>
void for_each_row(const Sizes& n, const int64_t* lengths, int64_t i, const Work& work, const Idle& idle) {
  at::parallel_for(0, 2 * n.sentences, kRowsPerTask, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t direction = row / n.sentences;
      const int64_t b = row % n.sentences;
      const int64_t t = direction == 0 ? i : n.steps - 1 - i;
      if (t < lengths[b]) {
        work(b, t, direction);
      } else {
        idle(b, t, direction);
      }
    }
  });
}

// In the order of BidirectionalGruInputs -> Trace
std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> run_forward(const torch::Tensor& input_gates,
                                                                    const torch::Tensor& weight,
                                                                    const torch::Tensor& recurrent_bias,
                                                                    const torch::Tensor& lengths,
                                                                    int64_t precision_code) {
  const Sizes n = {input_gates.size(0), input_gates.size(1), weight.size(1)};
  const auto factors = factors_of(weight, /*transposed=*/true, static_cast<Precision>(precision_code));
  const auto biases = recurrent_bias.chunk(2);
  const Trace trace = {at::zeros({n.steps + 2, n.sentences, 2 * n.state_dim}, input_gates.options()),
                       at::empty_like(input_gates), at::empty_like(input_gates)};
  const auto* input = input_gates.const_data_ptr<float>();
  const auto* products = trace.products.const_data_ptr<float>();
  auto* states = trace.states.mutable_data_ptr<float>();
  auto* gates = trace.gates.mutable_data_ptr<float>();
  const auto step = [&](int64_t b, int64_t t, int64_t direction) {
    const int64_t at = n.gates_at(t, b, direction);
    kernels().gru(input + at, products + at, states + n.state_at(state_before(t, direction), b, direction), n.state_dim,
                  states + n.state_at(t + 1, b, direction), gates + at);
  };
  for (int64_t i = 0; i < n.steps; ++i) {
    for (const int64_t direction : {0, 1}) {
      const int64_t t = direction == 0 ? i : n.steps - 1 - i;
      factors[direction].product_out(side(trace.products[t], direction), biases[direction],
                                     side(trace.states[state_before(t, direction)], direction));
    }
    for_each_row(n, lengths.const_data_ptr<int64_t>(), i, step, [](int64_t, int64_t, int64_t) {});
  }
  return {trace.states, trace.products, trace.gates};
}

// From the gradient of the states [S,B,2H] those of the input gates and of the products, [S,B,6H] each.
std::tuple<torch::Tensor, torch::Tensor> run_backward(const torch::Tensor& states_gradient,
                                                      const torch::Tensor& lengths, const torch::Tensor& weight,
                                                      const torch::Tensor& all_states,
                                                      const torch::Tensor& all_products, const torch::Tensor& all_gates,
                                                      int64_t precision_code) {
  const Sizes n = {all_gates.size(0), all_gates.size(1), all_states.size(2) / 2};
  const auto precision = gradient_precision(static_cast<Precision>(precision_code));
  const auto factors = factors_of(weight, /*transposed=*/false, precision);
  const auto input_gradient = at::empty_like(all_gates), product_gradient = at::empty_like(all_products);
  const auto carried = at::zeros({2, n.sentences, n.state_dim}, all_gates.options());  // to the step before
  const auto passed = at::empty_like(carried);                                         // what `carried` was
  const auto* gates = all_gates.const_data_ptr<float>();
  const auto* products = all_products.const_data_ptr<float>();
  const auto* states = all_states.const_data_ptr<float>();
  const auto* above = states_gradient.const_data_ptr<float>();
  auto* next = passed.mutable_data_ptr<float>();
  auto* before = carried.mutable_data_ptr<float>();
  auto* of_input = input_gradient.mutable_data_ptr<float>();
  auto* of_product = product_gradient.mutable_data_ptr<float>();
  const auto step = [&](int64_t b, int64_t t, int64_t direction) {
    const int64_t at = n.gates_at(t, b, direction);
    const int64_t row = (direction * n.sentences + b) * n.state_dim;
    const float* from_above = above + n.state_at(t, b, direction);
    for (int64_t k = 0; k < n.state_dim; ++k) next[row + k] = before[row + k] + from_above[k];
    kernels().gru_backward(gates + at, products + at, states + n.state_at(state_before(t, direction), b, direction),
                           next + row, n.state_dim, of_input + at, of_product + at, before + row);
  };
  const auto idle = [&](int64_t b, int64_t t, int64_t direction) {
    const int64_t at = n.gates_at(t, b, direction);
    std::fill_n(of_input + at, 3 * n.state_dim, 0.0F);
    std::fill_n(of_product + at, 3 * n.state_dim, 0.0F);
  };
  for (int64_t i = n.steps - 1; i >= 0; --i) {
    for_each_row(n, lengths.const_data_ptr<int64_t>(), i, step, idle);
    for (const int64_t direction : {0, 1}) {
      const int64_t t = direction == 0 ? i : n.steps - 1 - i;
      factors[direction].add_product_(carried[direction], side(product_gradient[t], direction));
    }
  }
  return {input_gradient, product_gradient};
}

class BidirectionalGru : public torch::autograd::Function<BidirectionalGru> {
 public:
  // In the order of BidirectionalGruInputs -> states [S,B,2H]
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& input_gates, const torch::Tensor& weight,
                               const torch::Tensor& recurrent_bias, const torch::Tensor& lengths, int64_t precision) {
    static const Operator<decltype(run_forward)> run("nmt::bidirectional_gru");
    const auto [states, products, gates] = run(input_gates, weight, recurrent_bias, lengths, precision);
    context->save_for_backward({lengths, weight, states, products, gates});
    context->saved_data["precision"] = precision;
    return states.narrow(0, 1, gates.size(0));
  }

  static tensor_list backward(AutogradContext* context, tensor_list output_gradients) {
    static const Operator<decltype(run_backward)> run("nmt::bidirectional_gru_backward");
    const auto saved = context->get_saved_variables();
    const auto& states = saved[2];
    const int64_t precision = context->saved_data["precision"].toInt();
    const auto [input_gradient, product_gradient] =
        run(output_gradients[0].contiguous(), saved[0], saved[1], states, saved[3], saved[4], precision);
    const int64_t steps = states.size(0) - 2;
    const auto products = product_gradient.flatten(0, 1);
    std::array<torch::Tensor, 2> weight_gradients;
    for (const int64_t direction : {0, 1}) {
      const auto before = side(states.narrow(0, state_before(0, direction), steps), direction).flatten(0, 1);
      weight_gradients[direction] =
          matrix_product(side(products, direction).t(), before, gradient_precision(static_cast<Precision>(precision)));
    }
    return {input_gradient, at::cat({weight_gradients[0], weight_gradients[1]}), products.sum(0), {}, {}};
  }
};

}  // namespace

TORCH_LIBRARY_IMPL(nmt, CPU, library) {
  library.impl("bidirectional_gru", run_forward);
  library.impl("bidirectional_gru_backward", run_backward);
}

bool has_bidirectional_gru(const torch::Device& device) { return has_operator("bidirectional_gru", device); }

torch::Tensor bidirectional_gru(const BidirectionalGruInputs& in) {
  check_shape(in.lengths, {in.input_gates.size(1)}, "source lengths");
  check_shape(in.input_gates, {-1, -1, in.recurrent_weight.size(0)}, "input gates");
  check_shape(in.recurrent_bias, {in.recurrent_weight.size(0)}, "recurrent bias");
  return BidirectionalGru::apply(in.input_gates.contiguous(), in.recurrent_weight.contiguous(), in.recurrent_bias,
                                 in.lengths.contiguous(), static_cast<int64_t>(in.precision));
}

}  // namespace nmt
