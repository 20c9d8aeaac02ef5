#include "search/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"

namespace nmt {

namespace {

struct Weighted {
  PieceId piece;
  double weight;
};

std::vector<Weighted> weights_of(std::span<const float> log_probs, double temperature) {
  const float largest = log_probs.empty() ? 0 : *std::max_element(log_probs.begin(), log_probs.end());
  std::vector<Weighted> weights;
  for (size_t i = 0; i < log_probs.size(); ++i) {
    const double weight = std::exp((static_cast<double>(log_probs[i]) - static_cast<double>(largest)) / temperature);
    if (weight > 0) weights.push_back({static_cast<PieceId>(i), weight});
  }
  return weights;
}

double sum_of(const std::vector<Weighted>& weights) {
  double sum = 0;
  for (const Weighted& one : weights) sum += one.weight;
  return sum;
}

// Keeps the likeliest weights: at most top_k, then as few as reach the share top_p.
void keep_likeliest(std::vector<Weighted>& weights, const SamplingOptions& options) {
  const auto k = static_cast<size_t>(options.top_k);
  if ((k == 0 || k >= weights.size()) && options.top_p >= 1) return;
  std::sort(weights.begin(), weights.end(), [](const Weighted& a, const Weighted& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.piece < b.piece;
  });
  if (k > 0 && k < weights.size()) weights.resize(k);
  const double enough = options.top_p * sum_of(weights);
  double reached = 0;
  size_t kept = 0;
  while (kept < weights.size() && (kept == 0 || reached < enough)) reached += weights[kept++].weight;
  weights.resize(kept);
}

}  // namespace

PieceId draw_piece(std::span<const float> log_probs, const SamplingOptions& options, double uniform) {
  std::vector<Weighted> weights = weights_of(log_probs, options.temperature);
  if (weights.empty()) return -1;
  keep_likeliest(weights, options);
  double left = uniform * sum_of(weights);
  for (const Weighted& one : weights) {
    left -= one.weight;
    if (left < 0) return one.piece;
  }
  return weights.back().piece;
}

double uniform_of(uint64_t seed, uint64_t sentence, uint64_t sample, uint64_t step) {
  return SplitMix64(mix_seed(mix_seed(mix_seed(seed, sentence), sample), step)).unit();
}

}  // namespace nmt
