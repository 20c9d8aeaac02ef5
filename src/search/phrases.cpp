#include "search/phrases.h"

#include <algorithm>
#include <map>
#include <utility>

namespace nmt {

namespace {

constexpr int32_t kRoot = 0;

}  // namespace

PhraseSet::PhraseSet(const std::vector<RequiredPhrase>& phrases, const std::vector<bool>& continues_word)
    : continues_word_(&continues_word), nodes_(1) {
  std::map<std::vector<PieceId>, int32_t> known;
  for (const RequiredPhrase& given : phrases) {
    if (given.pieces.empty()) {
      phrase_of_.push_back(-1);
      continue;
    }
    const auto [entry, is_new] = known.emplace(given.pieces, static_cast<int32_t>(phrases_.size()));
    phrase_of_.push_back(entry->second);
    pieces_ += static_cast<int64_t>(given.pieces.size());
    if (!is_new) {
      ++phrases_[static_cast<size_t>(entry->second)].wanted;
      continue;
    }
    phrases_.push_back({static_cast<int64_t>(given.pieces.size()), 1, given.ends_word});
    add(given.pieces, entry->second, kRoot);
    if (given.at_start.empty()) continue;
    if (start_ == kRoot) {  // no piece leads to the node where a translation begins
      start_ = static_cast<int32_t>(nodes_.size());
      nodes_.emplace_back();
    }
    add(given.at_start, entry->second, start_);
  }
  link_shorter();
}

void PhraseSet::add(const std::vector<PieceId>& pieces, int32_t phrase, int32_t from) {
  int32_t node = from;
  for (const PieceId piece : pieces) {
    nodes_[static_cast<size_t>(node)].begun.push_back(phrase);
    int32_t next = child(node, piece);
    if (next < 0) {
      next = static_cast<int32_t>(nodes_.size());
      nodes_.emplace_back();
      nodes_.back().depth = nodes_[static_cast<size_t>(node)].depth + 1;
      nodes_[static_cast<size_t>(node)].edges.push_back({piece, next});
    }
    node = next;
  }
  nodes_[static_cast<size_t>(node)].ended.push_back(phrase);
}

// Breadth first: the shorter ending of a node is its parent's, continued by the same piece.
void PhraseSet::link_shorter() {
  std::vector<int32_t> queue = {kRoot};
  if (start_ != kRoot) queue.push_back(start_);
  for (size_t i = 0; i < queue.size(); ++i) {
    const int32_t parent = queue[i];
    for (const Edge& edge : nodes_[static_cast<size_t>(parent)].edges) {
      queue.push_back(edge.node);
      if (parent != kRoot) {
        nodes_[static_cast<size_t>(edge.node)].shorter = next(nodes_[static_cast<size_t>(parent)].shorter, edge.piece);
      }
    }
  }
}

int32_t PhraseSet::child(int32_t node, PieceId piece) const {
  for (const Edge& edge : nodes_[static_cast<size_t>(node)].edges) {
    if (edge.piece == piece) return edge.node;
  }
  return -1;
}

int32_t PhraseSet::next(int32_t node, PieceId piece) const {
  for (;; node = nodes_[static_cast<size_t>(node)].shorter) {
    const int32_t found = child(node, piece);
    if (found >= 0) return found;
    if (node == kRoot) return kRoot;
  }
}

PhraseSet::Progress PhraseSet::start() const {
  const std::vector<int32_t> none(phrases_.size(), 0);
  return {start_, none, none};
}

void PhraseSet::advance(Progress& progress, PieceId piece) const {
  if (continues_word(piece)) {
    progress.met = progress.settled;
  } else {
    progress.settled = progress.met;
  }
  progress.node = next(progress.node, piece);
  for (int32_t node = progress.node; node != kRoot; node = nodes_[static_cast<size_t>(node)].shorter) {
    for (const int32_t phrase : nodes_[static_cast<size_t>(node)].ended) {
      const auto at = static_cast<size_t>(phrase);
      ++progress.met[at];
      if (!phrases_[at].ends_word) ++progress.settled[at];
    }
  }
}

PhraseSet::Progress PhraseSet::follow(std::span<const PieceId> pieces) const {
  Progress progress = start();
  for (const PieceId piece : pieces) advance(progress, piece);
  return progress;
}

bool PhraseSet::wanted(const Progress& progress, int32_t phrase) const {
  const auto at = static_cast<size_t>(phrase);
  return progress.met[at] < phrases_[at].wanted;
}

int64_t PhraseSet::bank(const Progress& progress) const {
  int64_t whole = 0;
  for (size_t i = 0; i < phrases_.size(); ++i) {
    whole += phrases_[i].length * std::min(progress.met[i], phrases_[i].wanted);
  }
  int64_t begun = 0;
  for (int32_t node = progress.node; node != kRoot; node = nodes_[static_cast<size_t>(node)].shorter) {
    const Node& here = nodes_[static_cast<size_t>(node)];
    for (const int32_t phrase : here.begun) {
      // The form at the start may have more pieces than the other.
      const int64_t length = phrases_[static_cast<size_t>(phrase)].length;
      if (wanted(progress, phrase)) begun = std::max(begun, std::min(here.depth, length - 1));
    }
  }
  return whole + begun;
}

bool PhraseSet::complete(const Progress& progress) const {
  for (size_t i = 0; i < phrases_.size(); ++i) {
    if (wanted(progress, static_cast<int32_t>(i))) return false;
  }
  return true;
}

std::vector<PieceId> PhraseSet::next_pieces(const Progress& progress) const {
  std::vector<PieceId> pieces;
  const auto is_wanted = [&](int32_t phrase) {  // or may be again, should the next piece undo it
    const auto at = static_cast<size_t>(phrase);
    return progress.settled[at] < phrases_[at].wanted;
  };
  for (int32_t node = progress.node;; node = nodes_[static_cast<size_t>(node)].shorter) {
    for (const Edge& edge : nodes_[static_cast<size_t>(node)].edges) {
      const Node& after = nodes_[static_cast<size_t>(edge.node)];
      if (std::any_of(after.begun.begin(), after.begun.end(), is_wanted) ||
          std::any_of(after.ended.begin(), after.ended.end(), is_wanted)) {
        pieces.push_back(edge.piece);
      }
    }
    if (node == kRoot) break;
  }
  std::sort(pieces.begin(), pieces.end());
  pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
  return pieces;
}

std::vector<int32_t> PhraseSet::missing(std::span<const PieceId> pieces) const {
  if (phrase_of_.empty()) return {};
  std::vector<int32_t> left = follow(pieces).met;
  std::vector<int32_t> missing;
  for (size_t i = 0; i < phrase_of_.size(); ++i) {
    if (phrase_of_[i] < 0 || left[static_cast<size_t>(phrase_of_[i])]-- <= 0)
      missing.push_back(static_cast<int32_t>(i));
  }
  return missing;
}

bool PhraseSet::continues_word(PieceId piece) const {
  const auto at = static_cast<size_t>(piece);
  return at < continues_word_->size() && (*continues_word_)[at];
}

}  // namespace nmt
