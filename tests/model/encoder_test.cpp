#include "model/encoder.h"

#include <gtest/gtest.h>

#include "model/models.h"
#include "support/can_compute.h"
#include "support/relative_difference.h"
#include "tensor/random.h"

namespace nmt {
namespace {

struct Shape {
  int64_t sentences, words, embedding, state, layers;
};

class EncoderOperator : public testing::TestWithParam<Shape> {
 protected:
  Encoder make() const {
    ModelConfig config = testing_models::small_config();
    config.embedding_dim = GetParam().embedding;
    config.encoder_dim = GetParam().state;
    config.encoder_layers = GetParam().layers;
    seed_random(3);
    return Encoder(config);
  }

  // Uneven lengths from 1 to all words, in no order.
  torch::Tensor lengths() const {
    auto lengths = torch::empty({GetParam().sentences}, torch::kInt64);
    for (int64_t b = 0; b < lengths.size(0); ++b) lengths[b] = 1 + (b * 7 + 3) % GetParam().words;
    lengths[GetParam().sentences / 2] = GetParam().words;
    return lengths;
  }

  torch::Tensor embedded() const {
    seed_random(4);
    return torch::randn({GetParam().sentences, GetParam().words, GetParam().embedding});
  }
};

// Encodes and lets a gradient flow from everything that the decoder reads.
struct Pass {
  Encoded encoded;
  torch::Tensor embedded;

  Pass(Encoder& encoder, const torch::Tensor& input, const torch::Tensor& lengths)
      : embedded(input.clone().requires_grad_()) {
    encoded = encoder->forward(embedded, lengths);
    const auto factors = [&](const torch::Tensor& like, double start) {
      return torch::arange(like.numel(), like.options().requires_grad(false)).add(start).sin().view(like.sizes());
    };
    const auto loss = (encoded.annotations * factors(encoded.annotations, 0)).sum() +
                      (encoded.last_forward * factors(encoded.last_forward, 1)).sum() +
                      (encoded.first_backward * factors(encoded.first_backward, 2)).sum();
    loss.backward();
  }
};

// In float64 the encoder runs LibTorch's own GRU.
TEST_P(EncoderOperator, EqualsTheLibraryWithAllGradients) {
  Encoder encoder = make();
  Encoder reference = make();
  reference->to(torch::kFloat64);
  const Pass got(encoder, embedded(), lengths());
  const Pass expected(reference, embedded().to(torch::kFloat64), lengths());
  EXPECT_LT(relative_difference(got.encoded.annotations, expected.encoded.annotations), 1e-5);
  EXPECT_LT(relative_difference(got.encoded.last_forward, expected.encoded.last_forward), 1e-5);
  EXPECT_LT(relative_difference(got.encoded.first_backward, expected.encoded.first_backward), 1e-5);
  EXPECT_LT(relative_difference(got.embedded.grad(), expected.embedded.grad()), 1e-5);
  const auto parameters = reference->named_parameters();
  for (const auto& parameter : encoder->named_parameters()) {
    EXPECT_LT(relative_difference(parameter.value().grad(), parameters[parameter.key()].grad()), 1e-5)
        << parameter.key();
  }
}

TEST_P(EncoderOperator, PaddingIsZeroAndStopsItsGradient) {
  Encoder encoder = make();
  const Pass run(encoder, embedded(), lengths());
  const auto padding = run.encoded.mask.logical_not().unsqueeze(2);
  EXPECT_EQ(run.encoded.annotations.masked_select(padding).abs().sum().item<float>(), 0);
  EXPECT_EQ(run.embedded.grad().masked_select(padding).abs().sum().item<float>(), 0);
}

TEST_P(EncoderOperator, FewerBitsStayNearFloat32) {
  for (const Precision precision : {Precision::kBfloat16, Precision::kInt8}) {
    if (!can_train_in(precision)) continue;
    Encoder encoder = make();
    Encoder reduced = make();
    reduced->set_training_precision(precision);
    const Pass expected(encoder, embedded(), lengths());
    const Pass got(reduced, embedded(), lengths());
    const double difference = relative_difference(got.encoded.annotations, expected.encoded.annotations);
    EXPECT_LT(difference, 0.03);
    EXPECT_GT(difference, 1e-5) << "it wasn't reduced";
    EXPECT_LT(relative_difference(got.embedded.grad(), expected.embedded.grad()), 0.03);
    reduced->pack(precision);
    const torch::NoGradGuard no_gradients;
    const auto packed = reduced->forward(embedded(), lengths()).annotations;
    EXPECT_LT(relative_difference(packed, got.encoded.annotations), 1e-6) << "translation rounds as training does";
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EncoderOperator,
                         testing::Values(Shape{1, 1, 3, 2, 1}, Shape{1, 9, 5, 4, 1}, Shape{5, 7, 10, 8, 1},
                                         Shape{3, 4, 6, 33, 2}, Shape{40, 12, 16, 20, 1}, Shape{9, 30, 8, 17, 3}));

}  // namespace
}  // namespace nmt
