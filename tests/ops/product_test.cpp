#include "ops/product.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "base/error.h"
#include "ops/kernels.h"
#include "ops/product_kernels.h"
#include "ops/vocabulary_loss.h"
#include "support/can_compute.h"
#include "support/relative_difference.h"

namespace nmt {
namespace {

struct Factors {
  Factors() {
    torch::manual_seed(5);
    input = torch::rand({7, 40}) * 2 - 1;  // within [-1,1]
    weight = torch::randn({30, 40});
    bias = torch::randn({30});
  }
  torch::Tensor exact() const {
    return at::linear(input.to(torch::kFloat64), weight.to(torch::kFloat64), bias.to(torch::kFloat64))
        .to(torch::kFloat32);
  }
  torch::Tensor input, weight, bias;
};

TEST(Product, WordsMeanPrecisions) {
  EXPECT_EQ(parse_precision("float32"), Precision::kFloat32);
  EXPECT_EQ(parse_precision("bfloat16"), Precision::kBfloat16);
  EXPECT_EQ(parse_precision("int8"), Precision::kInt8);
  EXPECT_THROW(parse_precision("fp16"), UsageError);
}

TEST(Product, Bfloat16RoundsItsFactors) {
  if (!can_compute(Precision::kBfloat16)) GTEST_SKIP() << "this processor has no bfloat16 products";
  Factors f;
  // A factor of 8 bits is off by up to 2^-9 of itself, the mean over 40 terms by less.
  EXPECT_LT(relative_difference(product(f.input, f.weight, f.bias, Precision::kBfloat16), f.exact()), 4e-3);
  EXPECT_GT(relative_difference(product(f.input, f.weight, f.bias, Precision::kBfloat16), f.exact()), 1e-5);
  const PackedWeight packed(f.weight, f.bias, Precision::kBfloat16);
  EXPECT_TRUE(packed.product(f.input).equal(product(f.input, f.weight, f.bias, Precision::kBfloat16)));
}

// Gradients against LibTorch's own linear layer in float64, at every level.
TEST(Product, HasTheGradientsOfALinearLayer) {
  for (const CpuLevel level : available_cpu_levels()) {
    cap_cpu_level(level);
    for (const int which : {0b111, 0b001, 0b010, 0b110, 0b011}) {  // of input, weight and bias, who wants a gradient
      for (const bool with_bias : {true, false}) {
        torch::manual_seed(9);
        std::vector<torch::Tensor> found, expected;
        for (const auto& sizes : std::vector<std::vector<int64_t>>{{3, 5, 40}, {70, 40}, {70}}) {
          const bool wants = ((which >> found.size()) & 1) != 0;
          const auto values = torch::randn(sizes);
          found.push_back(values.clone().requires_grad_(wants));
          expected.push_back(values.to(torch::kFloat64).requires_grad_(wants));
        }
        const auto out = product(found[0], found[1], with_bias ? found[2] : torch::Tensor(), Precision::kFloat32);
        const auto exact = at::linear(expected[0], expected[1], with_bias ? expected[2] : torch::Tensor());
        EXPECT_LT(relative_difference(out.to(torch::kFloat64), exact), 1e-6);
        out.sum().backward();  // an expanded gradient
        exact.sum().backward();
        for (size_t i = 0; i < 3; ++i) {
          ASSERT_EQ(found[i].grad().defined(), expected[i].grad().defined()) << which << " " << i;
          if (!found[i].grad().defined()) continue;
          EXPECT_LT(relative_difference(found[i].grad().to(torch::kFloat64), expected[i].grad()), 1e-6) << i;
        }
      }
    }
    const auto weight = torch::randn({70, 40}).requires_grad_();
    product(torch::randn({0, 40}), weight, {}, Precision::kFloat32).sum().backward();
    EXPECT_EQ(weight.grad().abs().sum().item<double>(), 0);
  }
  cap_cpu_level(available_cpu_levels().back());
}

TEST(Product, APackedWeightServesProductsWithoutGradientsUntilItIsUnpacked) {
  Factors f;
  WeightProduct layer;
  layer.pack(f.weight, f.bias, Precision::kFloat32);
  const torch::Tensor weight = (f.weight + 1).requires_grad_();
  const auto of_packed = layer(f.input, f.weight), with_gradient = layer(f.input, weight, f.bias);
  EXPECT_LT(relative_difference(of_packed, f.exact()), 1e-6);
  EXPECT_LT(relative_difference(with_gradient, at::linear(f.input, weight, f.bias)), 1e-6);
  EXPECT_TRUE(with_gradient.requires_grad());
  layer.unpack();
  EXPECT_LT(relative_difference(layer(f.input, f.weight), at::linear(f.input, f.weight)), 1e-6);
}

TEST(Product, WhatGradientsFlowThroughIsReducedAndTheRestIsNot) {
  if (!can_compute(Precision::kBfloat16)) GTEST_SKIP() << "this processor has no bfloat16 products";
  Factors f;
  WeightProduct layer;
  layer.set_training_precision(Precision::kBfloat16);
  EXPECT_LT(relative_difference(layer(f.input, f.weight, f.bias), f.exact()), 1e-6);
  const torch::Tensor weight = f.weight.clone().requires_grad_(), plain = f.weight.clone().requires_grad_();
  layer(f.input, weight, f.bias).square().sum().backward();
  at::linear(f.input, plain, f.bias).square().sum().backward();
  EXPECT_LT(relative_difference(weight.grad(), plain.grad()), 1e-2);
  EXPECT_FALSE(weight.grad().equal(plain.grad()));
}

TEST(Product, TheVocabularysLossKeepsItsGradientsInBfloat16) {
  if (!can_compute(Precision::kBfloat16)) GTEST_SKIP() << "this processor has no bfloat16 products";
  torch::manual_seed(6);
  const torch::Tensor targets = torch::randint(0, 50, {4, 9}, torch::kInt64);
  std::vector<torch::Tensor> gradients[2];
  double losses[2];
  for (const int reduced : {0, 1}) {
    torch::manual_seed(7);
    const torch::Tensor states = torch::randn({4, 9, 16}).requires_grad_();
    const torch::Tensor weight = torch::randn({50, 16}).requires_grad_(), bias = torch::randn({50}).requires_grad_();
    const VocabularyLoss loss =
        vocabulary_loss(states, weight, bias, targets,
                        {.smoothing = 0.1, .precision = reduced ? Precision::kBfloat16 : Precision::kFloat32});
    loss.objective.backward();
    losses[reduced] = loss.smoothed.item<double>();
    gradients[reduced] = {states.grad(), weight.grad(), bias.grad()};
  }
  EXPECT_NEAR(losses[1], losses[0], 5e-3 * losses[0]);
  for (size_t i = 0; i < 3; ++i) EXPECT_LT(relative_difference(gradients[1][i], gradients[0][i]), 2e-2) << i;
}

// The forward pass is rounded, gradients are those of the factors as they are.
TEST(Product, TrainsWithInt8InTheForwardPassOnly) {
  if (product_kernels(Precision::kInt8) == nullptr) GTEST_SKIP() << "this processor has no 8-bit dot products";
  Factors f;
  const torch::Tensor input = f.input.clone().requires_grad_(), weight = f.weight.clone().requires_grad_();
  const auto out = product(input, weight, f.bias, Precision::kInt8);
  EXPECT_TRUE(out.equal(PackedWeight(f.weight, f.bias, Precision::kInt8).product(f.input)));
  EXPECT_GT(relative_difference(out, f.exact()), 1e-3);
  out.sum().backward();
  const torch::Tensor same_input = f.input.clone().requires_grad_(), same_weight = f.weight.clone().requires_grad_();
  product(same_input, same_weight, f.bias, gradient_precision(Precision::kInt8)).sum().backward();
  EXPECT_TRUE(input.grad().equal(same_input.grad()));
  EXPECT_TRUE(weight.grad().equal(same_weight.grad()));
}

TEST(Product, TrainingWithInt8NeedsOurOwnKernels) {
  cap_cpu_level(CpuLevel::kPlain);
  EXPECT_THROW(check_training_precision(Precision::kInt8, torch::kCPU), ResourceError);
  EXPECT_NO_THROW(check_training_precision(Precision::kFloat32, torch::kCPU));
  EXPECT_EQ(gradient_precision(Precision::kInt8), Precision::kFloat32);
  cap_cpu_level(available_cpu_levels().back());
}

TEST(Product, AGpuHasNoInt8Products) { EXPECT_THROW(check_precision(Precision::kInt8, torch::kCUDA), ResourceError); }

}  // namespace
}  // namespace nmt
