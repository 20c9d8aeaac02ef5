#include "train/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

namespace nmt {
namespace {

double rate(const ScheduleConfig& config, int64_t update, double factor = 1) {
  PlateauState plateau;
  plateau.factor = factor;
  return learning_rate(config, 0.001, update, plateau);
}

TEST(Schedule, ConstantStaysAndWarmsUpWhereAsked) {
  ScheduleConfig config;
  EXPECT_DOUBLE_EQ(rate(config, 1), 0.001);
  EXPECT_DOUBLE_EQ(rate(config, 1000000), 0.001);
  config.warmup_updates = 4;
  EXPECT_DOUBLE_EQ(rate(config, 1), 0.00025);
  EXPECT_DOUBLE_EQ(rate(config, 3), 0.00075);
  EXPECT_DOUBLE_EQ(rate(config, 4), 0.001);
  EXPECT_DOUBLE_EQ(rate(config, 5), 0.001);
}

TEST(Schedule, InverseSqrtPeaksAtTheEndOfWarmUp) {
  ScheduleConfig config;
  config.kind = ScheduleKind::kInverseSqrt;
  config.warmup_updates = 100;
  EXPECT_DOUBLE_EQ(rate(config, 1), 0.00001);
  EXPECT_DOUBLE_EQ(rate(config, 50), 0.0005);
  EXPECT_DOUBLE_EQ(rate(config, 100), 0.001);
  EXPECT_DOUBLE_EQ(rate(config, 400), 0.0005);
  EXPECT_DOUBLE_EQ(rate(config, 10000), 0.0001);
  EXPECT_DOUBLE_EQ(rate(config, 100000000), 1e-6);  // 0.000001 by the formula, and the minimum
  EXPECT_DOUBLE_EQ(rate(config, 400000000), 1e-6);  // 0.0000005 by the formula
  config.warmup_updates = 0;
  EXPECT_DOUBLE_EQ(rate(config, 1), 0.001);
  EXPECT_DOUBLE_EQ(rate(config, 4), 0.0005);
}

TEST(Schedule, MinimumHoldsAfterWarmUpOnlyAndNeverRaisesThePeak) {
  ScheduleConfig config;
  config.warmup_updates = 10000;
  EXPECT_DOUBLE_EQ(rate(config, 1), 1e-7);
  config.warmup_updates = 0;
  config.min_learning_rate = 0.5;
  EXPECT_DOUBLE_EQ(rate(config, 1), 0.001);
}

TEST(Schedule, PlateauWaitsThenLowers) {
  ScheduleConfig config;
  config.kind = ScheduleKind::kPlateau;
  config.plateau_patience = 1;
  config.plateau_factor = 0.5;
  PlateauState plateau;
  const auto see = [&](double loss) { return lower_on_plateau(config, plateau, ValidMetric::kLoss, loss); };
  EXPECT_FALSE(see(3.0));
  EXPECT_FALSE(see(3.0));  // waited for
  EXPECT_TRUE(see(3.1));
  EXPECT_DOUBLE_EQ(learning_rate(config, 0.001, 9, plateau), 0.0005);
  EXPECT_FALSE(see(3.1));
  EXPECT_FALSE(see(2.9));  // better: the waiting begins anew
  EXPECT_FALSE(see(2.9));
  EXPECT_TRUE(see(2.9));
  EXPECT_DOUBLE_EQ(learning_rate(config, 0.001, 9, plateau), 0.00025);
  config.kind = ScheduleKind::kConstant;
  EXPECT_FALSE(see(9) || see(9) || see(9));
}

TEST(Watch, DirectionBelongsToTheMetric) {
  Watch bleu, loss, perplexity;
  EXPECT_TRUE(bleu.see(ValidMetric::kBleu, 10) && loss.see(ValidMetric::kLoss, 5));
  EXPECT_TRUE(bleu.see(ValidMetric::kBleu, 11));
  EXPECT_FALSE(bleu.see(ValidMetric::kBleu, 11));
  EXPECT_FALSE(bleu.see(ValidMetric::kBleu, 9));
  EXPECT_EQ(bleu.waited, 2);
  EXPECT_EQ(bleu.best, 11);
  EXPECT_FALSE(loss.see(ValidMetric::kLoss, 6));
  EXPECT_TRUE(loss.see(ValidMetric::kLoss, 4));
  EXPECT_EQ(loss.waited, 0);
  EXPECT_TRUE(perplexity.see(ValidMetric::kPerplexity, 20));
  EXPECT_TRUE(perplexity.see(ValidMetric::kPerplexity, 19));
}

TEST(Watch, NotANumberIsNeverBest) {
  Watch watch;
  EXPECT_FALSE(watch.see(ValidMetric::kLoss, std::nan("")));
  EXPECT_EQ(watch.best, std::nullopt);
  EXPECT_TRUE(watch.see(ValidMetric::kLoss, 2));
  EXPECT_FALSE(watch.see(ValidMetric::kLoss, std::nan("")));
  EXPECT_EQ(watch.best, 2);
  EXPECT_EQ(watch.waited, 1);
}

}  // namespace
}  // namespace nmt
