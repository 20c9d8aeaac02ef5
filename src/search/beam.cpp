#include "search/beam.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nmt {

Beam::Beam(const SearchOptions& options, int64_t source_pieces, size_t forced_pieces, int64_t phrase_pieces)
    : options_(options),
      max_pieces_(std::max(options.max_pieces(source_pieces), static_cast<int64_t>(forced_pieces))),
      min_pieces_(options.min_pieces(source_pieces)),
      width_(static_cast<size_t>(options.beam + phrase_pieces)),
      capacity_(std::max<size_t>(static_cast<size_t>(options.n_best),
                                 static_cast<size_t>(std::llround(static_cast<double>(width_) * options.patience)))),
      live_(1) {}

PieceId Beam::last_piece(const Prefix& prefix) const {
  return prefix.node < 0 ? kBosId : nodes_[static_cast<size_t>(prefix.node)].piece;
}

std::vector<const Beam::Node*> Beam::path_to(int32_t node) const {
  std::vector<const Node*> path;
  for (; node >= 0; node = path.back()->parent) path.push_back(&nodes_[static_cast<size_t>(node)]);
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<PieceId> Beam::pieces_of(const Prefix& prefix) const {
  std::vector<PieceId> pieces;
  for (const Node* node : path_to(prefix.node)) pieces.push_back(node->piece);
  return pieces;
}

size_t Beam::open_places() const { return std::min(width_, capacity_ - std::min(capacity_, finished_.size())); }

int32_t Beam::add_node(const Candidate& candidate, int64_t first_row) {
  const int32_t parent = live_[static_cast<size_t>(candidate.row)].node;
  nodes_.push_back({parent, candidate.piece, candidate.log_prob, first_row + candidate.row});
  return static_cast<int32_t>(nodes_.size()) - 1;
}

void Beam::advance(std::span<const Candidate> candidates, int64_t first_row, const AttentionOf& attention) {
  std::vector<Prefix> next;
  for (const Candidate& candidate : candidates) {
    if (candidate.piece != kEosId && at_limit()) continue;
    const int32_t node = add_node(candidate, first_row);
    if (candidate.piece == kEosId) {
      finish(node, candidate.total, attention);
    } else {
      next.push_back({node, candidate.total, first_row + candidate.row});
    }
  }
  if (next.empty() && finished_.empty()) {
    done_ = true;  // what is live now stays, as the unfinished result
    return;
  }
  live_ = std::move(next);
  ++depth_;
  done_ = live_.empty() || open_places() == 0 || nothing_better_reachable();
}

void Beam::finish(int32_t node, double log_prob, const AttentionOf& attention) {
  const Finished found = {node, log_prob, score_of(node, log_prob, attention)};
  const auto place = std::upper_bound(finished_.begin(), finished_.end(), found,
                                      [](const Finished& a, const Finished& b) { return a.score > b.score; });
  finished_.insert(place, found);
}

void Beam::end_without(const Candidate& candidate, size_t missing, int64_t first_row, const AttentionOf& attention) {
  if (!finished_.empty()) return;
  const int32_t node = add_node(candidate, first_row);
  const Finished found = {node, candidate.total, score_of(node, candidate.total, attention), missing};
  const auto place =
      std::upper_bound(incomplete_.begin(), incomplete_.end(), found, [](const Finished& a, const Finished& b) {
        return a.missing != b.missing ? a.missing < b.missing : a.score > b.score;
      });
  incomplete_.insert(place, found);
  incomplete_.resize(std::min(incomplete_.size(), static_cast<size_t>(options_.n_best)));
}

bool Beam::nothing_better_reachable() const {
  const auto wanted = static_cast<size_t>(options_.n_best);
  if (options_.sampling.enabled || finished_.size() < wanted) return false;
  const double reachable = options_.rule.best_reachable(live_.front().log_prob, depth_ + 1, max_pieces_ + 1);
  return finished_[wanted - 1].score >= reachable;
}

double Beam::score_of(int32_t node, double log_prob, const AttentionOf& attention) const {
  const std::vector<const Node*> path = path_to(node);
  const auto length = static_cast<int64_t>(path.size());
  if (options_.rule.coverage_penalty == 0) return options_.rule.score(log_prob, length);
  std::vector<float> sums;
  for (size_t step = 0; step < path.size(); ++step) {
    const std::span<const float> weights = attention(static_cast<int64_t>(step), path[step]->row);
    sums.resize(weights.size());
    for (size_t i = 0; i < weights.size(); ++i) sums[i] += weights[i];
  }
  return options_.rule.score(log_prob, length, coverage_of(sums));
}

Hypothesis Beam::build(const Finished& end, bool finished, const AttentionOf& attention) const {
  Hypothesis hypothesis;
  hypothesis.log_prob = end.log_prob;
  hypothesis.score = end.score;
  hypothesis.finished = finished;
  const std::vector<const Node*> path = path_to(end.node);
  for (size_t step = 0; step < path.size(); ++step) {
    const Node& node = *path[step];
    if (node.piece != kEosId) hypothesis.pieces.push_back(node.piece);
    if (options_.piece_log_probs) hypothesis.piece_log_probs.push_back(node.log_prob);
    if (!options_.attention) continue;
    const std::span<const float> weights = attention(static_cast<int64_t>(step), node.row);
    if (!weights.empty()) hypothesis.attention.emplace_back(weights.begin(), weights.end());
  }
  return hypothesis;
}

std::vector<Hypothesis> Beam::hypotheses(const AttentionOf& attention) const {
  std::vector<Finished> ends = finished_.empty() ? incomplete_ : finished_;
  const bool finished = !ends.empty();
  if (!finished) {
    for (const Prefix& prefix : live_) {
      ends.push_back({prefix.node, prefix.log_prob, score_of(prefix.node, prefix.log_prob, attention)});
    }
    std::stable_sort(ends.begin(), ends.end(), [](const Finished& a, const Finished& b) { return a.score > b.score; });
  }
  ends.resize(std::min(ends.size(), static_cast<size_t>(options_.n_best)));
  std::vector<Hypothesis> best;
  for (const Finished& end : ends) best.push_back(build(end, finished, attention));
  return best;
}

}  // namespace nmt
