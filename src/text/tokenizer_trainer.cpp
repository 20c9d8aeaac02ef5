#include "text/tokenizer_trainer.h"

#include <sentencepiece_trainer.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/counted.h"
#include "base/error.h"
#include "base/strings.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/tokenizer.h"
#include "text/training_lines.h"

namespace nmt {

namespace {

class Parts final : public sentencepiece::SentenceIterator {
 public:
  explicit Parts(const std::vector<std::string>& parts) : parts_(parts) {}
  bool done() const override { return at_ >= parts_.size(); }
  void Next() override { ++at_; }
  const std::string& value() const override { return parts_[at_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  const std::vector<std::string>& parts_;
  size_t at_ = 0;
};

// The number that begins there, else 0.
int64_t number_at(const std::string& text, size_t at) {
  int64_t number = 0;
  std::from_chars(text.data() + at, text.data() + text.size(), number);
  return number;
}

// One run of SentencePiece's trainer.
struct Attempt {
  std::string model;     // empty where it failed
  std::string failure;   // the library's words
  int64_t at_most = 0;   // where the text allows no more pieces than this
  int64_t at_least = 0;  // where its alphabet needs as many
};

Attempt attempt(const std::vector<std::string>& parts, const TokenizerTraining& options, int64_t vocab_size,
                bool exact_size) {
  const std::unordered_map<std::string, std::string> settings = {
      {"model_type", std::string(name_of(options.type))},
      {"vocab_size", std::to_string(vocab_size)},
      {"hard_vocab_limit", exact_size ? "true" : "false"},
      {"byte_fallback", options.byte_fallback ? "true" : "false"},
      {"character_coverage", std::to_string(options.character_coverage)},
      {"normalization_rule_name", "identity"},
      {"remove_extra_whitespaces", "false"},
      {"max_sentence_length", "1073741824"},
      {"num_threads", "1"},
      {"minloglevel", "3"},
      {"pad_id", std::to_string(kPadId)},
      {"unk_id", std::to_string(kUnkId)},
      {"bos_id", std::to_string(kBosId)},
      {"eos_id", std::to_string(kEosId)}};
  Attempt out;
  Parts iterator(parts);
  const auto status = sentencepiece::SentencePieceTrainer::Train(settings, &iterator, &out.model);
  if (status.ok()) return out;
  out.model.clear();
  out.failure = status.message();
  // Vocabulary size too high (%d). Please set it to a value <= %d.
  if (const size_t at = out.failure.find("value <= "); at != std::string::npos) {
    out.at_most = number_at(out.failure, at + 9);
  }
  // Vocabulary size is smaller than required_chars. %d vs %d. ...
  if (const size_t at = out.failure.find(" vs ", out.failure.find("required_chars. ")); at != std::string::npos) {
    out.at_least = number_at(out.failure, at + 4);
  }
  return out;
}

[[noreturn]] void throw_unexpected(const Attempt& made) {
  throw InternalError("SentencePiece can't learn from this text: " + made.failure);
}

// A size that is the default may not have been chosen by anybody.
std::string default_of(const TokenizerTraining& options) {
  return options.vocab_size.value == TokenizerTraining{}.vocab_size.value ? " (the default)" : "";
}

// SentencePiece's word on the largest size isn't always good for a run with that size: try it.
[[noreturn]] void throw_too_large(const std::vector<std::string>& parts, const TokenizerTraining& options,
                                  int64_t asked, Attempt made) {
  int64_t largest = made.at_most;
  for (int tries = 0; tries < 4; ++tries) {
    made = attempt(parts, options, largest, true);
    if (made.at_most == 0 || made.at_most >= largest) break;
    largest = made.at_most;
  }
  throw UsageError("A vocabulary of " + counted(asked, "piece") + default_of(options) +
                   " is larger than this text allows: at most " + with_thousands(largest) + " (" +
                   std::string(name_of(options.type)) + "). Set " + options.size_name +
                   " to auto, which takes what suits the text, or to no more than that.");
}

std::string train_auto(const TrainingLines& lines, const TokenizerTraining& options) {
  Attempt made = attempt(lines.parts, options, auto_vocab_size(lines.code_points), false);
  if (made.at_least > 0) made = attempt(lines.parts, options, 2 * made.at_least, false);
  if (made.model.empty()) throw_unexpected(made);
  return std::move(made.model);
}

// Empty where the text allows no such size and auto_if_too_large.
std::string train_exact(const std::vector<std::string>& parts, const TokenizerTraining& options) {
  const int64_t asked = options.vocab_size.value;
  // With room for no piece but the special ones SentencePiece fails without a word on what it needs.
  Attempt made = attempt(parts, options, std::max(asked, kSpecialPieces + 1), true);
  if (made.at_most > 0 && options.auto_if_too_large) return "";
  if (made.at_most > 0) throw_too_large(parts, options, asked, std::move(made));
  if (made.at_least > 0) {
    throw UsageError("A vocabulary of " + counted(asked, "piece") +
                     " is too small for this text: its alphabet, the special pieces" +
                     (options.byte_fallback ? " and the 256 bytes" : "") + " need " + with_thousands(made.at_least) +
                     ". Set " + options.size_name + " to more than that or to auto, or lower the character coverage.");
  }
  if (made.model.empty()) throw_unexpected(made);
  return std::move(made.model);
}

}  // namespace

int64_t auto_vocab_size(int64_t code_points) {
  const auto wanted = static_cast<int64_t>(4 * std::sqrt(static_cast<double>(code_points)));
  return std::clamp<int64_t>(wanted, 256, 32000) / 8 * 8;
}

TrainedTokenizer train_tokenizer(const TokenizerTraining& options) {
  const TrainingLines lines = draw_training_lines(options);
  if (lines.parts.empty()) {
    throw DataError("There is no text to learn a tokenizer from in " + join(options.files, ", ") +
                    ": no line that isn't blank.");
  }
  TrainedTokenizer out;
  if (!options.vocab_size.is_auto()) {
    out.model = train_exact(lines.parts, options);
    out.size_was_too_large = out.model.empty();
  }
  if (out.model.empty()) out.model = train_auto(lines, options);
  out.vocab_size = make_sentencepiece_tokenizer(out.model, options.normalization, "the new tokenizer")->vocab_size();
  out.lines_read = lines.lines_read;
  out.lines_used = lines.lines_used;
  out.replaced_lines = lines.replaced_lines;
  out.warning = lines.warning;
  return out;
}

}  // namespace nmt
