#pragma once

#include "config/field.h"

namespace nmt {

enum class Normalization { kNone, kNfc, kNfkc };
enum class InvalidUtf8 { kError, kReplace };
enum class TokenizerType { kBpe, kUnigram };

template <>
struct EnumNames<Normalization> {
  static constexpr std::array<std::string_view, 3> names = {"none", "nfc", "nfkc"};
};
template <>
struct EnumNames<InvalidUtf8> {
  static constexpr std::array<std::string_view, 2> names = {"error", "replace"};
};
template <>
struct EnumNames<TokenizerType> {
  static constexpr std::array<std::string_view, 2> names = {"bpe", "unigram"};
};

// 0 stands for "auto" in the configuration file.
struct AutoSize {
  int64_t value = 0;
  bool is_auto() const { return value == 0; }
  bool operator==(const AutoSize&) const = default;
};

// How lines become pieces. Where no model file is given, SentencePiece models are trained on the training text.
struct TextConfig {
  TokenizerType type = TokenizerType::kBpe;
  bool joint = true;
  AutoSize vocab_size{8000};
  AutoSize source_vocab_size{0};
  PathField source_model;
  PathField target_model;
  bool byte_fallback = true;
  double character_coverage = 0.9999;
  Normalization normalization = Normalization::kNfc;
  InvalidUtf8 invalid_utf8 = InvalidUtf8::kError;
  int64_t training_lines = 1000000;
  double sampling_alpha = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("type", self.type, any_value(), "Segmentation into pieces: byte-pair encoding or unigram language model.");
    visit("joint", self.joint, any_value(), "One vocabulary for both languages; false trains one for each.");
    visit("vocab_size", self.vocab_size, between(1, 1000000),
          "Pieces in the (target) vocabulary, special pieces included; \"auto\" takes what suits the corpus.");
    visit("source_vocab_size", self.source_vocab_size, between(1, 1000000),
          "Pieces in the source vocabulary where joint is false; \"auto\" takes vocab_size.");
    visit("source_model", self.source_model, any_value(),
          "A SentencePiece model to use for the source instead of training one (for both sides where joint is true).");
    visit("target_model", self.target_model, any_value(), "The same for the target.");
    visit("byte_fallback", self.byte_fallback, any_value(),
          "Spell unseen characters as UTF-8 bytes (256 pieces) instead of giving the unknown piece.");
    visit("character_coverage", self.character_coverage, between(0.98, 1),
          "Share of the characters of the training text that get a piece of their own.");
    visit("normalization", self.normalization, any_value(),
          "Unicode normalisation of model input, the same in training and translation; references are never touched.");
    visit("invalid_utf8", self.invalid_utf8, any_value(),
          "What training does with bytes that are not UTF-8: stop with file and line, or replace them by U+FFFD.");
    visit("training_lines", self.training_lines, at_least(1000),
          "Lines of each side that tokenizer training looks at, drawn at random where the corpus has more.");
    visit("sampling_alpha", self.sampling_alpha, between(0, 1),
          "Subword regularisation in training: BPE-dropout rate or unigram smoothing; 0 switches it off.");
  }
};

}  // namespace nmt
