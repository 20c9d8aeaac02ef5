// CUDA's kernels, run on the CPU by stand-ins for what a GPU has, against the CPU's kernels, which kernels_test.cpp
// holds against float64 operators.
#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <limits>

#include "ops/attention_loop.h"
#include "ops/cpu_row_kernels.h"
// What stands in for the GPU comes before what it runs.
// clang-format off
#include "ops/cuda_on_host.h"
#include "ops/cuda/row_kernels.cu"
// clang-format on

namespace nmt {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

float* data(const torch::Tensor& tensor) { return tensor.data_ptr<float>(); }

// Largest difference in units of the largest expected magnitude; NaN where something wasn't written.
double difference(const torch::Tensor& found, const torch::Tensor& expected) {
  const double scale = std::max(1.0, expected.abs().max().item<double>());
  return (found - expected).abs().max().item<double>() / scale;
}

struct Sizes {
  int64_t source, attention_dim, value_dim;
  std::vector<int64_t> lengths;
};

// No size but the first row's is a multiple of a warp.
const std::vector<Sizes> kSizes = {
    {32, 64, 128, {32, 1}}, {1, 1, 1, {1}}, {5, 12, 16, {5, 3, 2, 1}}, {300, 37, 70, {300, 9}}, {9, 300, 520, {4, 9}}};

AttentionPlan make_plan(const Sizes& sizes, bool with_tanh) {
  const auto sentences = static_cast<int64_t>(sizes.lengths.size());
  return {torch::randn({sentences, sizes.source, sizes.attention_dim}),
          torch::randn({sentences, sizes.source, sizes.value_dim}),
          torch::randn({1, sizes.attention_dim}),
          torch::tensor(sizes.lengths, torch::kInt64),
          0.7,
          with_tanh};
}

class CudaAttentionOnHost : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { torch::manual_seed(4); }
  const CudaRowKernels cuda_{nullptr};
  const CpuRowKernels cpu_;
};

TEST_P(CudaAttentionOnHost, RowsAttendAsOnTheCpu) {
  for (const Sizes& sizes : kSizes) {
    const AttentionPlan plan = make_plan(sizes, GetParam());
    const auto sentences = torch::randint(0, plan.lengths.size(0), {6}, torch::kInt64);
    const auto query = torch::randn({6, sizes.attention_dim + 5});
    for (const bool chosen : {true, false}) {
      const QueryRows rows = {chosen ? 6 : plan.lengths.size(0), data(query), query.size(1),
                              chosen ? sentences.data_ptr<int64_t>() : nullptr};
      const auto run = [&](const RowKernels& kernels) {
        auto weights = torch::full({rows.count, sizes.source}, kNan);
        auto contexts = torch::full({rows.count, sizes.value_dim}, kNan);
        kernels.attend(plan.view(), rows, data(weights), data(contexts));
        return std::pair(weights, contexts);
      };
      const auto [weights, contexts] = run(cuda_);
      const auto [expected_weights, expected_contexts] = run(cpu_);
      EXPECT_LT(difference(weights, expected_weights), 2e-6);
      EXPECT_LT(difference(contexts, expected_contexts), 2e-6);
      EXPECT_TRUE(weights.eq(0).equal(expected_weights.eq(0))) << "padding has no weight";
    }
  }
}

