#include "ops/right_factor.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <bit>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "ops/kernels.h"
#include "support/can_compute.h"

namespace nmt {
namespace {

struct Case {
  CpuLevel level;
  Precision precision;

  std::string name() const {
    return std::string(name_of(level)) + (precision == Precision::kBfloat16 ? "Bfloat16" : "");
  }
};

void PrintTo(const Case& shown, std::ostream* out) { *out << shown.name(); }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const CpuLevel level : available_cpu_levels()) {
    all.push_back({level, Precision::kFloat32});
    if (can_compute(Precision::kBfloat16)) all.push_back({level, Precision::kBfloat16});
  }
  return all;
}

// Every test at each instruction-set level that this processor has, in each precision; below AVX2, and for bfloat16
// below AVX-512, LibTorch's products stand in.
class RightFactors : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    cap_cpu_level(GetParam().level);
    torch::manual_seed(3);
  }
  void TearDown() override { cap_cpu_level(available_cpu_levels().back()); }

  Precision precision() const { return GetParam().precision; }

  // What the factors are once rounded, in float64.
  torch::Tensor exact(const torch::Tensor& left, const torch::Tensor& right) const {
    const auto as_used = [&](const torch::Tensor& factor) {
      return (precision() == Precision::kBfloat16 ? factor.to(torch::kBFloat16) : factor).to(torch::kFloat64);
    };
    return as_used(left).matmul(as_used(right));
  }

  // Within the rounding of sums of `depth` terms of size 1; where LibTorch rounds results to bfloat16, within that.
  void expect_near(const torch::Tensor& found, const torch::Tensor& expected, int64_t depth) const {
    const bool rounded = precision() == Precision::kBfloat16 && product_kernels(precision()) == nullptr;
    const double largest = expected.abs().max().item<double>();
    const double allowed = (rounded ? largest / 128 : 0) + 1e-6 * static_cast<double>(depth + 10);
    EXPECT_LE((found.to(torch::kFloat64) - expected).abs().max().item<double>(), allowed);
  }
};

TEST_P(RightFactors, AreExactForEveryShapeAroundTheSizesOfTilesAndPanels) {
  for (const int64_t rows : {1, 2, 5, 6, 7, 13, 14, 15, 29, 300}) {
    for (const int64_t depth : {1, 2, 3, 33, 64}) {
      for (const int64_t columns : {1, 15, 16, 17, 31, 32, 33, 70}) {
        const auto left = torch::randn({rows, depth}), right = torch::randn({depth, columns});
        SCOPED_TRACE(testing::Message() << rows << " x " << depth << " x " << columns);
        expect_near(RightFactor(right, precision()).product(left), exact(left, right), depth);
      }
    }
  }
}

TEST_P(RightFactors, AreExactForSumsLongerThanABlock) {
  const auto left = torch::randn({20, 5001}) / 70, right = torch::randn({5001, 40});
  expect_near(RightFactor(right, precision()).product(left), exact(left, right), 100);
}

TEST_P(RightFactors, TakeViewsAndWriteIntoThem) {
  for (const int64_t rows : {1, 5, 64}) {
    const auto right = torch::randn({48, 66}).t().slice(0, 0, 66, 2);  // [33,48]
    const auto start = torch::randn({rows, 50}).narrow(1, 1, 48), bias = torch::randn({96}).narrow(0, 5, 48);
    for (const auto& left : {torch::randn({rows, 40}).narrow(1, 3, 33), torch::randn({33, rows}).t(),
                             torch::randn({rows, 99}).slice(1, 0, 99, 3)}) {
      const RightFactor factor(right, precision());
      const auto expected = exact(left, right);
      auto out = torch::ones({rows, 60});
      auto written = out.narrow(1, 4, 48);
      factor.add_product_(written, left);
      expect_near(written, expected + 1, 33);
      factor.product_out(written, bias, left);
      expect_near(written, expected + bias, 33);
      factor.product_out(written, start, left);
      expect_near(written, expected + start, 33);
      factor.product_out(written, {}, left);
      expect_near(written, expected, 33);
      EXPECT_EQ(out.narrow(1, 0, 4).sum().item<double>(), 4.0 * static_cast<double>(rows)) << "the rest stays";
      EXPECT_EQ(out.narrow(1, 52, 8).sum().item<double>(), 8.0 * static_cast<double>(rows)) << "the rest stays";
    }
  }
}

