#include "base/strings.h"
#include "config/config_helpers.h"

namespace nmt {
namespace {

struct Rule {
  const char* name;
  const char* settings;  // of --set, divided by blanks
  const char* sentence;  // empty: nothing is wrong
};

const Rule kRules[] = {
    {"defaults", "", ""},
    {"dot", "model.attention=dot", ""},
    {"dot_sizes", "model.attention=dot model.encoder_dim=100",
     "model.attention is dot, so model.decoder_dim (512) must equal 2 x model.encoder_dim (200); general has no such "
     "limit."},
    {"scaled_dot_sizes", "model.attention=scaled_dot model.decoder_dim=100",
     "model.attention is scaled_dot, so model.decoder_dim (100) must equal 2 x model.encoder_dim (512); general has no "
     "such limit."},
    {"general_sizes", "model.attention=general model.decoder_dim=100", ""},
    {"scale_additive", "model.score_scale=sqrt", ""},
    {"scale_linear", "model.score_scale=sqrt model.attention=additive_linear", ""},
    {"scale_dot", "model.score_scale=sqrt model.attention=dot",
     "model.score_scale sqrt is for additive and additive_linear scores, but model.attention is dot; scaled_dot is the "
     "scaled form of it."},
    {"scale_general", "model.score_scale=sqrt model.attention=general",
     "model.score_scale sqrt is for additive and additive_linear scores, but model.attention is general."},
    {"values_without_attention", "model.value_projection=true model.attention=none",
     "model.value_projection projects what attention gives, but model.attention is none."},
    {"tie_target", "model.tying=target",
     "model.tying is target, so model.embedding_dim (256) must equal model.readout_dim (512)."},
    {"tie_target_fits", "model.tying=target model.readout_dim=256", ""},
    {"tie_maxout_fits", "model.tying=all model.readout=maxout model.readout_dim=256", ""},
    {"tie_linear", "model.tying=target model.readout=linear model.readout_dim=256",
     "model.tying is target, so model.embedding_dim (256) must equal the linear readout's model.decoder_dim + 2 x "
     "model.encoder_dim (1024)."},
    {"tie_linear_fits", "model.tying=target model.readout=linear model.embedding_dim=1024", ""},
    {"tie_all_separate", "model.tying=all model.readout_dim=256 text.joint=false",
     "model.tying is all, which needs one vocabulary: text.joint is false; target ties without it."},
    {"source_size_joint", "text.source_vocab_size=500",
     "text.source_vocab_size is for separate vocabularies, but text.joint is true; text.vocab_size is the size of the "
     "joint one."},
    {"source_size_separate", "text.source_vocab_size=500 text.joint=false", ""},
    {"joint_model", "text.source_model=m", ""},
    {"joint_model_twice", "text.source_model=m text.target_model=m", ""},
    {"joint_target_model", "text.target_model=m",
     "text.target_model is given without text.source_model, but text.joint is true; give a joint model as "
     "text.source_model."},
    {"joint_two_models", "text.source_model=m text.target_model=n",
     "text.target_model differs from text.source_model, but text.joint is true; set text.joint to false for two "
     "models."},
    {"two_models", "text.source_model=m text.target_model=n text.joint=false", ""},
    {"one_of_two_models", "text.target_model=n text.joint=false", ""},
    {"bytes_do_not_fit", "text.vocab_size=260",
     "text.vocab_size is 260, but the special pieces and the 256 pieces of text.byte_fallback alone take 260."},
    {"bytes_fit", "text.vocab_size=261", ""},
    {"no_bytes", "text.vocab_size=5 text.byte_fallback=false", ""},
    {"no_bytes_too_small", "text.vocab_size=4 text.byte_fallback=false",
     "text.vocab_size is 4, but the special pieces alone take 4."},
    {"size_of_a_given_model", "text.vocab_size=10 text.source_model=m", ""},
    {"source_size_too_small", "text.source_vocab_size=10 text.joint=false",
     "text.source_vocab_size is 10, but the special pieces and the 256 pieces of text.byte_fallback alone take 260."},
    {"no_train_source", "data.train.src=", "data.train.src: required, the text to train on."},
    {"valid_half", "data.valid.src=v.src", "data.valid.tgt is missing, while data.valid.src is given."},
    {"ratio_below_one", "data.max_length_ratio=0.5",
     "data.max_length_ratio is 0.5, which drops every pair; it must be 0 (no limit) or at least 1."},
    {"ratio_one", "data.max_length_ratio=1", ""},
    {"small_batch", "train.batch_tokens=200",
     "train.batch_tokens is 200, too small for one target of data.max_target_pieces (200) and its end mark; raise it "
     "to 201 or lower the other."},
    {"just_enough", "train.batch_tokens=201", ""},
    {"momentum", "train.optimizer.momentum=0.9",
     "train.optimizer.momentum is for sgd, but train.optimizer.kind is adam."},
    {"momentum_sgd", "train.optimizer.momentum=0.9 train.optimizer.kind=sgd", ""},
    {"no_warmup", "train.schedule.kind=inverse_sqrt",
     "train.schedule.warmup_updates is 0, but train.schedule.kind inverse_sqrt falls from the end of a warm-up; 4000 "
     "is usual."},
    {"warmup", "train.schedule.kind=inverse_sqrt train.schedule.warmup_updates=1", ""},
    {"floor_above_rate",
     "train.schedule.kind=inverse_sqrt train.schedule.warmup_updates=1 train.schedule.min_learning_rate=0.01",
     "train.schedule.min_learning_rate (0.01) is above train.optimizer.learning_rate (0.001)."},
    {"floor_of_constant", "train.schedule.min_learning_rate=0.01", ""},
    {"patience_without_text", "valid.patience=3",
     "valid.patience (early stopping) needs validation text: data.valid.src and data.valid.tgt."},
    {"patience", "valid.patience=3 data.valid.src=v.src data.valid.tgt=v.tgt", ""},
    {"patience_without_validations", "valid.patience=3 valid.every_epochs=0 data.valid.src=v.src data.valid.tgt=v.tgt",
     "valid.patience (early stopping) needs validations, but valid.every_updates and valid.every_epochs are both 0."},
    {"plateau_without_text", "train.schedule.kind=plateau",
     "train.schedule.kind plateau needs validation text: data.valid.src and data.valid.tgt."},
    {"plateau", "train.schedule.kind=plateau data.valid.src=v.src data.valid.tgt=v.tgt", ""},
    {"metric_not_computed", "valid.bleu=false",
     "valid.metric is bleu, but valid.bleu is false; choose loss or perplexity, or set valid.bleu to true."},
    {"metric_loss", "valid.bleu=false valid.metric=loss", ""},
    {"no_end", "train.max_epochs=0",
     "train.max_updates: training would never end; set train.max_updates, train.max_epochs, train.max_minutes or "
     "valid.patience."},
    {"ends_by_updates", "train.max_epochs=0 train.max_updates=5", ""},
    {"ends_by_minutes", "train.max_epochs=0 train.max_minutes=0.5", ""},
    {"ends_by_patience", "train.max_epochs=0 valid.patience=5 data.valid.src=v.src data.valid.tgt=v.tgt", ""},
};

class ConfigRule : public testing::TestWithParam<Rule> {};

TEST_P(ConfigRule, IsChecked) {
  std::vector<Override> overrides;
  for (const std::string& setting : split(GetParam().settings, ' ')) {
    if (!setting.empty()) overrides.push_back(parse_override(setting));
  }
  std::string got = complaint("{}", overrides);
  for (const std::string origin : {"--set ", "run.json: "}) {
    if (got.starts_with(origin)) got = got.substr(origin.size());
  }
  EXPECT_EQ(got, GetParam().sentence);
}

INSTANTIATE_TEST_SUITE_P(Config, ConfigRule, testing::ValuesIn(kRules),
                         [](const auto& rule) { return std::string(rule.param.name); });

TEST(ConfigRules, ValidateGivesTheSentences) {
  Config config = parse_complete("{}");
  EXPECT_TRUE(validate(config).empty());
  config.model.value_projection = true;
  config.model.attention = AttentionScore::kNone;
  EXPECT_THAT(validate(config), testing::ElementsAre("model.value_projection projects what attention gives, but "
                                                     "model.attention is none."));
}

}  // namespace
}  // namespace nmt
