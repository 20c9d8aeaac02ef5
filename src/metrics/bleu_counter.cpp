#include <algorithm>
#include <deque>

#include "metrics/bleu.h"
#include "metrics/interner.h"
#include "metrics/ngram_trie.h"

namespace nmt::metrics {

namespace {

// Counts n-grams of one line. An n-gram of the hypothesis matches as often as it occurs in the reference that has the
// most of it ("clipping", Papineni et al., section 2.1).
class BleuCounter : public SegmentCounter {
 public:
  explicit BleuCounter(const BleuOptions& options)
      : order_(static_cast<size_t>(options.max_ngram_order)), hypothesis_words_(options.tokenizer, options.lowercase) {}

  void set_references(std::span<const std::string_view> references) override {
    interner_.clear();
    trie_.clear();
    limit_.assign(1, 0);
    lengths_.clear();
    while (reference_words_.size() < references.size()) reference_words_.push_back(hypothesis_words_);
    for (size_t i = 0; i < references.size(); ++i) add_reference(reference_words_[i].tokenize(references[i]));
  }

  void count(std::string_view hypothesis, std::span<double> statistics) override {
    const std::vector<std::string_view>& words = hypothesis_words_.tokenize(hypothesis);
    ids_.clear();
    for (const std::string_view word : words) ids_.push_back(interner_.find(word));
    std::fill(statistics.begin(), statistics.end(), 0.0);
    statistics[0] = static_cast<double>(words.size());
    statistics[1] = static_cast<double>(nearest_length(words.size()));
    for (size_t n = 0; n < order_; ++n) {
      statistics[2 + order_ + n] = words.size() > n ? static_cast<double>(words.size() - n) : 0;
    }
    used_.assign(limit_.size(), 0);
    for (size_t begin = 0; begin < ids_.size(); ++begin) match_from(begin, statistics.subspan(2, order_));
  }

 private:
  void add_reference(const std::vector<std::string_view>& words) {
    ids_.clear();
    for (const std::string_view word : words) ids_.push_back(interner_.add(word));
    lengths_.push_back(words.size());

    used_.assign(trie_.size(), 0);
    for (size_t begin = 0; begin < ids_.size(); ++begin) {
      uint32_t node = NgramTrie::kRoot;
      for (size_t at = begin; at < std::min(begin + order_, ids_.size()); ++at) {
        node = trie_.add(node, ids_[at]);
        if (node >= used_.size()) used_.resize(node + 1, 0);
        ++used_[node];
      }
    }
    limit_.resize(trie_.size(), 0);
    for (size_t node = 0; node < used_.size(); ++node) limit_[node] = std::max(limit_[node], used_[node]);
  }

  void match_from(size_t begin, std::span<double> matches) {
    uint32_t node = NgramTrie::kRoot;
    for (size_t n = 0; n < order_ && begin + n < ids_.size(); ++n) {
      if (ids_[begin + n] == Interner::kUnknown) return;
      node = trie_.find(node, ids_[begin + n]);
      if (node == NgramTrie::kMissing) return;
      if (used_[node] < limit_[node]) {
        ++used_[node];
        ++matches[n];
      }
    }
  }

  // The length of the reference nearest to `length`, the shorter one of two equally near.
  size_t nearest_length(size_t length) const {
    const auto distance = [length](size_t other) { return other > length ? other - length : length - other; };
    return *std::min_element(lengths_.begin(), lengths_.end(), [&](size_t a, size_t b) {
      return distance(a) != distance(b) ? distance(a) < distance(b) : a < b;
    });
  }

  size_t order_;
  BleuWords hypothesis_words_;
  std::deque<BleuWords> reference_words_;  // one for each reference: the interner holds views into their memory
  Interner interner_;
  NgramTrie trie_;
  std::vector<size_t> lengths_;  // words of each reference
  std::vector<uint32_t> ids_;
  std::vector<uint32_t> limit_;  // by trie node: the most occurrences in one reference
  std::vector<uint32_t> used_;   // by trie node: occurrences counted so far
};

}  // namespace

std::unique_ptr<SegmentCounter> Bleu::make_counter() const { return std::make_unique<BleuCounter>(options_); }

}  // namespace nmt::metrics
