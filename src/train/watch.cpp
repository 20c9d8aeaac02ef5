#include "train/watch.h"

#include <cmath>

namespace nmt {

bool is_better(ValidMetric metric, double value, double than) {
  return metric == ValidMetric::kBleu ? value > than : value < than;
}

bool Watch::see(ValidMetric metric, double value) {
  const bool better = !std::isnan(value) && (!best || is_better(metric, value, *best));
  if (better) best = value;
  waited = better ? 0 : waited + 1;
  return better;
}

}  // namespace nmt