TEST_P(RightFactors, GiveARowTheSameBesideAnyOthersAndOnAnyThread) {
  if (product_kernels(precision()) == nullptr) GTEST_SKIP() << "LibTorch's products don't promise it";
  const auto left = torch::randn({40, 2100}), right = torch::randn({2100, 50});
  const RightFactor factor(right, precision());
  const auto together = factor.product(left);
  for (const int64_t rows : {1, 3, 13, 27}) {
    EXPECT_TRUE(factor.product(left.narrow(0, 7, rows)).equal(together.narrow(0, 7, rows))) << rows;
  }
  const int threads = at::get_num_threads();
  for (const int count : {1, 2, 3}) {
    at::set_num_threads(count);
    EXPECT_TRUE(factor.product(left).equal(together)) << count << " threads";
  }
  at::set_num_threads(threads);
}

TEST_P(RightFactors, TakeWideTransposedAndRepeatedFactors) {
  for (const int64_t depth : {1, 2, 3, 37, 64}) {
    const auto left = torch::randn({depth, 101}).t(), right = torch::randn({depth, 75});
    expect_near(RightFactor(right, precision()).product(left), exact(left, right), depth);
    const auto row = torch::randn({1, depth}).expand({20, depth}), one = torch::randn({1, 1}).expand({20, depth});
    const auto start = torch::randn({1, 75});
    for (const auto& repeated : {row, one}) {
      const auto found = RightFactor(right, precision()).product(repeated, start);
      expect_near(found, exact(repeated, right) + start, depth);
    }
  }
}

TEST_P(RightFactors, RefuseFactorsThatDontFit) {
  const RightFactor factor(torch::randn({5, 4}), precision());
  EXPECT_ANY_THROW(factor.product(torch::randn({3, 6})));
  EXPECT_ANY_THROW(factor.product(torch::randn({3, 5}), torch::randn({2, 4})));
  EXPECT_ANY_THROW(factor.product(torch::randn({3, 5}), torch::randn({3})));
}

TEST_P(RightFactors, CarryWhatIsNotFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (const float odd : {nan, -nan, infinity, std::bit_cast<float>(0x7fffffffU)}) {
    auto left = torch::ones({3, 5}), right = torch::ones({5, 4});
    left[1][2] = odd;
    const auto out = RightFactor(right, precision()).product(left);
    EXPECT_FALSE(out[1].isfinite().any().item<bool>());
    EXPECT_EQ(out[0].sum().item<float>() + out[2].sum().item<float>(), 40.0F);
  }
}

TEST_P(RightFactors, MayBeEmpty) {
  EXPECT_EQ(RightFactor(torch::randn({5, 4}), precision()).product(torch::randn({0, 5})).numel(), 0);
  EXPECT_EQ(RightFactor(torch::randn({5, 0}), precision()).product(torch::randn({3, 5})).numel(), 0);
  for (const int64_t columns : {4, 64}) {  // wide ones are packed by whole vectors
    const auto bias = torch::randn({columns});
    auto out = torch::ones({64, columns});
    RightFactor(torch::randn({0, columns}), precision()).product_out(out, bias, torch::randn({0, 64}).t());
    EXPECT_TRUE(out.equal(bias.expand({64, columns})));
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, RightFactors, testing::ValuesIn(cases()),
                         [](const auto& tested) { return tested.param.name(); });

}  // namespace
}  // namespace nmt
