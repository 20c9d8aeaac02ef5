#include "train/learner.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <cmath>

#include "tensor/device.h"
#include "train/tiny_run.h"

namespace nmt {
namespace {

using test::MadeUpCorpus;
using test::tiny_config;

class LearnerTest : public testing::Test {
 protected:
  LearnerTest() {
    config_.model.dropout_embedding = config_.model.dropout_readout = config_.model.dropout_recurrent = 0;
    config_.train.optimizer.kind = OptimizerKind::kSgd;  // shows the gradient itself
    config_.train.optimizer.clip_norm = 0;
    const auto encoded = corpus_.open();
    for (int64_t i = 0; i < 6; ++i) examples_.push_back(encoded->example(i));
  }
  Batch batch(size_t begin, size_t end) const {
    return make_batch(std::vector<Example>(examples_.begin() + begin, examples_.begin() + end));
  }
  static double largest_difference(const Seq2Seq& a, const Seq2Seq& b) {
    double largest = 0;
    for (size_t i = 0; i < a->parameters().size(); ++i) {
      largest = std::max(largest, (a->parameters()[i] - b->parameters()[i]).abs().max().item<double>());
    }
    return largest;
  }

  MadeUpCorpus corpus_{20};
  Config config_ = tiny_config(corpus_);
  std::vector<Example> examples_;
};

TEST_F(LearnerTest, AccumulatedBatchesEqualOneLargeOne) {
  const Seq2Seq start = test::new_model(config_), one = test::new_model(config_), parts = test::new_model(config_);
  const LearnReport whole = Learner(one, config_.train, torch::kCPU).learn({batch(0, 6)}, 1, 3);
  const LearnReport split =
      Learner(parts, config_.train, torch::kCPU).learn({batch(0, 1), batch(1, 4), batch(4, 6)}, 1, 3);
  EXPECT_EQ(whole.target_tokens, split.target_tokens);
  EXPECT_EQ(split.sentences, 6);
  EXPECT_NEAR(whole.loss, split.loss, 1e-5 * whole.loss);
  EXPECT_NEAR(whole.nll, split.nll, 1e-5 * whole.nll);
  EXPECT_NEAR(whole.gradient_norm, split.gradient_norm, 1e-5 * whole.gradient_norm);
  EXPECT_GT(largest_difference(start, one), 1e-2);
  EXPECT_LT(largest_difference(one, parts), 1e-6);
}

TEST_F(LearnerTest, LossIsThatOfUniformGuessingWhereWeightsAreZero) {
  config_.train.label_smoothing = 0.1;
  Seq2Seq model = test::new_model(config_);
  for (torch::Tensor weight : model->parameters()) weight.data().zero_();
  const LearnReport report = Learner(model, config_.train, torch::kCPU).learn({batch(0, 6)}, 0, 3);
  const double expected = static_cast<double>(report.target_tokens) * std::log(test::kTinyVocab);
  EXPECT_NEAR(report.nll, expected, 1e-4 * expected);
  EXPECT_NEAR(report.loss, expected, 1e-4 * expected);
}

TEST_F(LearnerTest, BadLossChangesNothing) {
  Seq2Seq model = test::new_model(config_), before = test::new_model(config_);
  Learner learner(model, config_.train, torch::kCPU);
  torch::Tensor bias = model->output_bias();
  const float good = bias.data()[7].item<float>();
  bias.data()[7] = std::nanf("");
  const LearnReport bad = learner.learn({batch(0, 3)}, 1, 3);
  EXPECT_FALSE(bad.applied);
  EXPECT_FALSE(std::isfinite(bad.loss));
  bias.data()[7] = good;
  EXPECT_EQ(largest_difference(model, before), 0);
  EXPECT_TRUE(learner.learn({batch(0, 3)}, 1, 3).applied);
}

TEST_F(LearnerTest, SeedDecidesDropout) {
  config_.model.dropout_embedding = 0.5;
  const auto loss_with = [&](uint64_t seed) {
    return Learner(test::new_model(config_), config_.train, torch::kCPU).learn({batch(0, 6)}, 1, seed).loss;
  };
  EXPECT_EQ(loss_with(1), loss_with(1));
  EXPECT_NE(loss_with(1), loss_with(2));
}

TEST_F(LearnerTest, RehearsalLeavesNoTrace) {
  Seq2Seq model = test::new_model(config_), before = test::new_model(config_);
  Learner learner(model, config_.train, torch::kCPU);
  learner.rehearse(batch(0, 6));
  EXPECT_EQ(largest_difference(model, before), 0);
  for (const torch::Tensor& weight : model->parameters()) EXPECT_FALSE(weight.grad().defined());
  EXPECT_GT(peak_memory(torch::kCPU), uint64_t{1} << 20);
}

TEST_F(LearnerTest, ValidationLossIsPlainCrossEntropyPerToken) {
  Seq2Seq model = test::new_model(config_);
  for (torch::Tensor weight : model->parameters()) weight.data().zero_();
  EXPECT_NEAR(teacher_forced_loss(model, {batch(0, 3), batch(3, 6)}, torch::kCPU), std::log(test::kTinyVocab), 1e-5);
}

TEST_F(LearnerTest, EveryDeviceLearnsTheSame) {
  config_.train.optimizer.kind = OptimizerKind::kAdam;
  Seq2Seq on_cpu = test::new_model(config_);
  const LearnReport expected = Learner(on_cpu, config_.train, torch::kCPU).learn({batch(0, 4), batch(4, 6)}, 1e-3, 3);
  for (const torch::Device& device : available_devices()) {
    SCOPED_TRACE(device.str());
    Seq2Seq model = test::new_model(config_);
    model->to(device);
    const LearnReport report = Learner(model, config_.train, device).learn({batch(0, 4), batch(4, 6)}, 1e-3, 3);
    EXPECT_NEAR(report.loss, expected.loss, 1e-4 * expected.loss);
    EXPECT_NEAR(report.gradient_norm, expected.gradient_norm, 1e-3 * expected.gradient_norm);
    model->to(torch::kCPU);
    // Adam's first step is the learning rate in the gradient's direction; a gradient of nearly zero may differ in sign.
    EXPECT_LE(largest_difference(on_cpu, model), 2.1e-3);
  }
}

}  // namespace
}  // namespace nmt
