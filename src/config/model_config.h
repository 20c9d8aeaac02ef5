#pragma once

#include "config/field.h"

namespace nmt {

enum class AttentionScore { kAdditive, kAdditiveLinear, kDot, kScaledDot, kGeneral, kNone };
enum class ScoreScale { kNone, kSqrt };
enum class DecoderInit { kBackward, kMean };
enum class DecoderCell { kGru, kConditionalGru };
enum class Readout { kLinear, kTanh, kMaxout };
enum class Tying { kNone, kTarget, kAll };

template <>
struct EnumNames<AttentionScore> {
  static constexpr std::array<std::string_view, 6> names = {"additive",   "additive_linear", "dot",
                                                            "scaled_dot", "general",         "none"};
};
template <>
struct EnumNames<ScoreScale> {
  static constexpr std::array<std::string_view, 2> names = {"none", "sqrt"};
};
template <>
struct EnumNames<DecoderInit> {
  static constexpr std::array<std::string_view, 2> names = {"backward", "mean"};
};
template <>
struct EnumNames<DecoderCell> {
  static constexpr std::array<std::string_view, 2> names = {"gru", "conditional_gru"};
};
template <>
struct EnumNames<Readout> {
  static constexpr std::array<std::string_view, 3> names = {"linear", "tanh", "maxout"};
};
template <>
struct EnumNames<Tying> {
  static constexpr std::array<std::string_view, 3> names = {"none", "target", "all"};
};

// The network (Bahdanau, Cho, Bengio 2014, arXiv:1409.0473, and its relatives); see docs/model.md.
struct ModelConfig {
  int64_t embedding_dim = 256;
  int64_t encoder_dim = 256;
  int64_t encoder_layers = 1;
  int64_t decoder_dim = 512;
  DecoderCell decoder_cell = DecoderCell::kGru;
  DecoderInit decoder_init = DecoderInit::kBackward;
  AttentionScore attention = AttentionScore::kAdditive;
  int64_t attention_dim = 512;
  ScoreScale score_scale = ScoreScale::kNone;
  bool value_projection = false;
  Readout readout = Readout::kTanh;
  int64_t readout_dim = 512;
  Tying tying = Tying::kNone;
  double dropout_embedding = 0.2;
  double dropout_recurrent = 0;
  double dropout_readout = 0.2;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("embedding_dim", self.embedding_dim, between(1, 65536), "E, size of the word vectors of both sides.");
    visit("encoder_dim", self.encoder_dim, between(1, 65536),
          "State size of each encoder direction; annotations have D = 2 x encoder_dim.");
    visit("encoder_layers", self.encoder_layers, between(1, 16), "Layers of the bidirectional encoder.");
    visit("decoder_dim", self.decoder_dim, between(1, 65536), "H, state size of the decoder.");
    visit("decoder_cell", self.decoder_cell, any_value(),
          "gru attends with the previous state; conditional_gru with the output of a first cell.");
    visit("decoder_init", self.decoder_init, any_value(),
          "The decoder starts from the encoder's backward state at the first word, or from the mean annotation.");
    visit("attention", self.attention, any_value(),
          "Score of a source position: additive v.tanh(Ws + Uh), additive_linear (without tanh), dot, scaled_dot, "
          "general s.Wh, or none (one fixed context).");
    visit("attention_dim", self.attention_dim, between(1, 65536), "A, size of the additive score's hidden layer.");
    visit("score_scale", self.score_scale, any_value(), "Additive scores times 1/sqrt(A), or as they are.");
    visit("value_projection", self.value_projection, any_value(),
          "Pass the context through a linear layer with bias (D to D).");
    visit("readout", self.readout, any_value(),
          "From state and context to the vocabulary: linear; tanh, one hidden layer; maxout, the paper's deep output.");
    visit("readout_dim", self.readout_dim, between(1, 65536), "Size of the readout's hidden layer (tanh, maxout).");
    visit("tying", self.tying, any_value(),
          "Share weights: target embedding with output; all three where the vocabulary is joint.");
    visit("dropout_embedding", self.dropout_embedding, from_below(0, 1),
          "Share of word-vector entries dropped in training, both sides.");
    visit("dropout_recurrent", self.dropout_recurrent, from_below(0, 1),
          "Share of the decoder cell's context input dropped in training, and of what passes between encoder layers.");
    visit("dropout_readout", self.dropout_readout, from_below(0, 1),
          "Share of the readout's hidden layer dropped in training.");
  }
};

}  // namespace nmt
