#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "metrics/signature.h"

// What BLEU, chrF and TER have in common. Each turns a line and its references into a few counts ("statistics"); the
// counts of lines are added up, and the score of a corpus, of a bootstrap sample or of a single line is a function of
// the sums. So a corpus is scored in one pass and bounded memory, in any number of threads, and resampling needs no
// text.
namespace nmt::metrics {

// A score on the scale 0 to 100 (TER may exceed it), higher is better except for TER.
struct Score {
  std::string name;  // "BLEU", "chrF2++", "TER"
  double value = 0;
  std::string verbose;  // what the metric says of itself beside the score; may be empty
};

// Turns lines into statistics. Holds scratch memory: one for each thread.
class SegmentCounter {
 public:
  virtual ~SegmentCounter() = default;

  // The references of the line to come, at least one; they must live until the last count() with them. Well-formed
  // UTF-8. An empty one is a reference of no words.
  virtual void set_references(std::span<const std::string_view> references) = 0;

  // Writes the statistics of one hypothesis for these references: Metric::statistics() numbers.
  virtual void count(std::string_view hypothesis, std::span<double> statistics) = 0;
};

class Metric {
 public:
  virtual ~Metric() = default;

  virtual std::string name() const = 0;
  virtual size_t statistics() const = 0;  // how many
  virtual std::unique_ptr<SegmentCounter> make_counter() const = 0;

  // The score of summed statistics.
  virtual Score score(std::span<const double> sums) const = 0;

  // Its value alone, for resampling, which asks thousands of times.
  virtual double value(std::span<const double> sums) const = 0;

  // Adds the settings to a signature.
  virtual void describe(Signature& signature) const = 0;
};

}  // namespace nmt::metrics
