#pragma once

#include <torch/types.h>

#include <ostream>
#include <string>
#include <vector>

#include "config/model_config.h"

namespace nmt::testing_models {

// Small sizes, no dropout.
inline ModelConfig small_config() {
  ModelConfig config;
  config.embedding_dim = 10;
  config.encoder_dim = 8;
  config.decoder_dim = 16;
  config.attention_dim = 12;
  config.readout_dim = 10;
  config.dropout_embedding = config.dropout_readout = config.dropout_recurrent = 0;
  return config;
}

struct Variant {
  std::string name;
  ModelConfig config;
};
inline void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name; }

// Every row of the model's table, one change at a time from small_config().
inline std::vector<Variant> variants() {
  std::vector<Variant> all;
  const auto add = [&](const std::string& name, auto change) {
    ModelConfig config = small_config();
    change(config);
    all.push_back({name, config});
  };
  add("additive", [](ModelConfig&) {});
  add("additive_linear", [](ModelConfig& c) { c.attention = AttentionScore::kAdditiveLinear; });
  add("dot", [](ModelConfig& c) { c.attention = AttentionScore::kDot; });
  add("scaled_dot", [](ModelConfig& c) { c.attention = AttentionScore::kScaledDot; });
  add("general", [](ModelConfig& c) { c.attention = AttentionScore::kGeneral; });
  add("none", [](ModelConfig& c) { c.attention = AttentionScore::kNone; });
  add("score_scale", [](ModelConfig& c) { c.score_scale = ScoreScale::kSqrt; });
  add("value_projection", [](ModelConfig& c) { c.value_projection = true; });
  add("conditional_gru", [](ModelConfig& c) { c.decoder_cell = DecoderCell::kConditionalGru; });
  add("conditional_gru_none", [](ModelConfig& c) {
    c.decoder_cell = DecoderCell::kConditionalGru;
    c.attention = AttentionScore::kNone;
  });
  add("init_mean", [](ModelConfig& c) { c.decoder_init = DecoderInit::kMean; });
  add("two_encoder_layers", [](ModelConfig& c) { c.encoder_layers = 2; });
  add("readout_linear", [](ModelConfig& c) { c.readout = Readout::kLinear; });
  add("readout_maxout", [](ModelConfig& c) { c.readout = Readout::kMaxout; });
  add("tying_target", [](ModelConfig& c) { c.tying = Tying::kTarget; });
  add("tying_all", [](ModelConfig& c) { c.tying = Tying::kAll; });
  return all;
}

// Three sentence pairs of different lengths over a vocabulary of 20, padded with 0; lengths include the end mark 3.
inline torch::Tensor source() {
  return torch::tensor({{5, 6, 7, 8, 3}, {9, 10, 3, 0, 0}, {11, 3, 0, 0, 0}}, torch::kInt64);
}
inline torch::Tensor source_lengths() { return torch::tensor({5, 3, 2}, torch::kInt64); }
inline torch::Tensor target_input() {
  return torch::tensor({{2, 5, 6, 7}, {2, 8, 9, 0}, {2, 12, 13, 14}}, torch::kInt64);
}
inline torch::Tensor target_output() {
  return torch::tensor({{5, 6, 7, 3}, {8, 9, 3, 0}, {12, 13, 14, 3}}, torch::kInt64);
}

}  // namespace nmt::testing_models
