#include "translate/forbidden_text.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "text/word_characters.h"
#include "translate/piece_text.h"

namespace nmt {

namespace {

// Stands in the text where a word may begin: at its start and after each character that joins no words.
constexpr int32_t kBoundary = -2;
constexpr int32_t kReplacement = 0xFFFD;  // what bytes become that make no character

std::vector<int32_t> code_points_of(std::string_view text) {
  std::vector<int32_t> points;
  for (size_t at = 0; at < text.size(); at += code_point_at(text, at).bytes) {
    points.push_back(code_point_at(text, at).value);
  }
  return points;
}

// Finds the forbidden texts in a text that is read character by character (Aho and Corasick 1975).
class TextAutomaton {
 public:
  static constexpr int32_t kRoot = 0;

  void add(const std::vector<int32_t>& text) {
    int32_t node = joins_words(text.front()) ? grow(kRoot, kBoundary) : kRoot;
    for (size_t i = 0; i < text.size(); ++i) {
      node = grow(node, text[i]);
      if (i + 1 < text.size() && !joins_words(text[i])) node = grow(node, kBoundary);
    }
    nodes_[static_cast<size_t>(node)].ends = true;
  }

  // To be called once, after all texts; breadth first.
  void finish() {
    std::vector<int32_t> queue = {kRoot};
    for (size_t i = 0; i < queue.size(); ++i) {
      const int32_t parent = queue[i];
      for (const auto& [symbol, child] : nodes_[static_cast<size_t>(parent)].edges) {
        Node& node = nodes_[static_cast<size_t>(child)];
        node.shorter = parent == kRoot ? kRoot : step(nodes_[static_cast<size_t>(parent)].shorter, symbol);
        node.ends = node.ends || nodes_[static_cast<size_t>(node.shorter)].ends;
        queue.push_back(child);
      }
    }
  }

  int32_t start() const { return step(kRoot, kBoundary); }
  bool ends(int32_t node) const { return nodes_[static_cast<size_t>(node)].ends; }

  int32_t step(int32_t node, int32_t symbol) const {
    for (;; node = nodes_[static_cast<size_t>(node)].shorter) {
      const auto& edges = nodes_[static_cast<size_t>(node)].edges;
      if (const auto found = edges.find(symbol); found != edges.end()) return found->second;
      if (node == kRoot) return kRoot;
    }
  }

 private:
  struct Node {
    std::map<int32_t, int32_t> edges;
    int32_t shorter = kRoot;  // the longest proper ending of this node that is a node
    bool ends = false;        // a forbidden text ends here
  };

  int32_t grow(int32_t node, int32_t symbol) {
    const auto next = static_cast<int32_t>(nodes_.size());
    const auto [edge, is_new] = nodes_[static_cast<size_t>(node)].edges.emplace(symbol, next);
    const int32_t child = edge->second;
    if (is_new) nodes_.emplace_back();
    return child;
  }

  std::vector<Node> nodes_{1};
};

class ForbiddenText final : public PieceFilter {
 public:
  ForbiddenText(const Tokenizer& target, const std::vector<std::string>& texts) : pieces_(piece_texts(target)) {
    for (const std::string& text : texts) {
      const std::vector<PieceId> spelt = target.encode(replace_invalid_utf8(text));
      if (spelt.empty()) throw UsageError("There is nothing to forbid in a blank text.");
      if (std::count(spelt.begin(), spelt.end(), kUnkId) > 0) continue;  // no translation can have it
      const std::string normalized = target.decode(spelt);
      for (const std::string& form : {normalized, capitalized(normalized)}) {
        automaton_.add(code_points_of(form));
        reach_ = std::max(reach_, form.size() + 4);
      }
    }
    automaton_.finish();
    never_ = forbidden_in({TextAutomaton::kRoot, ""});
  }

  std::vector<PieceId> never() const override { return never_; }

  std::span<const PieceId> forbidden_after(std::span<const PieceId> prefix) const override {
    const State state = state_after(prefix);
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto [entry, is_new] = forbidden_.try_emplace(state);
    if (is_new) {
      const std::vector<PieceId> all = forbidden_in(state);
      std::set_difference(all.begin(), all.end(), never_.begin(), never_.end(), std::back_inserter(entry->second));
    }
    return entry->second;
  }

 private:
  struct State {
    int32_t node;
    std::string bytes;  // the first ones of a character
    auto operator<=>(const State&) const = default;
  };

  // Where the last pieces lead; those before are too far away to be part of a forbidden text.
  State state_after(std::span<const PieceId> prefix) const {
    State state = {automaton_.start(), ""};
    if (prefix.size() > reach_) {
      prefix = prefix.last(reach_);
      state.node = TextAutomaton::kRoot;
    }
    for (const PieceId piece : prefix) read(state, piece);
    return state;
  }

  // Reads a piece; whether a forbidden text ends in it, or with it.
  bool read(State& state, PieceId piece) const {
    const PieceText& text = pieces_[static_cast<size_t>(piece)];
    if (text.byte >= 0) return read_byte(state, static_cast<char>(text.byte));
    if (!std::exchange(state.bytes, "").empty()) read_character(state, kReplacement, false);
    bool found = false;
    for (size_t i = 0; i < text.code_points.size(); ++i) {
      const bool word_goes_on = i + 1 < text.code_points.size() && joins_words(text.code_points[i + 1]);
      found = read_character(state, text.code_points[i], word_goes_on) || found;
    }
    return found;
  }

  bool read_byte(State& state, char byte) const {
    state.bytes += byte;
    const auto lead = static_cast<unsigned char>(state.bytes[0]);
    const size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (state.bytes.size() < size) return false;
    const int32_t character = code_point_at(state.bytes, 0).value;
    state.bytes.clear();
    return read_character(state, character < 0 ? kReplacement : character, false);
  }

  bool read_character(State& state, int32_t character, bool word_goes_on) const {
    state.node = automaton_.step(state.node, character);
    const bool joins = joins_words(character);
    const bool found = automaton_.ends(state.node) && !(joins && word_goes_on);
    if (!joins) state.node = automaton_.step(state.node, kBoundary);
    return found;
  }

  std::vector<PieceId> forbidden_in(const State& state) const {
    std::vector<PieceId> forbidden;
    for (size_t id = 0; id < pieces_.size(); ++id) {
      State after = state;
      if (read(after, static_cast<PieceId>(id))) forbidden.push_back(static_cast<PieceId>(id));
    }
    return forbidden;
  }

  std::vector<PieceText> pieces_;
  TextAutomaton automaton_;
  size_t reach_ = 0;  // pieces; none is shorter than a byte
  std::vector<PieceId> never_;
  mutable std::mutex mutex_;
  mutable std::map<State, std::vector<PieceId>> forbidden_;  // without never_
};

}  // namespace

std::shared_ptr<const PieceFilter> make_forbidden_text(const Tokenizer& target, const std::vector<std::string>& texts) {
  return std::make_shared<ForbiddenText>(target, texts);
}

}  // namespace nmt
