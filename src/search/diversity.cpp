#include "search/diversity.h"

#include <algorithm>
#include <set>

namespace nmt {

namespace {

size_t place_of(PieceId piece, std::span<const int64_t> pieces) {
  if (pieces.empty()) return static_cast<size_t>(piece);
  return static_cast<size_t>(std::find(pieces.begin(), pieces.end(), piece) - pieces.begin());
}

}  // namespace

void DiversityPenalty::note(const std::vector<Candidate>& chosen) {
  for (const Candidate& one : chosen) ++counts_[one.piece];
}

std::vector<Candidate> DiversityPenalty::choose(const Beam& group, int64_t first_row, const StepScores& scores,
                                                PieceId& invalid) const {
  BestCandidates best(group.open_places());
  int64_t row = 0;
  for (const Beam::Prefix& prefix : group.live()) {
    const RowScores plain = scores.row(first_row + row);
    std::vector<float> penalized(plain.scores.begin(), plain.scores.end());
    for (const auto& [piece, count] : counts_) {
      const size_t at = place_of(piece, plain.pieces);
      if (at < penalized.size()) penalized[at] -= static_cast<float>(penalty_ * static_cast<double>(count));
    }
    const PieceId found = best.offer(row, prefix.log_prob, {penalized, plain.normalizer, plain.pieces});
    if (found >= 0) invalid = found;
    ++row;
  }
  std::vector<Candidate> chosen = best.take();
  for (Candidate& one : chosen) {
    const RowScores plain = scores.row(first_row + one.row);
    one.log_prob = plain.log_prob(place_of(one.piece, plain.pieces));
    one.total = group.live()[static_cast<size_t>(one.row)].log_prob + static_cast<double>(one.log_prob);
  }
  std::sort(chosen.begin(), chosen.end(), better);
  return chosen;
}

std::vector<Hypothesis> merge_groups(const std::vector<std::vector<Hypothesis>>& groups, size_t n_best) {
  std::vector<Hypothesis> all;
  for (const std::vector<Hypothesis>& group : groups) all.insert(all.end(), group.begin(), group.end());
  std::stable_sort(all.begin(), all.end(), [](const Hypothesis& a, const Hypothesis& b) {
    return a.finished != b.finished ? a.finished : a.score > b.score;
  });
  std::vector<Hypothesis> merged;
  std::set<std::vector<PieceId>> seen;
  for (Hypothesis& one : all) {
    if (merged.size() == n_best || one.finished != all.front().finished) break;
    if (seen.insert(one.pieces).second) merged.push_back(std::move(one));
  }
  return merged;
}

}  // namespace nmt
