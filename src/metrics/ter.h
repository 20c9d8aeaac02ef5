#pragma once

#include "metrics/metric.h"

// TER (Snover et al. 2006, "A study of translation edit rate with targeted human annotation"): the fewest edits that
// turn the output into a reference, per reference word. An edit inserts, deletes or replaces a word, or shifts a run of
// words to another place. Lower is better; it may exceed 100. Finding the fewest shifts is NP-hard; the greedy search
// here takes the choices of Tercom and, where they differ, of sacreBLEU, so that figures equal sacreBLEU's.
namespace nmt::metrics {

struct TerOptions {
  bool normalized = false;      // split punctuation off words, make entities (&quot;) plain; else split at spaces only
  bool no_punctuation = false;  // leave out . , ? : ; ! " ( )
  bool asian_support =
      false;  // with normalized: each Han character is a word; with no_punctuation: leave out CJK marks
  bool case_sensitive = false;  // else in lower case
};

// Statistics: edits to the reference that needs fewest, mean words of the references.
class Ter : public Metric {
 public:
  explicit Ter(const TerOptions& options) : options_(options) {}

  std::string name() const override { return "TER"; }
  size_t statistics() const override { return 2; }
  std::unique_ptr<SegmentCounter> make_counter() const override;
  Score score(std::span<const double> sums) const override { return {name(), value(sums), ""}; }
  double value(std::span<const double> sums) const override;
  void describe(Signature& signature) const override;

 private:
  TerOptions options_;
};

}  // namespace nmt::metrics
