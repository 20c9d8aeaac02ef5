#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/config.h"
#include "model/model_dir.h"
#include "search/search_options.h"
#include "text/tokenizer.h"
#include "translate/assemble.h"
#include "translate/search_engine.h"
#include "translate/translation.h"

namespace nmt {

// How lines are made ready and batched, and what is made of the pieces found. Search doesn't depend on anything here
// but how lines are split.
struct TextTranslatorOptions {
  int64_t max_source_pieces = 250;  // longer lines are split, at sentence ends where possible
  int64_t batch_sentences = 64;     // searched together
  int threads = 1;                  // batches searched at the same time, each with one thread
  OutputOptions output = {};
  std::function<void(double)> on_progress = {};  // gets the part of a call's sentences done, by a thread at a time
  bool sentences_apart = false;                  // each sentence of a line is searched for by itself
  bool any_attention = true;                     // of the models, which some outputs need
};

// How lines are split for a model that was trained on such text: parts no longer than what it has seen, and each
// sentence by itself where it has hardly ever seen two in a line. A model that doesn't say so keeps the defaults.
void split_as_trained(TextTranslatorOptions& options, const std::optional<TrainingText>& text);

// A line may ask for so many phrases.
inline constexpr size_t kMostConstraints = 100;

// A line to translate.
struct LineRequest {
  std::string text;                           // any bytes
  std::string target_prefix;                  // the translation begins with it; empty for none
  uint64_t number = 0;                        // with the seed it fixes what sampling draws for this line
  std::vector<std::string> constraints = {};  // phrases that must appear in the translation; blank ones ask for nothing
  std::string id = {};                        // JSON that the user knows the line by; goes into Translation::id
};

// Translates lines: cleans and cuts them into pieces, splits those that are too long, searches in batches of similar
// length, and puts the results back in order. Text is the same for every batch size, order and thread count (float32).
// Safe to use from several threads.
class TextTranslator {
 public:
  // Throws UsageError for bad options, ModelError where the output needs attention and no model has any.
  TextTranslator(TokenizerPair tokenizers, std::shared_ptr<const SearchEngine> engine, SearchOptions search,
                 TextTranslatorOptions options = {});

  // One translation for each line, in order. A blank line gives a blank one without a search; a batch that memory
  // doesn't suffice for is halved. Throws ResourceError where one sentence alone is too much, InterruptedError after
  // request_stop().
  std::vector<Translation> translate(const std::vector<LineRequest>& lines) const;

  // The same translator, sharing the model, with another search and output. Throws as the constructor.
  TextTranslator with(SearchOptions search, OutputOptions output) const;

  const TokenizerPair& tokenizers() const { return tokenizers_; }
  const SearchOptions& search_options() const { return search_; }
  const TextTranslatorOptions& options() const { return options_; }

 private:
  struct Unit;
  Translation prepare(const LineRequest& line) const;
  void search_all(std::vector<Unit>& units) const;
  void search_batch(std::vector<Unit*> batch) const;
  std::vector<PieceId> encode_prefix(const std::string& prefix) const;

  TokenizerPair tokenizers_;
  std::shared_ptr<const SearchEngine> engine_;
  SearchOptions search_;
  TextTranslatorOptions options_;
};

// The best translation of each line, as text. Line i has number i.
std::vector<std::string> translate_lines(const TextTranslator& translator, const std::vector<std::string>& lines);

}  // namespace nmt
