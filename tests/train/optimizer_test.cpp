#include "train/optimizer.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/nn/module.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>
#include <torch/utils.h>

#include <cmath>
#include <limits>

#include "support/temporary_folder.h"
#include "train/update_loops.h"

namespace nmt {
namespace {

// Parameters of awkward sizes, one of them larger than the optimizer's pieces.
struct ToyImpl : torch::nn::Module {
  explicit ToyImpl(uint64_t seed) {
    torch::manual_seed(seed);
    big = register_parameter("big", torch::randn({301, 257}));
    row = register_parameter("row", torch::randn({37}));
    one = register_parameter("one", torch::randn({1, 1}));
    idle = register_parameter("idle", torch::randn({5}));  // never gets a gradient
  }
  torch::Tensor big, row, one, idle;
};
TORCH_MODULE(Toy);

// Gradients of update t; now and then long enough to be clipped at norm 1.
void set_gradients(Toy& toy, int t) {
  torch::manual_seed(1000 + t);
  const double size = t % 3 == 0 ? 1e-4 : 0.1;
  toy->big.mutable_grad() = torch::randn({301, 257}) * size;
  toy->row.mutable_grad() = torch::randn({37}) * size;
  toy->one.mutable_grad() = torch::randn({1, 1}) * size;
}

double largest_difference(const Toy& a, const Toy& b) {
  double largest = 0;
  for (const auto& entry : a->named_parameters()) {
    const torch::Tensor difference = entry.value() - b->named_parameters()[entry.key()];
    largest = std::max(largest, difference.abs().max().item<double>());
  }
  return largest;
}

constexpr int kSteps = 150;

// Weights after kSteps updates of ours and of LibTorch's on equal gradients, each clipped at norm 1. Weights are up to
// about 4, so a tolerance of 2e-5 is some ten roundings of float32; LibTorch's clipping adds 1e-6 to the norm.
template <class TorchOptimizer, class Options>
void expect_equal_to(const OptimizerConfig& config, const Options& options, double tolerance) {
  for (const bool fused : {true, false}) {
    Toy ours(7), theirs(7);
    const Toy start(7);
    Optimizer optimizer(*ours, config, fused);
    TorchOptimizer reference(theirs->parameters(), options);
    for (int t = 1; t <= kSteps; ++t) {
      set_gradients(ours, t);
      set_gradients(theirs, t);
      const double norm = torch::nn::utils::clip_grad_norm_(theirs->parameters(), 1.0);
      reference.step();
      ASSERT_NEAR(optimizer.step(config.learning_rate).item<double>(), norm, 1e-5 * norm) << "update " << t;
    }
    EXPECT_GT(largest_difference(ours, start), 1e-2);
    EXPECT_LT(largest_difference(ours, theirs), tolerance) << (fused ? "fused" : "tensor operations");
    EXPECT_EQ(optimizer.updates(), kSteps);
  }
}

TEST(Optimizer, AdamEqualsLibTorch) {
  OptimizerConfig config;
  config.learning_rate = 1e-2;
  expect_equal_to<torch::optim::Adam>(config, torch::optim::AdamOptions(1e-2), 2e-5);
  config.weight_decay = 0.01;
  config.beta2 = 0.98;
  config.epsilon = 1e-6;
  expect_equal_to<torch::optim::Adam>(
      config, torch::optim::AdamOptions(1e-2).weight_decay(0.01).betas({0.9, 0.98}).eps(1e-6), 2e-5);
}

TEST(Optimizer, AdamWEqualsLibTorch) {
  OptimizerConfig config;
  config.kind = OptimizerKind::kAdamW;
  config.learning_rate = 1e-2;
  config.weight_decay = 0.1;
  expect_equal_to<torch::optim::AdamW>(config, torch::optim::AdamWOptions(1e-2).weight_decay(0.1), 2e-5);
}

TEST(Optimizer, SgdEqualsLibTorch) {
  OptimizerConfig config;
  config.kind = OptimizerKind::kSgd;
  config.learning_rate = 0.1;
  expect_equal_to<torch::optim::SGD>(config, torch::optim::SGDOptions(0.1), 3e-6);
  config.momentum = 0.9;
  config.weight_decay = 0.01;
  expect_equal_to<torch::optim::SGD>(config, torch::optim::SGDOptions(0.1).momentum(0.9).weight_decay(0.01), 3e-6);
}

// Zeiler 2012, algorithm 1, by hand with rho 0.95, epsilon 1e-6, gradients 1 and then -2:
//   E[g^2] = 0.05;                         delta = -sqrt(1e-6 / 0.050001)              = -4.472091e-3
//   E[d^2] = 0.05 * delta^2 = 9.99980e-7;  E[g^2] = 0.95 * 0.05 + 0.05 * 4             = 0.2475
//   delta = 2 * sqrt(1.99998e-6 / 0.247501)                                            = 5.685314e-3
TEST(Optimizer, AdadeltaFollowsThePaper) {
  for (const bool fused : {true, false}) {
    Toy toy(1);
    toy->one.data().fill_(0);
    OptimizerConfig config;
    config.kind = OptimizerKind::kAdadelta;
    config.rho = 0.95;
    config.epsilon = 1e-6;
    config.clip_norm = 0;
    Optimizer optimizer(*toy, config, fused);
    toy->one.mutable_grad() = torch::ones({1, 1});
    optimizer.step(1);
    EXPECT_NEAR(toy->one.item<double>(), -4.472091e-3, 2e-9);
    toy->one.mutable_grad() = torch::full({1, 1}, -2.0);
    optimizer.step(1);
    EXPECT_NEAR(toy->one.item<double>(), -4.472091e-3 + 5.685314e-3, 4e-9);
  }
}

TEST(Optimizer, GradientIsShortenedOnlyWhereItIsTooLong) {
  OptimizerConfig config;
  config.kind = OptimizerKind::kSgd;
  config.clip_norm = 2;
  for (const auto& [length, expected] : {std::pair{1.0, -1.0}, std::pair{10.0, -2.0}}) {
    Toy toy(1);
    toy->one.data().fill_(0);
    Optimizer optimizer(*toy, config);
    toy->one.mutable_grad() = torch::full({1, 1}, length);
    EXPECT_DOUBLE_EQ(optimizer.step(1).item<double>(), length);
    EXPECT_FLOAT_EQ(toy->one.item<float>(), expected);
  }
}

TEST(Optimizer, BadGradientChangesNothing) {
  for (const bool fused : {true, false}) {
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      Toy toy(3);
      Optimizer optimizer(*toy, OptimizerConfig{}, fused);
      set_gradients(toy, 1);
      optimizer.step(0.1);
      const Toy before(3);
      for (auto& entry : before->named_parameters()) {
        entry.value().data().copy_(toy->named_parameters()[entry.key()]);
      }
      const torch::Tensor moment = optimizer.state()[1].second.clone();
      set_gradients(toy, 2);
      toy->big.mutable_grad()[300][256] = bad;
      EXPECT_FALSE(std::isfinite(optimizer.step(0.1).item<double>()));
      EXPECT_EQ(largest_difference(toy, before), 0);
      EXPECT_TRUE(torch::equal(optimizer.state()[1].second, moment));
      EXPECT_EQ(optimizer.updates(), 1);
      EXPECT_FALSE(toy->big.grad().defined());
    }
  }
}

TEST(Optimizer, BadLossChangesNothing) {
  for (const bool fused : {true, false}) {
    for (const OptimizerKind kind : {OptimizerKind::kAdam, OptimizerKind::kSgd}) {
      Toy toy(3);
      const Toy before(3);
      OptimizerConfig config;
      config.kind = kind;
      Optimizer optimizer(*toy, config, fused);
      for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        set_gradients(toy, 1);
        EXPECT_TRUE(std::isnan(optimizer.step(0.1, torch::tensor(bad)).item<double>()));
        EXPECT_EQ(largest_difference(toy, before), 0);
        EXPECT_EQ(optimizer.updates(), 0);
      }
      set_gradients(toy, 1);
      EXPECT_TRUE(std::isfinite(optimizer.step(0.1, torch::tensor(1e30f)).item<double>()));
      EXPECT_GT(largest_difference(toy, before), 0);
    }
  }
}

