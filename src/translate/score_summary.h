#pragma once

#include <cstdint>
#include <string>

#include "translate/forced_decoder.h"

namespace nmt {

// What the scores of a run's pairs amount to.
class ScoreSummary {
 public:
  // Pair `number` (from 1). Warns in the log of the first pairs that were too long or not UTF-8.
  void add(int64_t number, const ForcedPair& pair);

  // "1,000 pairs (2 blank): log-probability -21,034.5 of 14,210 pieces, perplexity 4.39 a piece, 6.67 a word, in 12s"
  std::string text(double seconds) const;

  double log_prob() const { return log_prob_; }

  // exp(-log_prob / n), n being the predictions, or the words (what stands between blanks) and line ends of the
  // targets.
  double perplexity_per_piece() const;
  double perplexity_per_word() const;

 private:
  int64_t pairs_ = 0;
  int64_t blank_ = 0;
  int64_t too_long_ = 0;
  int64_t replaced_ = 0;
  int64_t predictions_ = 0;
  int64_t words_ = 0;  // and line ends
  double log_prob_ = 0;
};

}  // namespace nmt
