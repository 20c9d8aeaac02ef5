#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "search/candidates.h"
#include "search/hypothesis.h"
#include "search/search_options.h"

namespace nmt {

// The search of one sentence: its live prefixes, its finished hypotheses, and when to stop. Prefixes are paths in a
// tree of pieces, so that extending one costs one node. No tensors here.
class Beam {
 public:
  struct Prefix {
    int32_t node = -1;  // last piece; -1 for the empty prefix
    double log_prob = 0;
    int64_t row = 0;  // the row of the batch that it came from
  };
  // Attention ([S]) of the row `row` at step `step` (from 0); empty where there is none.
  using AttentionOf = std::function<std::span<const float>(int64_t step, int64_t row)>;

  // phrase_pieces: so many places more than options.beam.
  Beam(const SearchOptions& options, int64_t source_pieces, size_t forced_pieces, int64_t phrase_pieces = 0);

  const std::vector<Prefix>& live() const { return live_; }
  int64_t depth() const { return depth_; }  // pieces of each live prefix
  PieceId last_piece(const Prefix& prefix) const;
  std::vector<PieceId> pieces_of(const Prefix& prefix) const;
  bool end_allowed() const { return depth_ >= min_pieces_; }
  bool at_limit() const { return depth_ == max_pieces_; }  // only the end mark may follow

  // Places for candidates of the next step: the beam, less what has finished.
  size_t open_places() const;

  // Takes the best candidates of a step, best first; their rows count live(), whose first is `first_row` of the batch.
  // Those with the end mark are finished, the others live on.
  void advance(std::span<const Candidate> candidates, int64_t first_row, const AttentionOf& attention);

  // Notes a candidate with the end mark that lacks `missing` phrases, for where nothing better comes; it takes no
  // place.
  void end_without(const Candidate& candidate, size_t missing, int64_t first_row, const AttentionOf& attention);

  bool done() const { return done_; }
  // The best hypotheses, at most n_best: finished ones, else ended ones that lack phrases, else live prefixes.
  std::vector<Hypothesis> hypotheses(const AttentionOf& attention) const;

 private:
  struct Node {
    int32_t parent = -1;
    PieceId piece = 0;
    float log_prob = 0;
    int64_t row = 0;  // of the batch, that predicted it
  };
  struct Finished {
    int32_t node;  // of the end mark
    double log_prob;
    double score;
    size_t missing = 0;  // phrases
  };

  int32_t add_node(const Candidate& candidate, int64_t first_row);
  void finish(int32_t node, double log_prob, const AttentionOf& attention);
  bool nothing_better_reachable() const;
  std::vector<const Node*> path_to(int32_t node) const;  // first piece first
  double score_of(int32_t node, double log_prob, const AttentionOf& attention) const;
  Hypothesis build(const Finished& end, bool finished, const AttentionOf& attention) const;

  const SearchOptions& options_;
  int64_t max_pieces_;
  int64_t min_pieces_;
  size_t width_;     // places
  size_t capacity_;  // finished hypotheses after which the sentence is done
  int64_t depth_ = 0;
  bool done_ = false;
  std::vector<Node> nodes_;
  std::vector<Prefix> live_;
  std::vector<Finished> finished_;    // best first, equal scores in the order found
  std::vector<Finished> incomplete_;  // likewise, those that lack fewer phrases first; at most n_best
};

}  // namespace nmt
