#pragma once

#include <string>
#include <vector>

#include "metrics/metric.h"

namespace nmt::metrics {

struct CorpusCounts {
  std::vector<double> sums;  // as Metric::score takes them
  Signature signature;
};

// Sums a metric's statistics over lines held in memory; `references[i]` are the references of line i. Throws DataError
// where there is no line, the counts of lines differ, or a line has no reference.
CorpusCounts count_corpus(const Metric& metric, const std::vector<std::string>& hypotheses,
                          const std::vector<std::vector<std::string>>& references);

}  // namespace nmt::metrics
