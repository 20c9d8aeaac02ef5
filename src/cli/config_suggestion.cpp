#include "cli/config_suggestion.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/counted.h"
#include "base/error.h"
#include "base/log.h"
#include "base/paired_lines.h"
#include "cli/corpus_profile.h"
#include "config/config.h"

namespace nmt {

namespace {

constexpr int64_t kFewPairs = 1000;  // from fewer, a model learns the pairs by heart and hardly anything else

using Json = nlohmann::ordered_json;

// Rules of thumb: little text wants a small vocabulary, a small network, much dropout and many epochs.
struct SizeRule {
  int64_t pairs_below;
  Json vocab_size;
  int64_t embedding_dim, encoder_dim, decoder_dim;
  double dropout;
  int64_t batch_tokens, max_epochs;
};

SizeRule rule_for(int64_t pairs) {
  static const std::array<SizeRule, 5> rules = {{
      {5000, "auto", 128, 128, 256, 0.3, 1024, 80},
      {30000, 4000, 192, 192, 384, 0.3, 1024, 40},
      {200000, 8000, 256, 256, 512, 0.3, 2048, 30},
      {2000000, 16000, 384, 384, 768, 0.2, 4096, 12},
      {std::numeric_limits<int64_t>::max(), 32000, 512, 512, 1024, 0.1, 4096, 5},
  }};
  return *std::find_if(rules.begin(), rules.end(), [&](const SizeRule& rule) { return pairs < rule.pairs_below; });
}

// Pieces that a long line becomes, guessed high: subwords of a language with blanks have about 4 characters at a small
// vocabulary, 2 or 3 where the text is so little that it allows a tiny one only, those of one without blanks about 1.5.
int64_t piece_limit(const TextProfile& text) {
  const double characters_per_piece = text.characters_per_word > 12 || text.lines < kFewPairs ? 1.5 : 3;
  const double pieces = static_cast<double>(text.long_line_characters) / characters_per_piece;
  const int64_t rounded = 50 * (static_cast<int64_t>(pieces / 50) + 1);
  return std::clamp<int64_t>(rounded, 50, 500);
}

void check_pair(const TextProfile& source, const TextProfile& target, const CorpusFiles& files) {
  check_line_counts(files.source, source.lines, files.target, target.lines);
  if (source.lines == source.blank_lines || target.lines == target.blank_lines) {
    throw DataError(files.source + " or " + files.target + " holds no text.");
  }
}

void check_two_texts(const CorpusFiles& files) {
  std::error_code none;
  if (!std::filesystem::equivalent(files.source, files.target, none)) return;
  throw UsageError("The source " + files.source + " and the target " + files.target +
                   " are the same file; a translator learns from a text and its translation.");
}

Json absolute_paths(const CorpusFiles& files) {
  return {{"src", std::filesystem::absolute(files.source).lexically_normal().string()},
          {"tgt", std::filesystem::absolute(files.target).lexically_normal().string()}};
}

Json data_section(const CorpusFiles& train, const CorpusFiles& valid, const TextProfile& source,
                  const TextProfile& target) {
  Json data = {{"train", absolute_paths(train)}};
  if (!valid.source.empty()) data["valid"] = absolute_paths(valid);
  data["max_source_pieces"] = piece_limit(source);
  data["max_target_pieces"] = piece_limit(target);
  return data;
}

}  // namespace

std::string suggest_config(const CorpusFiles& train, const CorpusFiles& valid) {
  check_two_texts(train);
  check_two_texts(valid);
  const TextProfile source = profile_text(train.source), target = profile_text(train.target);
  check_pair(source, target, train);
  const bool has_valid = !valid.source.empty();
  if (has_valid) check_pair(profile_text(valid.source), profile_text(valid.target), valid);

  const SizeRule rule = rule_for(source.lines);
  const bool joint = std::min(shared_letters(source, target), shared_letters(target, source)) > 0.8;
  Json config;
  config["data"] = data_section(train, valid, source, target);
  config["text"] = {{"joint", joint}, {"vocab_size", rule.vocab_size}};
  config["model"] = {{"embedding_dim", rule.embedding_dim}, {"encoder_dim", rule.encoder_dim},
                     {"decoder_dim", rule.decoder_dim},     {"attention_dim", rule.decoder_dim},
                     {"readout_dim", rule.decoder_dim},     {"dropout_embedding", rule.dropout},
                     {"dropout_readout", rule.dropout}};
  config["train"] = {{"batch_tokens", rule.batch_tokens}, {"max_epochs", rule.max_epochs}};
  if (has_valid) {
    config["train"]["schedule"] = {{"kind", "plateau"}};
    config["valid"] = {{"patience", 5}};
    // BLEU of a model that has learned little is 0 again and again, and couldn't tell which checkpoint is better.
    if (source.lines < 10000) config["valid"]["metric"] = "loss";
  }
  log::info("{}; 99 of 100 lines have at most {} and {} characters; {} of the letters are shared.",
            counted(source.lines, "pair"), source.long_line_characters, target.long_line_characters,
            fmt::format("{:.0f}%", 100 * std::min(shared_letters(source, target), shared_letters(target, source))));
  if (source.lines < kFewPairs) {
    log::warn("{} {} too few to learn a language from: a model will know them by heart. Ten thousand are a start.",
              counted(source.lines, "pair"), source.lines == 1 ? "is" : "are");
  }
  if (!has_valid) log::warn("No validation text: training can't tell when to stop. Set some pairs aside for it.");
  std::string text = config.dump(2) + "\n";
  parse_config(text, "the suggestion", "");
  return text;
}

}  // namespace nmt
