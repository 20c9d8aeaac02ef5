#include "model/attention.h"

#include <gtest/gtest.h>
#include <torch/nn/modules/linear.h>

#include <cmath>

#include "base/error.h"
#include "tensor/shape.h"

namespace nmt {
namespace {

ModelConfig config_of(AttentionScore score, int64_t attention_dim) {
  ModelConfig config;
  config.attention = score;
  config.attention_dim = attention_dim;
  return config;
}

torch::Tensor full_mask(int64_t sentences, int64_t positions) {
  return torch::ones({sentences, positions}, torch::kBool);
}

double entropy(const torch::Tensor& weights) { return -(weights * weights.log()).sum().item<double>(); }

// The numbers that the project's design prints for LibTorch's random stream, from PyTorch's own operators.
TEST(Attention, PrintedScores) {
  torch::manual_seed(0);
  const auto states = torch::randn({2, 10, 16});
  const auto hidden = torch::randn({2, 20});
  Attention attention(config_of(AttentionScore::kAdditive, 32), 20, 16);
  const torch::NoGradGuard no_grad;
  const auto memory = attention->prepare(states, full_mask(2, 10), torch::full({2}, 10, torch::kInt64));
  const auto scores = attention->scores(hidden, memory.keys);
  const double expected[] = {0.4903, 0.2351, -0.1706, 0.5322};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(scores[0][i].item<double>(), expected[i], 6e-5);
}

TEST(Attention, PrintedContext) {
  torch::manual_seed(0);
  const auto states = torch::randn({2, 10, 16});
  const auto scores = torch::randn({2, 10});
  const auto context = weighted_sum(masked_softmax(scores, full_mask(2, 10)), states);
  const double expected[] = {-0.5123, -0.5981, 0.2538, 0.2980};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(context[0][i].item<double>(), expected[i], 6e-5);
}

TEST(Attention, PrintedWeightsAndEntropies) {
  struct Case {
    AttentionScore score;
    double largest[2], entropies[2];
  };
  for (const Case& c : {Case{AttentionScore::kAdditive, {0.1246, 0.1325}, {2.2885, 2.2873}},
                        Case{AttentionScore::kAdditiveLinear, {0.1666, 0.1522}, {2.2503, 2.2732}}}) {
    torch::manual_seed(0);
    const auto states = torch::randn({2, 10, 16});
    const auto hidden = torch::randn({2, 20});
    torch::manual_seed(0);
    Attention attention(config_of(c.score, 32), 20, 16);
    const torch::NoGradGuard no_grad;
    const auto memory = attention->prepare(states, full_mask(2, 10), torch::full({2}, 10, torch::kInt64));
    const auto weights = attention->attend(hidden, memory).weights;
    for (int b = 0; b < 2; ++b) {
      EXPECT_NEAR(weights[b].max().item<double>(), c.largest[b], 6e-5);
      EXPECT_NEAR(entropy(weights[b]), c.entropies[b], 6e-5);
    }
  }
}

TEST(Attention, ScaledMaskedVariantWithValueProjection) {
  ModelConfig config = config_of(AttentionScore::kAdditive, 96);
  config.score_scale = ScoreScale::kSqrt;
  config.value_projection = true;
  Attention attention(config, 64, 128);
  EXPECT_NEAR(attention->scale(), 1 / std::sqrt(96.0), 1e-12);
  const auto lengths = torch::tensor({2, 3}, torch::kInt64);
  const auto values = torch::randn({2, 3, 128});
  const auto memory = attention->prepare(values, length_mask(lengths, 3, torch::kCPU), lengths);
  const auto out = attention->attend(torch::randn({2, 64}), memory);
  EXPECT_EQ(out.context.sizes(), (std::vector<int64_t>{2, 128}));
  EXPECT_EQ(out.weights[0][2].item<float>(), 0);
  EXPECT_NEAR(out.weights[0].sum().item<double>(), 1, 1e-6);
  // Projecting the annotations first is projecting the context, as the weights sum to 1.
  const auto context = attention->value_weight->forward(weighted_sum(out.weights, values));
  EXPECT_TRUE(torch::allclose(out.context, context, 1e-4, 1e-5));
}

TEST(Attention, WithoutTanhTheAlignmentIgnoresTheQuery) {
  for (const auto score : {AttentionScore::kAdditiveLinear, AttentionScore::kAdditive}) {
    torch::manual_seed(4);
    Attention attention(config_of(score, 32), 20, 16);
    const auto memory =
        attention->prepare(torch::randn({2, 10, 16}), full_mask(2, 10), torch::full({2}, 10, torch::kInt64));
    const auto first = attention->attend(torch::randn({2, 20}), memory).weights;
    const auto second = attention->attend(torch::randn({2, 20}), memory).weights;
    const double difference = (first - second).abs().max().item<double>();
    if (score == AttentionScore::kAdditiveLinear) {
      EXPECT_LT(difference, 1e-6);
    } else {
      EXPECT_GT(difference, 1e-3);
    }
  }
}

TEST(Attention, DotScoresFollowTheirFormulas) {
  const auto query = torch::randn({2, 8});
  const auto keys = torch::randn({2, 5, 8});
  const auto dots = torch::einsum("bh,bsh->bs", {query, keys});
  EXPECT_TRUE(
      torch::allclose(Attention(config_of(AttentionScore::kDot, 1), 8, 8)->scores(query, keys), dots, 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(Attention(config_of(AttentionScore::kScaledDot, 1), 8, 8)->scores(query, keys),
                              dots / std::sqrt(8.0), 1e-4, 1e-5));
  Attention general(config_of(AttentionScore::kGeneral, 1), 6, 8);
  const auto memory = general->prepare(keys, full_mask(2, 5), torch::full({2}, 5, torch::kInt64));
  const auto narrow_query = torch::randn({2, 6});
  const auto expected = torch::einsum("bh,hd,bsd->bs", {narrow_query, general->key_weight->weight, keys});
  EXPECT_TRUE(torch::allclose(general->scores(narrow_query, memory.keys), expected, 1e-4, 1e-5));
}

TEST(Attention, DotNeedsEqualSizes) {
  EXPECT_THROW(Attention(config_of(AttentionScore::kDot, 1), 8, 10), UsageError);
  EXPECT_THROW(Attention(config_of(AttentionScore::kScaledDot, 1), 8, 10), UsageError);
}

TEST(Attention, KernelEqualsOperatorsWithRows) {
  for (const auto score : {AttentionScore::kAdditive, AttentionScore::kAdditiveLinear, AttentionScore::kGeneral}) {
    torch::manual_seed(9);
    Attention attention(config_of(score, 24), 20, 16);
    const auto lengths = torch::tensor({4, 7, 1}, torch::kInt64);
    const auto memory = attention->prepare(torch::randn({3, 7, 16}), length_mask(lengths, 7, torch::kCPU), lengths);
    const auto rows = torch::tensor({2, 0, 0, 1, 2}, torch::kInt64);
    const auto query = torch::randn({5, 20});
    const auto expected = attention->attend(query, memory, rows);  // with gradients: by operators
    const torch::NoGradGuard no_grad;
    const auto out = attention->attend(query, memory, rows);
    EXPECT_TRUE(torch::allclose(out.weights, expected.weights, 1e-5, 1e-6));
    EXPECT_TRUE(torch::allclose(out.context, expected.context, 1e-5, 1e-5));
  }
}

}  // namespace
}  // namespace nmt
