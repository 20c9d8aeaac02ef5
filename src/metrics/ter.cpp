#include "metrics/ter.h"

#include <algorithm>
#include <deque>

#include "metrics/interner.h"
#include "metrics/ter_edits.h"
#include "metrics/ter_tokenizer.h"

namespace nmt::metrics {

namespace {

class TerCounter : public SegmentCounter {
 public:
  explicit TerCounter(const TerOptions& options) : hypothesis_words_(options) {}

  void set_references(std::span<const std::string_view> references) override {
    interner_.clear();
    while (references_.size() < references.size()) references_.push_back({hypothesis_words_, {}});
    used_ = references.size();
    for (size_t i = 0; i < used_; ++i) {
      references_[i].ids.clear();
      for (const std::string_view word : references_[i].words.tokenize_reference(references[i])) {
        references_[i].ids.push_back(interner_.add(word));
      }
    }
  }

  void count(std::string_view hypothesis, std::span<double> statistics) override {
    ids_.clear();
    for (const std::string_view word : hypothesis_words_.tokenize(hypothesis)) ids_.push_back(interner_.find(word));
    size_t fewest = static_cast<size_t>(-1);
    size_t reference_words = 0;
    for (size_t i = 0; i < used_; ++i) {
      fewest = std::min(fewest, edits_.count(ids_, references_[i].ids));
      reference_words += references_[i].ids.size();
    }
    statistics[0] = static_cast<double>(fewest);
    statistics[1] = static_cast<double>(reference_words) / static_cast<double>(used_);
  }

 private:
  struct Reference {
    TerWords words;  // the interner holds views into its memory
    std::vector<WordId> ids;
  };

  TerWords hypothesis_words_;
  std::deque<Reference> references_;
  size_t used_ = 0;  // of references_
  Interner interner_;
  std::vector<WordId> ids_;
  TerEdits edits_;
};

const char* yes_no(bool value) { return value ? "yes" : "no"; }

}  // namespace

std::unique_ptr<SegmentCounter> Ter::make_counter() const { return std::make_unique<TerCounter>(options_); }

double Ter::value(std::span<const double> sums) const {
  if (sums[1] > 0) return 100 * (sums[0] / sums[1]);
  return sums[0] > 0 ? 100 : 0;
}

void Ter::describe(Signature& signature) const {
  signature.add("case", "c", options_.case_sensitive ? "mixed" : "lc");
  signature.add("tok", "t", "tercom");
  signature.add("norm", "nr", yes_no(options_.normalized));
  signature.add("punct", "pn", yes_no(!options_.no_punctuation));
  signature.add("asian", "as", yes_no(options_.asian_support));
}

}  // namespace nmt::metrics