TEST(Optimizer, ThreadsAndVectorWidthsGiveTheSameBits) {
  const int threads = at::get_num_threads();
  std::vector<Toy> results;
  std::vector<double> norms;
  for (const int count : {1, 2, 3}) {
    at::set_num_threads(count);
    Toy toy(5);
    Optimizer optimizer(*toy, OptimizerConfig{});
    double norm = 0;
    for (int t = 1; t <= 5; ++t) {
      set_gradients(toy, t);
      norm += optimizer.step(1e-2).item<double>();
    }
    results.push_back(toy);
    norms.push_back(norm);
  }
  at::set_num_threads(threads);
  for (size_t i = 1; i < results.size(); ++i) {
    EXPECT_EQ(largest_difference(results[0], results[i]), 0);
    EXPECT_EQ(norms[0], norms[i]);
  }
}

template <class Rule>
void expect_same_bits_at_every_level(const Rule& rule) {
  const int64_t size = 1013;
  std::vector<std::vector<float>> results;
  for (const CpuLevel level : available_cpu_levels()) {
    torch::manual_seed(11);
    torch::Tensor data = torch::randn({4, size});
    data[2].abs_();
    data[3].abs_();
    float* base = data.data_ptr<float>();
    UpdateSpan span{size, base, base + size, {base + 2 * size, base + 3 * size}};
    update(rule, span, level);
    results.emplace_back(base, base + 4 * size);
    EXPECT_EQ(results.back(), results.front()) << name_of(level);
    EXPECT_EQ(sum_of_squares(base, size, level), sum_of_squares(base, size, CpuLevel::kPlain));
  }
}

