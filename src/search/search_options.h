#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/piece_id.h"
#include "config/search_config.h"
#include "search/piece_filter.h"
#include "search/score.h"

namespace nmt {

// Draws pieces at random instead of searching for the best ones.
struct SamplingOptions {
  bool enabled = false;
  double temperature = 1;  // above 0; log-probabilities are divided by it before drawing
  int64_t top_k = 0;       // draw among the k likeliest pieces; 0 for all
  double top_p = 1;        // then among the likeliest whose probabilities sum to at least p (Holtzman et al. 2020)
  uint64_t seed = 1;
};

// Everything that a search can be told. The defaults are those of SearchConfig.
struct SearchOptions {
  SearchOptions() : SearchOptions(SearchConfig{}) {}
  explicit SearchOptions(const SearchConfig& config);

  int64_t beam = 0;     // hypotheses kept for each sentence; 1 is greedy
  int64_t n_best = 1;   // hypotheses given for each sentence, at most beam
  double patience = 1;  // a sentence is done after round(beam x patience) finished hypotheses (Kasai et al. 2022)
  ScoreRule rule;

  double max_length_ratio = 0;  // at most ratio x source pieces + extra pieces, the end mark not counted
  int64_t max_length_extra = 0;
  double min_length_ratio = 0;  // at least ratio x source pieces, and at least min_length
  int64_t min_length = 0;

  int64_t no_repeat_ngram = 0;     // no sequence of so many pieces twice in a hypothesis; 0 allows all
  std::vector<PieceId> forbidden;  // pieces never produced (besides padding and the begin mark)
  bool forbid_unknown = false;
  std::shared_ptr<const PieceFilter> filter;  // more that may not be produced; none where null
  std::vector<bool> continues_word;           // of each piece, for phrases that end a word; empty: none does
  SamplingOptions sampling;

  int64_t diversity_groups = 1;  // the beam is searched in so many groups of equal size, see search/diversity.h
  double diversity_penalty = 0.5;

  bool piece_log_probs = false;  // fill Hypothesis::piece_log_probs
  bool attention = false;        // fill Hypothesis::attention (where the model has attention)

  int64_t max_pieces(int64_t source_pieces) const;  // source_pieces without the end mark; at least 1
  int64_t min_pieces(int64_t source_pieces) const;  // at most max_pieces
};

// Throws UsageError that names the option where a value is out of range or options contradict each other.
void check(const SearchOptions& options);

}  // namespace nmt
