#include "ops/gru_attention.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include <limits>

#include "tensor/device.h"
#include "tensor/shape.h"

namespace nmt {
namespace {

constexpr int64_t kSteps = 4, kSentences = 5, kSource = 67, kState = 70, kAttention = 129, kValue = 150;

// Long and short sentences side by side; no size is a multiple of a vector's or a warp's.
const torch::Tensor& lengths() {
  static const torch::Tensor lengths = torch::tensor({int64_t{67}, int64_t{1}, int64_t{33}, int64_t{9}, int64_t{66}});
  return lengths;
}

// In the order of GruAttentionInputs, without lengths; then the context's mask.
std::vector<torch::Tensor> random_inputs() {
  torch::manual_seed(8);
  return {torch::randn({kSteps, kSentences, 3 * kState}),
          torch::randn({kSentences, kState}),
          torch::randn({kSentences, kSource, kAttention}),
          torch::randn({kSentences, kSource, kValue}),
          torch::randn({kAttention, kState}) * 0.1,
          torch::randn({1, kAttention}) * 0.3,
          torch::randn({3 * kState, kValue}) * 0.05,
          torch::randn({3 * kState, kState}) * 0.1,
          torch::randn({3 * kState}) * 0.1,
          torch::rand({kSteps, kSentences, kValue})};
}

using Outputs = std::pair<torch::Tensor, torch::Tensor>;  // states [T,B,H], contexts [T,B,D]

Outputs by_operator(const std::vector<torch::Tensor>& in, bool with_tanh, bool masked) {
  const torch::Tensor mask = masked ? in[9] : torch::Tensor();
  GruAttentionInputs inputs = {in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], {}, mask};
  inputs.lengths = lengths().to(in[0].device());
  inputs.scale = 0.6;
  inputs.with_tanh = with_tanh;
  const GruAttentionOutputs out = gru_attention(inputs);
  return {out.states, out.contexts};
}

Outputs by_plain_loop(const std::vector<torch::Tensor>& in, bool with_tanh, bool masked) {
  const auto padding = length_mask(lengths(), kSource, in[0].device()).logical_not();
  torch::Tensor state = in[1];
  std::vector<torch::Tensor> states, contexts;
  for (int64_t t = 0; t < kSteps; ++t) {
    const auto hidden = at::linear(state, in[4]).unsqueeze(1) + in[2];
    const auto scores = at::linear(with_tanh ? hidden.tanh() : hidden, in[5]).squeeze(2) * 0.6;
    const auto weights = scores.masked_fill(padding, -std::numeric_limits<double>::infinity()).softmax(1);
    contexts.push_back(at::bmm(weights.unsqueeze(1), in[3]).squeeze(1));
    const auto input = in[0][t] + at::linear(masked ? contexts.back() * in[9][t] : contexts.back(), in[6]);
    const auto i = input.chunk(3, 1), h = at::linear(state, in[7], in[8]).chunk(3, 1);
    const auto reset = at::sigmoid(i[0] + h[0]), update = at::sigmoid(i[1] + h[1]);
    const auto candidate = at::tanh(i[2] + reset * h[2]);
    state = (1 - update) * candidate + update * state;
    states.push_back(state);
  }
  return {at::stack(states), at::stack(contexts)};
}

// Outputs, then the gradients of all inputs but the mask.
template <class Function>
std::vector<torch::Tensor> outputs_and_gradients(Function function, const torch::TensorOptions& options, bool with_tanh,
                                                 bool masked) {
  std::vector<torch::Tensor> inputs;
  for (const torch::Tensor& input : random_inputs()) inputs.push_back(input.to(options).requires_grad_());
  inputs[9] = inputs[9].detach();
  const auto [states, contexts] = function(inputs, with_tanh, masked);
  (states.square().sum() + contexts.sin().sum()).backward();
  std::vector<torch::Tensor> all = {states, contexts};
  for (size_t i = 0; i < 9; ++i) all.push_back(inputs[i].grad());
  for (torch::Tensor& tensor : all) tensor = tensor.detach().to(torch::kCPU, torch::kFloat64);
  return all;
}

TEST(GruAttention, OnEveryDeviceEqualsThePlainLoopInFloat64) {
  for (const torch::Device& device : available_devices()) {
    if (!has_attention_kernels(device)) continue;
    for (const bool with_tanh : {true, false}) {
      for (const bool masked : {true, false}) {
        const auto found = outputs_and_gradients(by_operator, device, with_tanh, masked);
        const auto expected = outputs_and_gradients(by_plain_loop, torch::kFloat64, with_tanh, masked);
        for (size_t i = 0; i < found.size(); ++i) {
          const double scale = std::max(1.0, expected[i].abs().max().item<double>());
          EXPECT_LT((found[i] - expected[i]).abs().max().item<double>() / scale, 1e-5) << device << " " << i;
        }
      }
    }
  }
}

TEST(GruAttention, OnEveryDeviceRowsLookAtTheirSentence) {
  const auto in = random_inputs();
  const auto rows = torch::tensor({int64_t{4}, int64_t{4}, int64_t{0}, int64_t{1}});
  const auto query = torch::randn({4, kAttention});
  const auto hidden = (query.unsqueeze(1) + in[2].index_select(0, rows)).to(torch::kFloat64).tanh();
  const auto mask = length_mask(lengths(), kSource, torch::kCPU).index_select(0, rows);
  const auto weights = at::linear(hidden, in[5].to(torch::kFloat64))
                           .squeeze(2)
                           .masked_fill(mask.logical_not(), -std::numeric_limits<double>::infinity())
                           .softmax(1);
  const auto context = at::bmm(weights.unsqueeze(1), in[3].index_select(0, rows).to(torch::kFloat64)).squeeze(1);
  for (const torch::Device& device : available_devices()) {
    if (!has_attention_kernels(device)) continue;
    const auto there = [&](const torch::Tensor& tensor) { return tensor.to(device); };
    const AdditiveAttention found = additive_attention(there(query), there(in[2]), there(in[3]), there(in[5]),
                                                       there(lengths()), there(rows), 1, true);
    EXPECT_LT((found.weights.cpu() - weights).abs().max().item<double>(), 1e-6) << device;
    EXPECT_LT((found.context.cpu() - context).abs().max().item<double>(), 1e-5) << device;
  }
}

}  // namespace
}  // namespace nmt
