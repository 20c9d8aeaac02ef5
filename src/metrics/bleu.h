#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "metrics/bleu_tokenizer.h"
#include "metrics/metric.h"

// BLEU (Papineni et al. 2002, "BLEU: a method for automatic evaluation of machine translation"): the geometric mean of
// the precisions of word n-grams, n = 1..4, times a penalty for output shorter than the references. Computed so that
// figures equal sacreBLEU's (Post 2018, "A call for clarity in reporting BLEU scores").
namespace nmt::metrics {

// What to do about an n-gram order without a match, which would make the score 0 (Chen and Cherry 2014, "A systematic
// comparison of smoothing techniques for sentence-level BLEU").
enum class BleuSmoothing {
  kExp,    // their method 3, NIST's: the k-th such order counts as 1/2^k matches
  kFloor,  // method 1: it counts as smooth_value matches
  kAddK,   // method 2: smooth_value is added to matches and totals of orders above 1
  kNone
};

const char* smoothing_name(BleuSmoothing smoothing);   // "exp", "floor", "add-k", "none"
BleuSmoothing parse_smoothing(std::string_view name);  // throws UsageError that lists them

struct BleuOptions {
  BleuTokenizer tokenizer = BleuTokenizer::k13a;
  bool lowercase = false;
  BleuSmoothing smoothing = BleuSmoothing::kExp;
  std::optional<double> smooth_value = {};  // default: 0.1 for floor, 1 for add-k; no effect on the others
  int max_ngram_order = 4;                  // 1 or more
  bool effective_order = false;             // leave out orders that the output is too short for; for single sentences
};

// Throws UsageError where a value is out of range.
void check(const BleuOptions& options);

struct BleuScore {
  double score = 0;                // 0 to 100
  std::vector<double> counts;      // matched n-grams, n = 1..max_ngram_order (with add-k: as smoothed)
  std::vector<double> totals;      // n-grams of the hypotheses, likewise
  std::vector<double> precisions;  // in percent, smoothed
  double brevity_penalty = 0;      // 0 to 1
  int64_t hypothesis_length = 0;   // words
  int64_t reference_length = 0;    // words of, for each line, the reference nearest in length (the shorter of two)
  std::string signature;           // by corpus_bleu and sentence_bleu only

  // "69.6/44.4/30.6/21.8 (BP = 0.953 ratio = 0.954 hyp_len = 2089 ref_len = 2189)"
  std::string verbose() const;
};

// BLEU of a corpus. `references[i]` holds all references of line i, so references.size() == hypotheses.size(); the
// number of references may differ between lines but none may be without. Throws DataError with both counts otherwise.
// Text is raw, detokenized and UTF-8; invalid bytes count as U+FFFD.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses,
                      const std::vector<std::vector<std::string>>& references, const BleuOptions& options = {});

// The same with one reference a line.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
                      const BleuOptions& options = {});

// BLEU of one line; set options.effective_order, as sacreBLEU's --sentence-level does.
BleuScore sentence_bleu(const std::string& hypothesis, const std::vector<std::string>& references,
                        const BleuOptions& options);

// BLEU as a Metric. Statistics: words of the hypothesis, words of the reference, matches by order, totals by order.
class Bleu : public Metric {
 public:
  explicit Bleu(const BleuOptions& options);  // throws UsageError

  std::string name() const override { return "BLEU"; }
  size_t statistics() const override { return 2 + 2 * static_cast<size_t>(options_.max_ngram_order); }
  std::unique_ptr<SegmentCounter> make_counter() const override;
  Score score(std::span<const double> sums) const override;
  double value(std::span<const double> sums) const override;
  void describe(Signature& signature) const override;

  BleuScore details(std::span<const double> sums) const;

 private:
  BleuOptions options_;
};

}  // namespace nmt::metrics
