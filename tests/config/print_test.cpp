#include <nlohmann/json.hpp>

#include "config/config_helpers.h"

namespace nmt {
namespace {

using nlohmann::json;

// A configuration none of whose members has its default, so that a member left out by parser or printer shows.
const std::vector<Override> kAllChanged = {
    {"data",
     R"({"train": {"src": "/a", "tgt": "/b"}, "valid": {"src": "/c", "tgt": "/d"}, "max_source_pieces": 7,
         "max_target_pieces": 8, "max_length_ratio": 1.5})"},
    {"text",
     R"({"type": "unigram", "joint": false, "vocab_size": "auto", "source_vocab_size": 300, "source_model": "/m",
         "target_model": "/n", "byte_fallback": false, "character_coverage": 0.98, "normalization": "none",
         "invalid_utf8": "replace", "training_lines": 2000, "sampling_alpha": 0.1})"},
    {"model",
     R"({"embedding_dim": 10, "encoder_dim": 11, "encoder_layers": 2, "decoder_dim": 12,
         "decoder_cell": "conditional_gru", "decoder_init": "mean", "attention": "additive_linear",
         "attention_dim": 13, "score_scale": "sqrt", "value_projection": true, "readout": "maxout", "readout_dim": 10,
         "tying": "target", "dropout_embedding": 0.01, "dropout_recurrent": 0.02, "dropout_readout": 0.03})"},
    {"train",
     R"({"seed": 2, "batch_tokens": 100, "max_batch_sentences": 9, "accumulate_batches": 2, "label_smoothing": 0, "precision": "bfloat16",
         "optimizer": {"kind": "sgd", "learning_rate": 0.5, "beta1": 0.8, "beta2": 0.9, "epsilon": 1e-6,
                       "weight_decay": 0.1, "momentum": 0.9, "rho": 0.9, "clip_norm": 5},
         "schedule": {"kind": "plateau", "warmup_updates": 3, "plateau_factor": 0.7, "plateau_patience": 2,
                      "min_learning_rate": 1e-5},
         "max_updates": 1, "max_epochs": 2, "max_minutes": 3.5, "max_bad_steps": 4, "log_every": 5, "save_every": 6,
         "keep_last": 7})"},
    {"valid",
     R"({"every_updates": 1, "every_epochs": 2, "metric": "perplexity", "bleu": false, "patience": 4, "samples": 5})"},
    {"search",
     R"({"beam": 3, "length_penalty": 0.6, "max_length_ratio": 3, "max_length_extra": 4, "batch_sentences": 5})"}};

void expect_all_different(const json& a, const json& b, const std::string& path) {
  for (const auto& [key, value] : a.items()) {
    if (value.is_object()) {
      expect_all_different(value, b[key], path + key + ".");
    } else {
      EXPECT_NE(value, b[key]) << path << key << " is not set by this test";
    }
  }
}

TEST(ConfigPrint, EveryKeyMakesTheRoundTrip) {
  const Config changed = parse_config("{}", "t", "/", kAllChanged);
  const std::string text = to_json(changed);
  expect_all_different(json::parse(text), json::parse(to_json(Config{})), "");
  const Config back = parse_config(text, "t", "/elsewhere");
  EXPECT_THAT(differing_keys(changed, back), testing::IsEmpty());
  EXPECT_EQ(to_json(back), text);
  EXPECT_EQ(json::parse(text)["text"]["vocab_size"], "auto");
  EXPECT_EQ(json::parse(text)["train"]["optimizer"]["epsilon"], 1e-6);
}

TEST(ConfigPrint, AModelsConfigurationHasNoPathsAndMakesTheRoundTrip) {
  const Config changed = parse_config("{}", "t", "/", kAllChanged);
  const ModelDirConfig kept = {changed.text, changed.model, changed.search};
  const std::string text = to_json(kept);
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("/")));
  EXPECT_FALSE(json::parse(text)["text"].contains("source_model"));
  EXPECT_EQ(to_json(parse_model_config(text, "config.json")), text);
}

TEST(ConfigPrint, AModelsConfigurationIsCheckedAsAModel) {
  const auto message_of = [](const std::string& text) -> std::string {
    try {
      parse_model_config(text, "config.json");
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message_of("{}"), "");
  EXPECT_EQ(message_of("{\"text\": {\"source_model\": \"/m\"}}"),
            "config.json:1: text.source_model: has no place in a model's configuration.");
  EXPECT_EQ(message_of("{\"train\": {}}"), "config.json:1: train: has no place in a model's configuration.");
  EXPECT_EQ(message_of("{\"modle\": {}}"), "config.json:1: modle: unknown key. Did you mean 'model'?");
  EXPECT_NE(message_of("{\"model\": {\"attention\": \"dot\", \"decoder_dim\": 5}}"), "");
  EXPECT_NE(message_of("{"), "");
  EXPECT_NE(message_of(""), "");
}

TEST(ConfigPrint, DifferingKeysAreNamed) {
  Config a = parse_complete("{}"), b = a;
  EXPECT_THAT(differing_keys(a, b), testing::IsEmpty());
  b.train.batch_tokens = 5;
  b.model.attention = AttentionScore::kNone;
  b.data.valid.src.value = "/x";
  b.train.optimizer.beta1 = 0.25;
  EXPECT_THAT(differing_keys(a, b),
              testing::ElementsAre("data.valid.src", "model.attention", "train.batch_tokens", "train.optimizer.beta1"));
}

TEST(ConfigPrint, TheSchemaTellsTypesRangesAndDefaults) {
  const json schema = json::parse(config_schema());
  EXPECT_EQ(schema["additionalProperties"], false);
  const json& model = schema["properties"]["model"]["properties"];
  EXPECT_EQ(model["encoder_layers"]["type"], "integer");
  EXPECT_EQ(model["encoder_layers"]["minimum"], 1);
  EXPECT_EQ(model["encoder_layers"]["maximum"], 16);
  EXPECT_EQ(model["encoder_layers"]["default"], 1);
  EXPECT_EQ(model["dropout_readout"]["exclusiveMaximum"], 1);
  EXPECT_EQ(model["readout"]["enum"], json({"linear", "tanh", "maxout"}));
  EXPECT_EQ(schema["properties"]["text"]["properties"]["vocab_size"]["oneOf"][1]["const"], "auto");
  EXPECT_EQ(schema["properties"]["train"]["properties"]["optimizer"]["properties"]["learning_rate"]["exclusiveMinimum"],
            0);
}

}  // namespace
}  // namespace nmt
