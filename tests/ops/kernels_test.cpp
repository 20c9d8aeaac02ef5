#include "ops/kernels.h"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace nmt {
namespace {

// Runs every test at each instruction-set level that this processor has.
class Kernels : public testing::TestWithParam<CpuLevel> {
 protected:
  void SetUp() override {
    cap_cpu_level(GetParam());
    ASSERT_EQ(cpu_level(), GetParam());
    torch::manual_seed(3);
  }
  void TearDown() override { cap_cpu_level(CpuLevel::kAvx512); }
};

double largest_difference(const torch::Tensor& a, const torch::Tensor& b) { return (a - b).abs().max().item<double>(); }

// Expected values: the formulas in float64 by LibTorch's own operators.
TEST_P(Kernels, GruStepAndGradientsFollowTheFormula) {
  for (const int64_t h : {1, 7, 16, 33, 512}) {
    const auto input = torch::randn({3 * h}) * 3;
    const auto from_state = torch::randn({3 * h}) * 3;
    const auto state = torch::randn({h});
    const auto upstream = torch::randn({h});
    auto next = torch::empty({h});
    auto gates = torch::empty({3 * h});
    kernels().gru(input.data_ptr<float>(), from_state.data_ptr<float>(), state.data_ptr<float>(), h,
                  next.data_ptr<float>(), gates.data_ptr<float>());

    const auto leaf = [](const torch::Tensor& t) { return t.to(torch::kFloat64).requires_grad_(); };
    const auto x = leaf(input), u = leaf(from_state), s = leaf(state);
    const auto i = x.chunk(3), f = u.chunk(3);
    const auto r = torch::sigmoid(i[0] + f[0]), z = torch::sigmoid(i[1] + f[1]);
    const auto n = torch::tanh(i[2] + r * f[2]);
    const auto expected = (1 - z) * n + z * s;
    expected.backward(upstream.to(torch::kFloat64));
    EXPECT_LT(largest_difference(next, expected), 1e-6) << h;

    auto input_gradient = torch::empty({3 * h}), state_gates_gradient = torch::empty({3 * h});
    auto state_gradient = torch::empty({h});
    kernels().gru_backward(gates.data_ptr<float>(), from_state.data_ptr<float>(), state.data_ptr<float>(),
                           upstream.data_ptr<float>(), h, input_gradient.data_ptr<float>(),
                           state_gates_gradient.data_ptr<float>(), state_gradient.data_ptr<float>());
    EXPECT_LT(largest_difference(input_gradient, x.grad()), 3e-6) << h;
    EXPECT_LT(largest_difference(state_gates_gradient, u.grad()), 3e-6) << h;
    EXPECT_LT(largest_difference(state_gradient, s.grad()), 3e-6) << h;
  }
}

TEST_P(Kernels, ExtremeGatesStayFinite) {
  const auto input = torch::tensor({1e30f, -1e30f, 1e4f});
  const auto zero = torch::zeros({3});
  const auto state = torch::tensor({0.5f});
  auto next = torch::empty({1}), gates = torch::empty({3});
  kernels().gru(input.data_ptr<float>(), zero.data_ptr<float>(), state.data_ptr<float>(), 1, next.data_ptr<float>(),
                gates.data_ptr<float>());
  EXPECT_NEAR(next.item<float>(), 1, 1e-6);
}

TEST_P(Kernels, LossRowIsSmoothedCrossEntropyWithItsGradient) {
  for (const int64_t vocab : {2, 5, 63, 64, 65, 511, 512, 513, 1000}) {
    for (const double smoothing : {0.0, 0.1}) {
      auto scores = torch::randn({vocab}) * 5;
      scores[vocab - 1] += 20 * smoothing;  // the largest may be the last
      const auto z = scores.to(torch::kFloat64).requires_grad_();
      const auto log_p = z.log_softmax(0);
      const auto nll = -log_p[1];
      const auto smoothed = (1 - smoothing) * nll - smoothing * log_p.mean();
      smoothed.backward();
      const LossOfRow loss =
          kernels().loss_row(scores.data_ptr<float>(), vocab, 1, static_cast<float>(smoothing), true);
      EXPECT_NEAR(loss.nll, nll.item<double>(), 1e-5);
      EXPECT_NEAR(loss.smoothed, smoothed.item<double>(), 1e-5);
      EXPECT_LT(largest_difference(scores, z.grad()), 1e-6);
    }
  }
}

TEST_P(Kernels, RowsAreSummed) {
  for (const int64_t rows : {1, 2, 15}) {
    for (const int64_t columns : {1, 63, 64, 65, 200}) {
      const auto matrix = torch::randn({rows, columns});
      auto sum = torch::empty({columns});
      kernels().sum_rows(matrix.data_ptr<float>(), rows, columns, sum.data_ptr<float>());
      EXPECT_LT(largest_difference(sum, matrix.to(torch::kFloat64).sum(0)), 1e-5);
    }
  }
}

TEST_P(Kernels, LogSumExpIsThatOfDoubles) {
  for (const int64_t vocab : {1, 2, 15, 64, 511, 513, 8000}) {
    for (const double shift : {0.0, 300.0, -300.0}) {
      const auto scores = torch::randn({vocab}) * 5 + shift;
      const double wanted = scores.to(torch::kFloat64).logsumexp(0).item<double>();
      EXPECT_NEAR(kernels().log_sum_exp(scores.data_ptr<float>(), vocab), wanted, 1e-6 + 1e-7 * std::abs(wanted));
    }
  }
}

TEST_P(Kernels, AttentionAndGradientsFollowTheFormula) {
  for (const bool with_tanh : {true, false}) {
    const int64_t s = 6, length = 4, a = 37, d = 18;
    const auto query = torch::randn({a}), keys = torch::randn({s, a}), values = torch::randn({s, d});
    const auto score = torch::randn({a});
    const AttentionRow row = {query.data_ptr<float>(),
                              keys.data_ptr<float>(),
                              values.data_ptr<float>(),
                              score.data_ptr<float>(),
                              length,
                              s,
                              a,
                              d,
                              0.5f,
                              with_tanh};
    auto weights = torch::empty({s}), context = torch::empty({d});
    kernels().attend(row, weights.data_ptr<float>(), context.data_ptr<float>());

    const auto leaf = [](const torch::Tensor& t) { return t.to(torch::kFloat64).requires_grad_(); };
    const auto q = leaf(query), k = leaf(keys), v = leaf(score);
    const auto hidden = q.unsqueeze(0) + k.narrow(0, 0, length);
    const auto p = (torch::matmul(with_tanh ? hidden.tanh() : hidden, v) * 0.5).softmax(0);
    const auto expected = torch::matmul(p, values.narrow(0, 0, length).to(torch::kFloat64));
    const auto upstream = torch::randn({d});
    expected.backward(upstream.to(torch::kFloat64));
    EXPECT_LT(largest_difference(weights.narrow(0, 0, length), p), 1e-6);
    EXPECT_EQ(weights.narrow(0, length, s - length).abs().max().item<float>(), 0);
    EXPECT_LT(largest_difference(context, expected), 1e-5);

    auto query_gradient = torch::empty({a}), score_gradient = torch::empty({a}), scratch = torch::empty({s});
    auto keys_gradient = torch::ones({s, a});  // gradients are added to what is there
    kernels().attend_backward(row, weights.data_ptr<float>(), upstream.data_ptr<float>(),
                              query_gradient.data_ptr<float>(), keys_gradient.data_ptr<float>(),
                              score_gradient.data_ptr<float>(), scratch.data_ptr<float>());
    EXPECT_LT(largest_difference(query_gradient, q.grad()), 1e-5);
    EXPECT_LT(largest_difference(score_gradient, v.grad()), 1e-5);
    EXPECT_LT(largest_difference(keys_gradient, k.grad() + 1), 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, Kernels, testing::ValuesIn(available_cpu_levels()),
                         [](const auto& level) { return std::string(name_of(level.param)); });

}  // namespace
}  // namespace nmt
