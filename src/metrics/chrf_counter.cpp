#include <algorithm>
#include <deque>

#include "metrics/chrf.h"
#include "metrics/interner.h"
#include "metrics/ngram_trie.h"
#include "metrics/unicode.h"

namespace nmt::metrics {

namespace {

bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// The n-grams of one reference, as counts at the nodes of a trie.
class NgramCounts {
 public:
  void assign(const std::vector<uint32_t>& symbols, size_t order) {
    order_ = order;
    length_ = symbols.size();
    trie_.clear();
    counts_.assign(1, 0);
    for (size_t begin = 0; begin < symbols.size(); ++begin) {
      const size_t end = std::min(begin + order, symbols.size());
      uint32_t node = NgramTrie::kRoot;
      for (size_t at = begin; at < end; ++at) {
        node = trie_.add(node, symbols[at]);
        if (node == counts_.size()) counts_.push_back(0);
        ++counts_[node];
      }
    }
  }

  // Writes for each order: n-grams of `symbols`, of the reference, and common to both.
  void match(const std::vector<uint32_t>& symbols, std::span<double> out) {
    left_ = counts_;
    matches_.assign(order_, 0);
    for (size_t begin = 0; begin < symbols.size(); ++begin) {
      uint32_t node = NgramTrie::kRoot;
      const size_t longest = std::min(order_, symbols.size() - begin);
      for (size_t n = 0; n < longest; ++n) {
        node = trie_.find(node, symbols[begin + n]);
        if (node == NgramTrie::kMissing) break;
        if (left_[node] > 0) {
          --left_[node];
          ++matches_[n];
        }
      }
    }
    for (size_t n = 0; n < order_; ++n) {
      const size_t of_reference = length_ > n ? length_ - n : 0;
      const size_t of_hypothesis = symbols.size() > n && of_reference > 0 ? symbols.size() - n : 0;
      out[3 * n] = static_cast<double>(of_hypothesis);  // not counted where the reference has no n-gram of this order
      out[3 * n + 1] = static_cast<double>(of_reference);
      out[3 * n + 2] = static_cast<double>(matches_[n]);
    }
  }

 private:
  size_t order_ = 0;
  size_t length_ = 0;
  NgramTrie trie_;
  std::vector<uint32_t> counts_;  // by trie node
  std::vector<uint32_t> left_;    // of them, not matched so far
  std::vector<uint32_t> matches_;
};

// A line as chrF sees it: its code points, and its words with one punctuation mark cut off.
class ChrfText {
 public:
  explicit ChrfText(const ChrfOptions& options) : options_(options) {}

  void assign(std::string_view line) {
    if (options_.lowercase) {
      lowered_ = to_lower(line);
      line = lowered_;
    }
    characters_.clear();
    for (size_t at = 0; at < line.size();) {
      const size_t space = options_.whitespace ? 0 : space_bytes(line, at);
      if (space > 0) {
        at += space;
      } else {
        characters_.push_back(static_cast<uint32_t>(next_code_point(line, at)));
      }
    }
    words_.clear();
    if (options_.word_order > 0) split_words(line);
  }

  const std::vector<uint32_t>& characters() const { return characters_; }
  const std::vector<std::string_view>& words() const { return words_; }

 private:
  // A mark at a word's end is a word, or else one at its beginning: "(hi)" is "(hi" and ")".
  void split_words(std::string_view line) {
    pieces_.clear();
    split_spaces(line, pieces_);
    for (const std::string_view word : pieces_) {
      const bool can_split = word.size() > 1;  // in bytes: a mark that is split off is ASCII
      if (can_split && is_ascii_punctuation(word.back())) {
        words_.push_back(word.substr(0, word.size() - 1));
        words_.push_back(word.substr(word.size() - 1));
      } else if (can_split && is_ascii_punctuation(word.front())) {
        words_.push_back(word.substr(0, 1));
        words_.push_back(word.substr(1));
      } else {
        words_.push_back(word);
      }
    }
  }

  const ChrfOptions& options_;
  std::string lowered_;
  std::vector<uint32_t> characters_;
  std::vector<std::string_view> words_;
  std::vector<std::string_view> pieces_;
};

class ChrfCounter : public SegmentCounter {
 public:
  ChrfCounter(const Chrf& metric, const ChrfOptions& options)
      : metric_(metric), options_(options), hypothesis_(options_), line_(metric.statistics()) {}

  void set_references(std::span<const std::string_view> references) override {
    interner_.clear();
    used_ = references.size();
    while (references_.size() < used_) references_.emplace_back(options_);
    for (size_t i = 0; i < used_; ++i) {
      Reference& reference = references_[i];
      reference.text.assign(references[i]);
      reference.characters.assign(reference.text.characters(), static_cast<size_t>(options_.char_order));
      if (options_.word_order == 0) continue;
      ids_.clear();
      for (const std::string_view word : reference.text.words()) ids_.push_back(interner_.add(word));
      reference.words.assign(ids_, static_cast<size_t>(options_.word_order));
    }
  }

  void count(std::string_view hypothesis, std::span<double> statistics) override {
    hypothesis_.assign(hypothesis);
    ids_.clear();
    for (const std::string_view word : hypothesis_.words()) ids_.push_back(interner_.find(word));
    const size_t character_statistics = 3 * static_cast<size_t>(options_.char_order);
    double best = -1;
    for (size_t i = 0; i < used_; ++i) {
      const std::span<double> all(line_);
      references_[i].characters.match(hypothesis_.characters(), all.first(character_statistics));
      if (options_.word_order > 0) references_[i].words.match(ids_, all.subspan(character_statistics));
      const double score = used_ == 1 ? 0 : metric_.value(line_);
      if (score > best) {
        best = score;
        std::copy(line_.begin(), line_.end(), statistics.begin());
      }
    }
  }

 private:
  struct Reference {
    explicit Reference(const ChrfOptions& options) : text(options) {}
    ChrfText text;  // its words are views into it, which the interner holds
    NgramCounts characters;
    NgramCounts words;
  };

  const Chrf metric_;
  const ChrfOptions options_;
  ChrfText hypothesis_;
  std::deque<Reference> references_;
  size_t used_ = 0;  // of references_
  Interner interner_;
  std::vector<uint32_t> ids_;
  std::vector<double> line_;
};

}  // namespace

std::unique_ptr<SegmentCounter> Chrf::make_counter() const { return std::make_unique<ChrfCounter>(*this, options_); }

}  // namespace nmt::metrics
