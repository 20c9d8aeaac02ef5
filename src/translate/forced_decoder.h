#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "search/score.h"
#include "text/tokenizer.h"
#include "translate/model_ensemble.h"

namespace nmt {

// A line and its given translation.
struct LinePair {
  std::string source;  // any bytes
  std::string target;
};

// How pairs are batched, and what is kept of each; nothing here changes a number.
struct ForcedOptions {
  int64_t batch_sentences = 64;
  int64_t max_pieces = 5000;  // pairs with more on a side are not decoded
  int threads = 1;            // batches decoded at the same time, each with one thread
  bool attention = false;     // fill ForcedPair::attention
  bool coverage = false;      // fill ForcedPair::coverage
};

// What the model says of a given translation. Of a pair of two blank lines there is nothing to say: it has no
// predictions and probability 1, as in translating.
struct ForcedPair {
  std::string source;  // as the tokenizers got them
  std::string target;
  std::vector<PieceId> source_pieces;  // without end marks
  std::vector<PieceId> target_pieces;

  std::vector<float> piece_log_probs;         // natural log, of each target piece and then of the end mark
  double log_prob = 0;                        // their sum
  double coverage = 0;                        // see ScoreRule; 0 without attention
  std::vector<std::vector<float>> attention;  // [predictions][source positions], end marks included
  bool too_long = false;                      // not decoded
  int64_t replaced_utf8 = 0;                  // ill-formed parts of both lines replaced by U+FFFD

  bool blank() const { return source_pieces.empty() && target_pieces.empty(); }
  int64_t predictions() const { return static_cast<int64_t>(piece_log_probs.size()); }
  double score(const ScoreRule& rule) const { return rule.score(log_prob, predictions(), coverage); }
};

// Walks a model through given translations (forced decoding) by the same steps that search takes, so that the numbers
// of each piece are those of search to 1e-4, for any batch size, order and thread count. A line is cut into pieces as
// in translating; the text of a translation may be cut into other pieces than search found it by, and then has another
// probability. Safe to use from several threads.
class ForcedDecoder {
 public:
  ForcedDecoder(TokenizerPair tokenizers, std::shared_ptr<const ModelEnsemble> models, ForcedOptions options = {});

  // One result for each pair, in order. Throws InterruptedError after request_stop(), InternalError where a model gives
  // NaN.
  std::vector<ForcedPair> decode(const std::vector<LinePair>& lines) const;

  // The same for pairs whose pieces are there already; fills in the rest.
  void decode(std::vector<ForcedPair>& pairs) const;

  const TokenizerPair& tokenizers() const { return tokenizers_; }
  const ForcedOptions& options() const { return options_; }

 private:
  ForcedPair prepare(const LinePair& line) const;
  void decode_batch(std::vector<ForcedPair*> batch) const;

  TokenizerPair tokenizers_;
  std::shared_ptr<const ModelEnsemble> models_;
  ForcedOptions options_;
};

}  // namespace nmt
