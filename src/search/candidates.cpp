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

PieceId BestCandidates::offer(int64_t row, double prefix_log_prob, std::span<const float> log_probs,
                              std::span<const int64_t> ids) {
  if (limit_ == 0) return -1;
  float lowest = threshold(prefix_log_prob);
  for (size_t begin = 0; begin < log_probs.size(); begin += kBlock) {
    const size_t end = std::min(begin + kBlock, log_probs.size());
    if (end - begin == kBlock && !any_reaches(log_probs.data() + begin, lowest)) continue;
    for (size_t i = begin; i < end; ++i) {
      const float value = log_probs[i];
      if (value < lowest) continue;
      const auto piece = static_cast<PieceId>(ids.empty() ? static_cast<int64_t>(i) : ids[i]);
      if (!(value <= kLargestLogProb)) return piece;
      consider({row, piece, value, prefix_log_prob + static_cast<double>(value)});
      lowest = threshold(prefix_log_prob);
    }
  }
  return -1;
}

std::vector<Candidate> BestCandidates::take() {
  std::sort_heap(heap_.begin(), heap_.end(), better);
  return std::exchange(heap_, {});
}

}  // namespace nmt