// The whole operator, forward and backward, by one kind of kernels and by the other.
TEST_P(CudaAttentionOnHost, TheLoopGivesWhatItGivesOnTheCpu) {
  for (const Sizes& sizes : kSizes) {
    constexpr int64_t kSteps = 2, kState = 21;
    const AttentionPlan plan = make_plan(sizes, GetParam());
    const int64_t sentences = plan.lengths.size(0);
    StepProducts products;
    products.weight = torch::randn({sizes.attention_dim + 3 * kState, kState}) * 0.3;
    products.bias = torch::randn({sizes.attention_dim + 3 * kState}) * 0.3;
    products.context_weight = torch::randn({3 * kState, sizes.value_dim}) * 0.1;
    const auto gates = torch::randn({kSteps, sentences, 3 * kState}), state = torch::randn({sentences, kState});
    const auto states_gradient = torch::randn({kSteps, sentences, kState});
    const auto contexts_gradient = torch::randn({kSteps, sentences, sizes.value_dim});
    for (const bool masked : {false, true}) {
      if (masked) products.context_mask = torch::rand({kSteps, sentences, sizes.value_dim});
      const auto run = [&](const RowKernels& kernels) -> std::vector<torch::Tensor> {
        const AttentionTrace trace = run_attention_loop(kernels, plan, products, gates, state);
        const AttentionGradients out = run_attention_loop_backward(kernels, plan, products, trace, states_gradient,
                                                                   masked ? contexts_gradient : torch::Tensor());
        return {trace.states,    trace.products, trace.gates, trace.weights, trace.contexts, out.products,
                out.input_gates, out.contexts,   out.keys,    out.score,     out.state};
      };
      const auto found = run(cuda_), expected = run(cpu_);
      for (size_t i = 0; i < found.size(); ++i) EXPECT_LT(difference(found[i], expected[i]), 2e-5) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scores, CudaAttentionOnHost, testing::Bool(),
                         [](const auto& with_tanh) { return with_tanh.param ? "additive" : "additive_linear"; });

TEST(CudaRowKernelsOnHost, GruStepsEqualTheCpus) {
  torch::manual_seed(5);
  for (const int64_t h : {1, 7, 128, 129, 300}) {
    constexpr int64_t kRows = 3;
    const int64_t stride = 3 * h + 4;
    const auto state_gates = torch::randn({kRows, stride}) * 3, input = torch::randn({kRows, 3 * h}) * 3;
    const auto state = torch::randn({kRows, h}), upstream = torch::randn({kRows, h});
    const GruRows rows = {kRows, h, data(state_gates), stride, data(state)};
    const auto run = [&](const RowKernels& kernels) -> std::vector<torch::Tensor> {
      const auto fresh = [&](int64_t size) { return torch::full({kRows, size}, kNan); };
      auto next = fresh(h), gates = fresh(3 * h), input_gradient = fresh(3 * h), state_gradient = fresh(h);
      auto state_gates_gradient = torch::zeros({kRows, stride});
      kernels.gru(rows, data(input), data(next), data(gates));
      kernels.gru_backward(rows, data(gates),
                           {data(upstream), data(input_gradient), data(state_gates_gradient), data(state_gradient)});
      return {next, gates, input_gradient, state_gradient, state_gates_gradient};
    };
    const auto found = run(CudaRowKernels(nullptr)), expected = run(CpuRowKernels());
    for (size_t i = 0; i < found.size(); ++i) EXPECT_LT(difference(found[i], expected[i]), 2e-6) << h << " " << i;
  }
}

TEST(CudaRowKernelsOnHost, LossRowsEqualTheCpus) {
  torch::manual_seed(6);
  for (const int64_t vocab : {2, 5, 511, 513, 2000}) {
    for (const float smoothing : {0.0f, 0.1f}) {
      const auto scores = torch::randn({3, vocab}) * 5 + torch::tensor({{0.f}, {80.f}, {-1000.f}});
      const auto targets = torch::tensor({int64_t{0}, vocab - 1, vocab / 2}, torch::kInt64);
      const auto run = [&](const RowKernels& kernels, bool to_gradient) {
        const auto used = scores.clone();
        const auto losses = torch::full({3, 2}, kNan, torch::kFloat64);
        kernels.loss_rows({3, vocab, data(used), targets.data_ptr<int64_t>(), smoothing}, to_gradient,
                          losses.data_ptr<double>());
        return std::pair(losses, used);
      };
      const auto [expected, expected_gradient] = run(CpuRowKernels(), true);
      const auto [found, gradient] = run(CudaRowKernels(nullptr), true);
      EXPECT_LT((found - expected).abs().max().item<double>(), 2e-4) << vocab;
      EXPECT_LT(difference(gradient, expected_gradient), 2e-6) << vocab;
      const auto [without, untouched] = run(CudaRowKernels(nullptr), false);
      EXPECT_TRUE(without.equal(found) && untouched.equal(scores)) << vocab;
    }
  }
}

TEST(CudaRowKernelsOnHost, AScoreThatIsNotANumberShowsInTheLoss) {
  auto scores = torch::zeros({2, 40});
  scores[0][33] = kNan;
  scores[1][3] = -std::numeric_limits<float>::infinity();
  const auto targets = torch::tensor({1, 1}, torch::kInt64);
  const auto losses = torch::zeros({2, 2}, torch::kFloat64);
  CudaRowKernels(nullptr).loss_rows({2, 40, data(scores), targets.data_ptr<int64_t>(), 0}, true,
                                    losses.data_ptr<double>());
  EXPECT_TRUE(std::isnan(losses[0][0].item<double>()));
  EXPECT_NEAR(losses[1][1].item<double>(), std::log(39.0), 1e-5) << "a piece of probability 0";
}

// CUDA refuses a launch without blocks.
TEST(CudaRowKernelsOnHost, NoRowsAreNoLaunch) {
  const CudaRowKernels kernels(nullptr);
  const AttentionMemoryView memory;
  EXPECT_NO_THROW(kernels.attend(memory, {}, nullptr, nullptr));
  EXPECT_NO_THROW(kernels.attend_backward(memory, {}, nullptr, {}));
  EXPECT_NO_THROW(kernels.gru({}, nullptr, nullptr, nullptr));
  EXPECT_NO_THROW(kernels.gru_backward({}, nullptr, {}));
  EXPECT_NO_THROW(kernels.loss_rows({}, true, nullptr));
  EXPECT_THROW(launch(gru_kernel, {0, 1, 1}, 1, nullptr, GruRows{}, nullptr, nullptr, nullptr), std::logic_error);
}

}  // namespace
}  // namespace nmt
