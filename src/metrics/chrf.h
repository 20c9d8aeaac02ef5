#pragma once

#include "metrics/metric.h"

// chrF (Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation") and chrF++ (Popović 2017, "chrF++:
// words helping character n-grams"): the F-score, recall weighing beta times as much as precision, of character
// n-grams and, for chrF++, word n-grams. No tokenizer to agree upon, and kinder to languages with many word forms than
// BLEU. Computed so that figures equal sacreBLEU's.
namespace nmt::metrics {

struct ChrfOptions {
  int char_order = 6;       // longest character n-gram, 0 or more
  int word_order = 0;       // longest word n-gram, 0 or more; 2 makes it chrF++
  int beta = 2;             // 0 or more; 0 is precision alone
  bool whitespace = false;  // count white space as characters; else it is left out
  bool lowercase = false;
  bool eps_smoothing = false;  // mean over all orders, as chrF++.py, NLTK and Moses; else over those that occur
};

// Throws UsageError where a value is out of range, or both orders are 0.
void check(const ChrfOptions& options);

// Statistics: for each order, characters first, n-grams of the hypothesis, of the reference, and common to both. With
// several references a line counts with the one that gives it the best score.
class Chrf : public Metric {
 public:
  explicit Chrf(const ChrfOptions& options);  // throws UsageError

  std::string name() const override;  // "chrF2", "chrF2++"
  size_t statistics() const override;
  std::unique_ptr<SegmentCounter> make_counter() const override;
  Score score(std::span<const double> sums) const override { return {name(), value(sums), ""}; }
  double value(std::span<const double> sums) const override;
  void describe(Signature& signature) const override;

 private:
  ChrfOptions options_;
};

}  // namespace nmt::metrics
