#include "model/seq2seq.h"

#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "model/models.h"
#include "ops/kernels.h"
#include "ops/vocabulary_loss.h"
#include "tensor/device.h"
#include "tensor/random.h"

namespace nmt {
namespace {

using testing_models::small_config;
using testing_models::source;
using testing_models::source_lengths;
using testing_models::target_input;
using testing_models::target_output;
using testing_models::Variant;
using testing_models::variants;

class EveryModel : public testing::TestWithParam<Variant> {
 protected:
  void SetUp() override { seed_random(11); }
  Seq2Seq make() const {
    Seq2Seq model(GetParam().config, 20, 20);
    // Biases start at zero; give them values so that tests see them.
    const torch::NoGradGuard no_grad;
    for (torch::Tensor parameter : model->parameters()) {
      if (parameter.dim() == 1) parameter.uniform_(-0.3, 0.3);
    }
    return model;
  }
};

torch::Tensor loss_of(Seq2Seq& model, const torch::Tensor& src, const torch::Tensor& lengths,
                      const torch::Tensor& input, const torch::Tensor& output) {
  const auto states = model->forward(src, lengths, input);
  return vocabulary_loss(states, model->output_weight(), model->output_bias(), output, {.smoothing = 0.1}).objective;
}

// Teacher forcing and one-step decoding give the same readout states.
TEST_P(EveryModel, StepsEqualTeacherForcing) {
  Seq2Seq model = make();
  model->eval();
  const torch::NoGradGuard no_grad;
  const auto expected = model->forward(source(), source_lengths(), target_input());
  auto start = model->start(source(), source_lengths());
  auto state = start.state;
  for (int64_t t = 0; t < 4; ++t) {
    const auto step = model->step(target_input().select(1, t), state, start.memory);
    EXPECT_TRUE(torch::allclose(step.readout, expected.select(1, t), 1e-4, 1e-5)) << t;
    state = step.state;
  }
}

// A row may look at any sentence, several rows at the same.
TEST_P(EveryModel, RowsChooseTheirSentence) {
  Seq2Seq model = make();
  model->eval();
  const torch::NoGradGuard no_grad;
  const auto start = model->start(source(), source_lengths());
  const auto all = model->step(torch::tensor({2, 2, 2}, torch::kInt64), start.state, start.memory);
  const auto rows = torch::tensor({2, 0, 2, 1}, torch::kInt64);
  const auto chosen =
      model->step(torch::full({4}, 2, torch::kInt64), start.state.index_select(0, rows), start.memory, rows);
  EXPECT_TRUE(torch::allclose(chosen.readout, all.readout.index_select(0, rows), 1e-4, 1e-6));
}

// A sentence alone and the same sentence in a padded batch, with garbage behind its end (field fault 34).
TEST_P(EveryModel, PaddingChangesNothing) {
  Seq2Seq model = make();
  model->eval();
  const torch::NoGradGuard no_grad;
  const auto batch = model->forward(source(), source_lengths(), target_input());
  auto noisy = source().clone();
  noisy[1][3] = 17;
  noisy[2][4] = 18;
  EXPECT_TRUE(torch::equal(model->forward(noisy, source_lengths(), target_input()), batch));
  for (int64_t b = 0; b < 3; ++b) {
    const int64_t length = source_lengths()[b].item<int64_t>();
    const auto alone = model->forward(source().narrow(0, b, 1).narrow(1, 0, length), source_lengths().narrow(0, b, 1),
                                      target_input().narrow(0, b, 1));
    EXPECT_TRUE(torch::allclose(alone[0], batch[b], 1e-4, 1e-5)) << b;
  }
}

// Gradients against central differences in float64 by plain operators.
TEST_P(EveryModel, GradientsEqualFiniteDifferences) {
  Seq2Seq model = make();
  model->to(torch::kFloat64);
  const auto loss = [&] {
    const auto states = model->forward(source(), source_lengths(), target_input());
    return vocabulary_loss_plain(states, model->output_weight(), model->output_bias(), target_output(),
                                 {.smoothing = 0.1})
        .objective;
  };
  loss().backward();
  const torch::NoGradGuard no_grad;
  for (auto& item : model->named_parameters()) {
    ASSERT_TRUE(item.value().grad().defined()) << item.key();
    auto values = item.value().view({-1});
    const auto gradient = item.value().grad().view({-1});
    for (const int64_t i : {int64_t{0}, values.size(0) / 2, values.size(0) - 1}) {
      const double at = values[i].item<double>();
      constexpr double kStep = 1e-5;
      values[i] = at + kStep;
      const double above = loss().item<double>();
      values[i] = at - kStep;
      const double below = loss().item<double>();
      values[i] = at;
      EXPECT_NEAR(gradient[i].item<double>(), (above - below) / (2 * kStep), 1e-6) << item.key() << " " << i;
    }
  }
}

// The fused operators in float32 against plain operators in float64, at every instruction-set level.
TEST_P(EveryModel, FusedGradientsEqualPlainOnes) {
  Seq2Seq model = make();
  std::map<std::string, torch::Tensor> expected;
  model->to(torch::kFloat64);
  vocabulary_loss_plain(model->forward(source(), source_lengths(), target_input()), model->output_weight(),
                        model->output_bias(), target_output(), {.smoothing = 0.1})
      .objective.backward();
  for (auto& item : model->named_parameters()) {
    expected[item.key()] = item.value().grad().clone();
    item.value().mutable_grad().reset();
  }
  model->to(torch::kFloat32);
  for (const CpuLevel level : available_cpu_levels()) {
    cap_cpu_level(level);
    loss_of(model, source(), source_lengths(), target_input(), target_output()).backward();
    for (auto& item : model->named_parameters()) {
      const auto& reference = expected[item.key()];
      const double scale = std::max(1e-2, reference.abs().max().item<double>());
      const double difference = (item.value().grad() - reference).abs().max().item<double>();
      EXPECT_LT(difference / scale, 1e-5) << item.key() << " at " << name_of(level);
      item.value().mutable_grad().reset();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, EveryModel, testing::ValuesIn(variants()),
                         [](const auto& variant) { return variant.param.name; });

TEST(Seq2Seq, ParameterNamesAndShapes) {
  ModelConfig config;
  Seq2Seq model(config, 8000, 7000);
  const std::map<std::string, std::vector<int64_t>> golden = {{"source_embedding", {8000, 256}},
                                                              {"target_embedding", {7000, 256}},
                                                              {"output_weight", {7000, 512}},
                                                              {"output_bias", {7000}},
                                                              {"encoder.forward_0.input_weight", {768, 256}},
                                                              {"encoder.forward_0.recurrent_weight", {768, 256}},
                                                              {"encoder.forward_0.input_bias", {768}},
                                                              {"encoder.forward_0.recurrent_bias", {768}},
                                                              {"encoder.backward_0.input_weight", {768, 256}},
                                                              {"encoder.backward_0.recurrent_weight", {768, 256}},
                                                              {"encoder.backward_0.input_bias", {768}},
                                                              {"encoder.backward_0.recurrent_bias", {768}},
                                                              {"decoder.init.weight", {512, 256}},
                                                              {"decoder.init.bias", {512}},
                                                              {"decoder.attention.query.weight", {512, 512}},
                                                              {"decoder.attention.key.weight", {512, 512}},
                                                              {"decoder.attention.score.weight", {1, 512}},
                                                              {"decoder.cell.input_weight", {1536, 768}},
                                                              {"decoder.cell.recurrent_weight", {1536, 512}},
                                                              {"decoder.cell.input_bias", {1536}},
                                                              {"decoder.cell.recurrent_bias", {1536}},
                                                              {"readout.hidden.weight", {512, 1280}},
                                                              {"readout.hidden.bias", {512}}};
  std::map<std::string, std::vector<int64_t>> found;
  for (const auto& item : model->named_parameters()) found[item.key()] = item.value().sizes().vec();
  EXPECT_EQ(found, golden);
  EXPECT_EQ(model->parameter_count(), 11'501'912) << "sum over the list above";
}

TEST(Seq2Seq, SameSeedSameModel) {
  seed_random(3);
  Seq2Seq a(small_config(), 20, 20);
  seed_random(3);
  Seq2Seq b(small_config(), 20, 20);
  const auto pa = a->parameters(), pb = b->parameters();
  for (size_t i = 0; i < pa.size(); ++i) EXPECT_TRUE(torch::equal(pa[i], pb[i]));
}

TEST(Seq2Seq, TyingSharesStorage) {
  ModelConfig config = small_config();
  config.tying = Tying::kTarget;
  Seq2Seq tied(config, 20, 20);
  EXPECT_TRUE(tied->output_weight().is_same(tied->named_parameters()["target_embedding"]));
  EXPECT_EQ(tied->named_parameters().find("output_weight"), nullptr);
  config.tying = Tying::kAll;
  EXPECT_THROW(Seq2Seq(config, 20, 21), UsageError);
  config.readout_dim = 11;
  EXPECT_THROW(Seq2Seq(config, 20, 20), UsageError);
}

TEST(Seq2Seq, DropoutOnlyInTraining) {
  ModelConfig config = small_config();
  config.dropout_embedding = config.dropout_readout = config.dropout_recurrent = 0.5;
  Seq2Seq model(config, 20, 20);
  const torch::NoGradGuard no_grad;
  const auto run = [&] { return model->forward(source(), source_lengths(), target_input()); };
  EXPECT_FALSE(torch::equal(run(), run()));
  model->eval();
  EXPECT_TRUE(torch::equal(run(), run()));
}

// With recurrent dropout the fused decoder and the steps draw the same mask.
TEST(Seq2Seq, OnEveryDeviceRecurrentDropoutIsTheSameFusedAndByStep) {
  for (const torch::Device& device : available_devices()) {
    ModelConfig config = small_config();
    config.dropout_recurrent = 0.5;
    seed_random(2);
    Decoder decoder(config);
    Encoded encoded;
    encoded.annotations = torch::randn({3, 5, 16});
    encoded.lengths = source_lengths();
    encoded.mask = torch::arange(5).unsqueeze(0) < source_lengths().unsqueeze(1);
    encoded.annotations = encoded.annotations * encoded.mask.unsqueeze(2);
    encoded.first_backward = torch::randn({3, 8});
    const auto embedded = torch::randn({3, 4, 10}).to(device);
    decoder->to(device);
    for (torch::Tensor* tensor : {&encoded.annotations, &encoded.mask, &encoded.first_backward}) {
      *tensor = tensor->to(device);
    }
    std::map<std::string, torch::Tensor> gradients;
    for (const bool fused : {false, true}) {
      seed_random(5);
      const auto memory = decoder->prepare(encoded);
      const auto state = decoder->initial_state(encoded);
      const auto out =
          fused ? decoder->forward(embedded, state, memory) : decoder->forward_by_steps(embedded, state, memory);
      (out.states.square().sum() + out.contexts.square().sum()).backward();
      for (auto& item : decoder->named_parameters()) {
        if (fused) {
          EXPECT_TRUE(torch::allclose(item.value().grad(), gradients[item.key()], 1e-4, 1e-4))
              << item.key() << " on " << device;
        } else {
          gradients[item.key()] = item.value().grad().clone();
        }
        item.value().mutable_grad().reset();
      }
    }
  }
}

}  // namespace
}  // namespace nmt
