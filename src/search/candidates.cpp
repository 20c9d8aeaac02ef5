#include "search/candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace nmt {

namespace {

constexpr size_t kBlock = 64;

// Whether any of kBlock values is at least `threshold` or NaN.
bool any_reaches(const float* values, float threshold) {
  int reached = 0;
  for (size_t i = 0; i < kBlock; ++i) reached |= static_cast<int>(!(values[i] < threshold));
  return reached != 0;
}

// A score that none lies below whose log-probability is at least `log_prob`; both differences are rounded.
float score_below(float log_prob, float normalizer) {
  constexpr float kRounding = 2 * std::numeric_limits<float>::epsilon();
  return log_prob + normalizer - kRounding * (std::abs(log_prob) + std::abs(normalizer));
}

}  // namespace

float BestCandidates::threshold(double prefix_log_prob) const {
  constexpr float kLowest = std::numeric_limits<float>::lowest();  // excludes -inf only
  if (heap_.size() < limit_) return kLowest;
  const auto exact = static_cast<float>(heap_.front().total - prefix_log_prob);
  return std::max(kLowest, std::nextafter(exact, -std::numeric_limits<float>::infinity()));
}

void BestCandidates::consider(const Candidate& candidate) {
  if (heap_.size() < limit_) {
    heap_.push_back(candidate);
    std::push_heap(heap_.begin(), heap_.end(), better);
  } else if (better(candidate, heap_.front())) {
    std::pop_heap(heap_.begin(), heap_.end(), better);
    heap_.back() = candidate;
    std::push_heap(heap_.begin(), heap_.end(), better);
  }
}

PieceId BestCandidates::offer(int64_t row, double prefix_log_prob, const RowScores& scores) {
  if (limit_ == 0) return -1;
  const size_t count = scores.scores.size();
  float lowest = threshold(prefix_log_prob);
  float lowest_score = score_below(lowest, scores.normalizer);
  for (size_t begin = 0; begin < count; begin += kBlock) {
    const size_t end = std::min(begin + kBlock, count);
    if (end - begin == kBlock && !any_reaches(scores.scores.data() + begin, lowest_score)) continue;
    for (size_t i = begin; i < end; ++i) {
      const float log_prob = scores.log_prob(i);
      if (log_prob < lowest) continue;
      const auto piece = static_cast<PieceId>(scores.piece(i));
      if (!(log_prob <= kLargestLogProb)) return piece;
      consider({row, piece, log_prob, prefix_log_prob + static_cast<double>(log_prob)});
      lowest = threshold(prefix_log_prob);
      lowest_score = score_below(lowest, scores.normalizer);
    }
  }
  return -1;
}

std::vector<Candidate> BestCandidates::take() {
  std::sort_heap(heap_.begin(), heap_.end(), better);
  return std::exchange(heap_, {});
}

}  // namespace nmt
