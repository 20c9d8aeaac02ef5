#include "ops/dropout.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ops/kernels.h"
#include "tensor/random.h"

namespace nmt {
namespace {

torch::Tensor drop_ones(int64_t count, double rate, uint64_t seed) {
  seed_random(seed);
  return inverted_dropout(torch::ones({count}), rate, true);
}

TEST(Dropout, KeepsTheShareAndTheMean) {
  for (const double rate : {0.1, 0.3, 0.5, 0.9}) {
    constexpr int64_t kCount = 1'000'000;
    const auto out = drop_ones(kCount, rate, 1);
    const double dropped = out.eq(0).sum().item<double>() / kCount;
    EXPECT_NEAR(dropped, rate, 5 * std::sqrt(rate * (1 - rate) / kCount));
    EXPECT_NEAR(out.max().item<double>(), 1 / (1 - rate), 1e-6);
  }
}

// Of two draws that are near in some way, both drop an element rate^2 of the time.
TEST(Dropout, NeighboursRowsAndSeedsAreIndependent) {
  constexpr int64_t kCount = 1'000'000;
  constexpr double kRate = 0.3;
  const auto dropped = drop_ones(kCount, kRate, 1).eq(0);
  const double tolerance = 5 * std::sqrt(kRate * kRate * (1 - kRate * kRate) / kCount);
  for (const int64_t distance : {1, 2, 16, 64, 256, 512, 4096, 65536}) {
    const int64_t rest = kCount - distance;
    const auto both = dropped.narrow(0, 0, rest) & dropped.narrow(0, distance, rest);
    EXPECT_NEAR(both.sum().item<double>() / static_cast<double>(rest), kRate * kRate, 1.1 * tolerance) << distance;
  }
  for (const uint64_t seed : {2, 3, 1000}) {
    const auto both = dropped & drop_ones(kCount, kRate, seed).eq(0);
    EXPECT_NEAR(both.sum().item<double>() / kCount, kRate * kRate, tolerance) << seed;
  }
}

TEST(Dropout, TheGradientHasTheSameZeros) {
  auto input = torch::randn({37, 53}).requires_grad_();
  const auto out = inverted_dropout(input, 0.4, true);
  out.sum().backward();
  EXPECT_TRUE(torch::equal(input.grad().eq(0), out.eq(0)));
  EXPECT_TRUE(torch::allclose(out, input * input.grad()));
  EXPECT_FALSE(torch::equal(out, inverted_dropout(input, 0.4, true))) << "each call draws anew";
}

TEST(Dropout, NothingIsDrawnOutsideTraining) {
  const auto input = torch::randn({5});
  const auto state = random_state(torch::kCPU);
  EXPECT_TRUE(torch::equal(inverted_dropout(input, 0.4, false), input));
  EXPECT_TRUE(torch::equal(inverted_dropout(input, 0, true), input));
  EXPECT_TRUE(torch::equal(random_state(torch::kCPU), state));
}

TEST(Dropout, ThreadsAndLevelsChangeNothing) {
  const auto expected = drop_ones(100'003, 0.3, 7);
  const int threads = at::get_num_threads();
  at::set_num_threads(3);
  EXPECT_TRUE(torch::equal(drop_ones(100'003, 0.3, 7), expected));
  at::set_num_threads(threads);
  for (const CpuLevel level : available_cpu_levels()) {
    cap_cpu_level(level);
    EXPECT_TRUE(torch::equal(drop_ones(100'003, 0.3, 7), expected)) << name_of(level);
  }
  cap_cpu_level(available_cpu_levels().back());
}

}  // namespace
}  // namespace nmt
