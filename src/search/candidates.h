#pragma once

#include <cstdint>
#include <vector>

#include "base/piece_id.h"
#include "search/step_scores.h"

namespace nmt {

// A prefix (a row of the batch) continued by one piece.
struct Candidate {
  int64_t row = 0;
  PieceId piece = 0;
  float log_prob = 0;  // of the piece
  double total = 0;    // of the prefix with the piece
};

// Whether `a` comes before `b`: higher total, then lower row, then lower piece.
inline bool better(const Candidate& a, const Candidate& b) {
  if (a.total != b.total) return a.total > b.total;
  return a.row != b.row ? a.row < b.row : a.piece < b.piece;
}

// Log-probabilities above this aren't any (a rounding error stays below it).
inline constexpr float kLargestLogProb = 0.01F;

// Keeps the best `limit` of all candidates offered. A row of V pieces costs one comparison each, a vector at a time:
// only what beats the worst candidate kept is looked at, so nothing is sorted but the few that stay.
class BestCandidates {
 public:
  explicit BestCandidates(size_t limit) : limit_(limit) {}

  // Offers every piece of a row. Pieces of probability 0 (-inf) are passed over. Returns the first piece whose number
  // is no log-probability (NaN or above 0), or -1 where all are.
  PieceId offer(int64_t row, double prefix_log_prob, const RowScores& scores);

  // The candidates kept, best first; empties this object.
  std::vector<Candidate> take();

 private:
  void consider(const Candidate& candidate);
  float threshold(double prefix_log_prob) const;  // log-probabilities below it can't enter

  size_t limit_;
  std::vector<Candidate> heap_;  // worst first
};

}  // namespace nmt
