#pragma once

#include <map>
#include <vector>

#include "search/beam.h"
#include "search/candidates.h"
#include "search/hypothesis.h"
#include "search/step_scores.h"

namespace nmt {

// Diverse beam search (Vijayakumar et al. 2016, arXiv 1610.02424): the beam of a sentence is divided into groups, which
// take their steps one after the other. A group chooses by log-probability less `penalty` for each time that the groups
// before it chose the same piece at this step (Hamming diversity). What hypotheses are ranked by stays without penalty.
class DiversityPenalty {
 public:
  explicit DiversityPenalty(double penalty) : penalty_(penalty) {}

  void start_sentence() { counts_.clear(); }  // at every step
  void note(const std::vector<Candidate>& chosen);

  // The candidates that a group keeps, best first by their own log-probability. Its first prefix is row `first_row` of
  // `scores`. `invalid` becomes a piece whose score is no log-probability, where there is one.
  std::vector<Candidate> choose(const Beam& group, int64_t first_row, const StepScores& scores, PieceId& invalid) const;

 private:
  double penalty_;
  std::map<PieceId, int64_t> counts_;  // of the pieces chosen by the groups before
};

// The hypotheses of all groups of a sentence, best first, each once, at most n_best; unfinished ones only where nothing
// is finished.
std::vector<Hypothesis> merge_groups(const std::vector<std::vector<Hypothesis>>& groups, size_t n_best);

}  // namespace nmt
