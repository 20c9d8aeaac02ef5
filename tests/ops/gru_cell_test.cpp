#include "ops/gru_cell.h"

#include <gtest/gtest.h>

namespace nmt {
namespace {

// The kernel's path against the formula in float64, which LibTorch's operators compute.
TEST(GruCell, WithAndWithoutGradientsAndInFloat64TheSame) {
  for (const int64_t rows : {1, 3, 40}) {
    torch::manual_seed(rows);
    const auto input = torch::randn({rows, 21}) * 2, from_state = torch::randn({rows, 21}),
               state = torch::rand({rows, 7});
    const auto exact = gru_cell(input.to(torch::kFloat64), from_state.to(torch::kFloat64), state.to(torch::kFloat64));
    const auto with_gradient = gru_cell(input.clone().requires_grad_(), from_state, state);
    EXPECT_TRUE(with_gradient.requires_grad());
    EXPECT_TRUE(torch::allclose(gru_cell(input, from_state, state).to(torch::kFloat64), exact, 1e-5, 1e-6));
    EXPECT_TRUE(torch::allclose(with_gradient.to(torch::kFloat64), exact, 1e-5, 1e-6));
  }
}

TEST(GruCell, GatesThatAreShutKeepTheState) {
  const auto gates = torch::tensor({{0.0F, 0.0F, 100.0F, 100.0F, 5.0F, -5.0F}});  // z = 1
  const auto state = torch::tensor({{0.25F, -0.5F}});
  EXPECT_TRUE(torch::allclose(gru_cell(gates, torch::zeros({1, 6}), state), state));
}

}  // namespace
}  // namespace nmt
