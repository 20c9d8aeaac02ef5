#include "config/config_helpers.h"

namespace nmt {
namespace {

TEST(ConfigOverride, ValuesAreJsonWhereTheyAreElseText) {
  const Config config =
      parse_complete("{\"train\": {\"seed\": 1, \"log_every\": 5}}", {{"train.seed", "3"},
                                                                      {"train.optimizer.kind", "sgd"},
                                                                      {"model.attention", "\"general\""},
                                                                      {"text.vocab_size", "auto"},
                                                                      {"text.joint", "false"},
                                                                      {"train.optimizer.learning_rate", "1e-4"}});
  EXPECT_EQ(config.train.seed, 3);
  EXPECT_EQ(config.train.log_every, 5);
  EXPECT_EQ(config.train.optimizer.kind, OptimizerKind::kSgd);
  EXPECT_EQ(config.model.attention, AttentionScore::kGeneral);
  EXPECT_TRUE(config.text.vocab_size.is_auto());
  EXPECT_FALSE(config.text.joint);
  EXPECT_EQ(config.train.optimizer.learning_rate, 1e-4);
}

TEST(ConfigOverride, TheLastOneCountsAndAnObjectLeavesTheRestOfItsSection) {
  const Config config = parse_complete(
      "{\"train\": {\"optimizer\": {\"beta1\": 0.5}}}",
      {{"train.seed", "3"}, {"train.seed", "4"}, {"train", "{\"log_every\": 7, \"optimizer\": {\"beta2\": 0.25}}"}});
  EXPECT_EQ(config.train.seed, 4);
  EXPECT_EQ(config.train.log_every, 7);
  EXPECT_EQ(config.train.optimizer.beta1, 0.5);
  EXPECT_EQ(config.train.optimizer.beta2, 0.25);
}

TEST(ConfigOverride, ErrorsNameTheFlag) {
  EXPECT_EQ(complaint("{}", {{"bach_tokens", "3"}}),
            "--set bach_tokens: unknown key. Did you mean 'train.batch_tokens'?");
  EXPECT_EQ(complaint("{}", {{"batch_tokens", "3000"}}),
            "--set batch_tokens: unknown key; batch_tokens belongs to train.");
  EXPECT_EQ(complaint("{}", {{"trian.seed", "3"}}), "--set trian: unknown key. Did you mean 'train'?");
  EXPECT_EQ(complaint("{}", {{"train.seed.x", "3"}}),
            "--set train.seed: is a value, not a section with keys of its own.");
  EXPECT_EQ(complaint("{}", {{"train.optimizer", "adam"}}),
            "--set train.optimizer: expected an object in braces, found the string \"adam\".");
  EXPECT_EQ(complaint("{\"train\": {\"seed\": 5}}", {{"train.seed", "NaN"}}),
            "--set train.seed: expected a whole number between 0 and 9007199254740991, found the string \"NaN\".");
  EXPECT_EQ(complaint("{}", {{"train.max_minutes", "1e400"}}),
            "--set train.max_minutes: expected a number between 0 and 10000000, found the string \"1e400\".");
  EXPECT_EQ(complaint("{}", {{"text.source_model", "a\xff"}}), "--set: key and value must be UTF-8.");
  EXPECT_NE(complaint("{}", {{"", "3"}}), "");
  EXPECT_NE(complaint("{}", {{"train..seed", "3"}}), "");
}

TEST(ConfigOverride, DeepObjectsDoNotHurt) {
  std::string value;
  for (int i = 0; i < 20000; ++i) value += "{\"a\":";
  value += "1" + std::string(20000, '}');
  EXPECT_EQ(complaint("{}", {{"train", value}}), "--set train: the value has too many brackets.");
}

TEST(ConfigOverride, ParsesKeyAndValue) {
  const Override override = parse_override("data.train.src=a=b");
  EXPECT_EQ(override.path, "data.train.src");
  EXPECT_EQ(override.value, "a=b");
  EXPECT_EQ(parse_override("a=").value, "");
  EXPECT_THROW(parse_override("train.seed"), UsageError);
  EXPECT_THROW(parse_override("=3"), UsageError);
}

}  // namespace
}  // namespace nmt