TEST(UpdateLoops, EveryVectorLevelGivesTheSameBits) {
  expect_same_bits_at_every_level(AdamRule{0.3f, 0.01f, 0.99f, 0.9f, 0.999f, 0.01f, 1.7f, 1e-8f});
  expect_same_bits_at_every_level(SgdRule{0.3f, 0.01f, 0.9f, 0.1f});
  expect_same_bits_at_every_level(AdadeltaRule{0.3f, 0.01f, 0.95f, 1e-6f, 1});
}

TEST(UpdateLoops, SumOfSquaresIsExactWhereFloat64Is) {
  std::vector<float> values(1001);
  double expected = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i) * 1e19f;  // squares overflow float32
    expected += static_cast<double>(values[i]) * values[i];
  }
  EXPECT_NEAR(sum_of_squares(values.data(), 1001, cpu_level()), expected, 1e-14 * expected);
}

TEST(Optimizer, ContinuesFromItsStateInAFile) {
  const test::TemporaryFolder folder;
  for (const auto& [kind, fused] : {std::pair{OptimizerKind::kAdam, true}, std::pair{OptimizerKind::kAdam, false},
                                    std::pair{OptimizerKind::kSgd, true}, std::pair{OptimizerKind::kAdadelta, true}}) {
    OptimizerConfig config;
    config.kind = kind;
    config.momentum = 0.9;
    Toy whole(9), parts(9);
    Optimizer through(*whole, config, fused);
    auto first = std::make_unique<Optimizer>(*parts, config, fused);
    for (int t = 1; t <= 6; ++t) {
      set_gradients(whole, t);
      set_gradients(parts, t);
      through.step(0.01);
      first->step(0.01);
      if (t == 3) {
        write_safetensors(folder.path() / "o.safetensors", first->state());
        first = std::make_unique<Optimizer>(*parts, config, fused);
        load_safetensors_into(folder.path() / "o.safetensors", first->state());
        EXPECT_EQ(first->updates(), 3);
      }
    }
    EXPECT_EQ(largest_difference(whole, parts), 0);
  }
}

}  // namespace
}  // namespace nmt
