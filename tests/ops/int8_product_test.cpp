#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <limits>
#include <string>

#include "ops/kernels.h"
#include "ops/product_kernels.h"
#include "ops/right_factor.h"
#include "support/can_compute.h"
#include "support/relative_difference.h"

namespace nmt {
namespace {

// At each instruction-set level of this processor; below our own kernels' FBGEMM stands in.
class Int8Products : public testing::TestWithParam<CpuLevel> {
 protected:
  void SetUp() override {
    if (!can_compute(Precision::kInt8)) GTEST_SKIP() << "this LibTorch has no 8-bit products";
    cap_cpu_level(GetParam());
    torch::manual_seed(5);
  }
  void TearDown() override { cap_cpu_level(available_cpu_levels().back()); }
};

RightFactor int8(const torch::Tensor& weight) { return {weight.t(), Precision::kInt8}; }  // [N,K]

struct Rounded {
  explicit Rounded(const torch::Tensor& lines) {
    const auto exact = lines.to(torch::kFloat64);
    scales = exact.abs().amax(1, true).clamp_min(1e-30) / 127;
    values = (exact / scales).round();
  }
  torch::Tensor values;  // [N,K] whole numbers from -127 to 127
  torch::Tensor scales;  // [N,1]
};

TEST_P(Int8Products, MultiplyWholeNumbersExactlyForEveryShapeAroundTheSizesOfTilesAndPanels) {
  if (product_kernels(Precision::kInt8) == nullptr)
    GTEST_SKIP() << "FBGEMM rounds inputs to fewer levels on some processors";
  for (const int64_t rows : {1, 2, 13, 14, 15, 29, 300}) {
    for (const int64_t depth : {1, 3, 4, 5, 64, 261}) {
      for (const int64_t columns : {1, 31, 32, 33, 70}) {
        SCOPED_TRACE(testing::Message() << rows << " x " << depth << " x " << columns);
        const auto input = torch::randn({rows, depth}), weight = torch::randn({columns, depth});
        const auto bias = torch::randn({columns});
        const Rounded left(input), right(weight);
        const auto sums = left.values.matmul(right.values.t());
        const auto expected = sums * left.scales * right.scales.t() + bias;
        const auto found = int8(weight).product(input, bias).to(torch::kFloat64);
        // A value close to halfway between two whole numbers may go either way.
        const auto allowed = (127 * left.scales * right.scales.t() * 2.01) + 1e-5;
        EXPECT_TRUE(((found - expected).abs() <= allowed).all().item<bool>());
        EXPECT_LT((found - expected).abs().median().item<double>(), 1e-4);
      }
    }
  }
}

TEST_P(Int8Products, AreWithinTheirRounding) {
  const auto input = torch::randn({7, 40}), weight = torch::randn({30, 40}), bias = torch::randn({30});
  const auto exact = input.matmul(weight.t()) + bias;
  const auto found = int8(weight).product(input, bias);
  // Each term is off by at most half a step of its input (7 bits at worst) and half a step of its weight.
  const auto input_steps = input.abs().amax(1, true) * weight.abs().sum(1) / 63 / 2;
  const auto weight_steps = input.abs().sum(1, true) * weight.abs().amax(1) / 127 / 2;
  EXPECT_TRUE(((found - exact).abs() <= (input_steps + weight_steps) * 1.01 + 1e-4).all().item<bool>());
  EXPECT_LT(relative_difference(found, exact), 0.02);
  EXPECT_TRUE(torch::allclose(int8(weight).product(input), found - bias, 1e-4, 1e-5));
}

TEST_P(Int8Products, GiveARowTheSameBesideAnyOthersAndOnAnyThread) {
  auto input = torch::randn({40, 70});
  input[3].mul_(1000);  // another row's range is its own affair
  const RightFactor weight = int8(torch::randn({50, 70}));
  const auto together = weight.product(input);
  for (int64_t row = 0; row < 40; ++row) {
    EXPECT_TRUE(weight.product(input.narrow(0, row, 1)).equal(together.narrow(0, row, 1))) << row;
  }
  const int threads = at::get_num_threads();
  for (const int count : {1, 2, 3}) {
    at::set_num_threads(count);
    EXPECT_TRUE(weight.product(input).equal(together)) << count << " threads";
  }
  at::set_num_threads(threads);
}

TEST_P(Int8Products, TakeViewsAndWriteIntoThem) {
  const auto input = torch::randn({9, 80}), matrix = torch::randn({40, 33});
  const auto expected =
      RightFactor(matrix.contiguous(), Precision::kInt8).product(input.narrow(1, 20, 40).contiguous());
  const auto start = torch::randn({9, 33});
  for (const auto& right : {matrix, matrix.t().contiguous().t()}) {
    for (const auto& left : {input.narrow(1, 20, 40), input.narrow(1, 20, 40).t().contiguous().t()}) {
      const RightFactor factor(right, Precision::kInt8);
      EXPECT_TRUE(factor.product(left).equal(expected));
      auto out = torch::ones({9, 50});
      auto written = out.narrow(1, 4, 33);
      factor.product_out(written, start, left);
      EXPECT_TRUE(torch::allclose(written, expected + start, 1e-5, 1e-5));
      factor.add_product_(written, left);
      EXPECT_TRUE(torch::allclose(written, 2 * expected + start, 1e-5, 1e-5));
      EXPECT_EQ(out.narrow(1, 0, 4).sum().item<double>() + out.narrow(1, 37, 13).sum().item<double>(), 9 * 17);
    }
  }
}

TEST_P(Int8Products, KeepZerosAndMayBeEmpty) {
  const auto bias = torch::randn({4});
  EXPECT_TRUE(int8(torch::randn({4, 6})).product(torch::zeros({3, 6}), bias).equal(bias.expand({3, 4})));
  EXPECT_TRUE(int8(torch::zeros({4, 6})).product(torch::randn({3, 6}), bias).equal(bias.expand({3, 4})));
  EXPECT_EQ(int8(torch::randn({4, 6})).product(torch::zeros({0, 6}), bias).numel(), 0);
}

TEST_P(Int8Products, CarryWhatIsNotFinite) {
  if (product_kernels(Precision::kInt8) == nullptr) GTEST_SKIP() << "FBGEMM doesn't";
  for (const float odd : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const int64_t place : {0, 20, 39}) {
      auto input = torch::ones({3, 40});
      input[1][place] = odd;
      const auto out = int8(torch::ones({4, 40})).product(input);
      EXPECT_TRUE(out[1].isnan().all().item<bool>());
      EXPECT_NEAR(out[0].sum().item<double>(), 160, 1e-3);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, Int8Products, testing::ValuesIn(available_cpu_levels()),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

}  // namespace
}  // namespace nmt
