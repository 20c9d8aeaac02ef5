#include "ops/vocabulary_loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "ops/kernels.h"
#include "support/can_compute.h"
#include "support/relative_difference.h"
#include "tensor/device.h"

namespace nmt {
namespace {

TEST(VocabularyLoss, HandCalculation) {
  // One position, two pieces, W = 0, b = (0, ln 3): p = (1/4, 3/4). Smoothing 0.2 spreads 0.1 on each.
  const auto states = torch::zeros({1, 1, 2});
  const auto weight = torch::zeros({2, 2});
  const auto bias = torch::tensor({0.0f, std::log(3.0f)});
  const auto loss = vocabulary_loss(states, weight, bias, torch::tensor({{1}}, torch::kInt64), {.smoothing = 0.2});
  EXPECT_NEAR(loss.nll.item<double>(), std::log(4.0 / 3), 1e-6);
  EXPECT_NEAR(loss.smoothed.item<double>(), 0.9 * std::log(4.0 / 3) + 0.1 * std::log(4.0), 1e-6);
  EXPECT_EQ(loss.tokens, 1);
}

// Gradients come ready for a backward pass from the objective itself, and are multiplied in any other.
TEST(VocabularyLoss, OnEveryDeviceChunksEqualPlainOperators) {
  for (const torch::Device& device : available_devices()) {
    // 3 x 400 positions of 9,000 pieces are several chunks.
    const auto make = [&](bool fused, double further) {
      torch::manual_seed(5);
      auto states = torch::randn({3, 400, 24}, device).requires_grad_();
      auto weight = torch::randn({9000, 24}, device).requires_grad_();
      auto bias = torch::randn({9000}, device).requires_grad_();
      auto targets = torch::randint(0, 9000, {3, 400}, torch::TensorOptions(torch::kInt64).device(device));
      targets.select(0, 1).narrow(0, 200, 200).zero_();
      const VocabularyLossOptions options = {.smoothing = 0.1, .scale = 0.25};
      const auto loss = fused ? vocabulary_loss(states, weight, bias, targets, options)
                              : vocabulary_loss_plain(states, weight, bias, targets, options);
      (further == 1 ? loss.objective : loss.objective * further).backward();
      return std::make_tuple(loss, states.grad(), weight.grad(), bias.grad());
    };
    for (const double further : {1.0, 3.0}) {
      const auto [loss, ds, dw, db] = make(true, further);
      const auto [expected, ds0, dw0, db0] = make(false, further);
      EXPECT_EQ(loss.tokens, expected.tokens);
      EXPECT_NEAR(loss.objective.item<double>() / expected.objective.item<double>(), 1, 1e-5);
      EXPECT_NEAR(loss.smoothed.item<double>() / expected.smoothed.item<double>(), 1, 1e-5);
      EXPECT_NEAR(loss.nll.item<double>() / expected.nll.item<double>(), 1, 1e-5);
      EXPECT_LT(relative_difference(ds, ds0), 1e-5);
      EXPECT_LT(relative_difference(dw, dw0), 1e-5);
      EXPECT_LT(relative_difference(db, db0), 1e-5);
      EXPECT_EQ(ds[1].narrow(0, 200, 200).abs().max().item<float>(), 0) << "padding has no gradient";
    }
  }
}

// Sizes around those of tiles, panels and registers; plain operators in float32 give the expected values.
TEST(VocabularyLoss, KeepsItsGradientsAtEveryLevelAndPrecision) {
  const std::vector<std::pair<Precision, double>> precisions = {
      {Precision::kFloat32, 1e-5}, {Precision::kBfloat16, 2e-2}, {Precision::kInt8, 0.2}};
  for (const CpuLevel level : available_cpu_levels()) {
    cap_cpu_level(level);
    for (const auto& [precision, allowed] : precisions) {
      if (!can_train_in(precision)) continue;
      for (const int64_t rows : {1, 2, 13, 15, 29, 61}) {
        for (const int64_t vocab : {3, 29, 33, 533}) {
          SCOPED_TRACE(testing::Message()
                       << name_of(level) << " " << static_cast<int>(precision) << " " << rows << " x " << vocab);
          const auto targets = torch::randint(0, vocab, {1, rows}, torch::kInt64);
          std::vector<torch::Tensor> of_loss, of_plain;
          for (auto* tensors : {&of_loss, &of_plain}) {
            torch::manual_seed(7);
            *tensors = {torch::randn({1, rows, 24}).requires_grad_(), torch::randn({vocab, 24}).requires_grad_(),
                        torch::randn({vocab}).requires_grad_()};
          }
          const VocabularyLossOptions options = {
              .smoothing = 0.1, .scale = 0.25, .precision = precision, .padding = -1};
          const auto loss = vocabulary_loss(of_loss[0], of_loss[1], of_loss[2], targets, options);
          const auto plain = vocabulary_loss_plain(of_plain[0], of_plain[1], of_plain[2], targets, options);
          loss.objective.backward();
          plain.objective.backward();
          EXPECT_LT(relative_difference(loss.smoothed, plain.smoothed), allowed);
          for (size_t i = 0; i < 3; ++i) EXPECT_LT(relative_difference(of_loss[i].grad(), of_plain[i].grad()), allowed);
        }
      }
    }
  }
  cap_cpu_level(available_cpu_levels().back());
}

TEST(VocabularyLoss, OnEveryDeviceCountsThatAreKnownNeedNoCounting) {
  for (const torch::Device& device : available_devices()) {
    const auto states = torch::randn({2, 3, 4}, device), weight = torch::randn({5, 4}, device);
    const auto bias = torch::zeros({5}, device);
    const auto targets = torch::tensor({{3, 1, 0}, {2, 0, 0}}, torch::kInt64).to(device);
    const auto counted = vocabulary_loss(states, weight, bias, targets, {.smoothing = 0.1});
    const auto known = vocabulary_loss(states, weight, bias, targets, {.smoothing = 0.1, .tokens = 3});
    EXPECT_EQ(counted.tokens, 3);
    EXPECT_EQ(known.tokens, 3);
    EXPECT_TRUE(known.smoothed.equal(counted.smoothed) && known.nll.equal(counted.nll)) << device;
  }
}

TEST(VocabularyLoss, OnlyPaddingIsZero) {
  auto states = torch::randn({2, 3, 4}).requires_grad_();
  const auto loss = vocabulary_loss(states, torch::randn({5, 4}), torch::zeros({5}),
                                    torch::zeros({2, 3}, torch::kInt64), {.smoothing = 0.1});
  EXPECT_EQ(loss.tokens, 0);
  EXPECT_EQ(loss.smoothed.item<float>(), 0);
  loss.objective.backward();
  EXPECT_EQ(states.grad().defined() ? states.grad().abs().max().item<float>() : 0, 0);
}

TEST(VocabularyLoss, WithoutGradientNothingIsKept) {
  const torch::NoGradGuard no_grad;
  const auto loss = vocabulary_loss(torch::randn({2, 3, 4}).requires_grad_(), torch::randn({5, 4}), torch::zeros({5}),
                                    torch::ones({2, 3}, torch::kInt64));
  EXPECT_FALSE(loss.objective.requires_grad());
  EXPECT_EQ(loss.smoothed.item<float>(), loss.nll.item<float>());
}

}  // namespace
}  // namespace nmt
