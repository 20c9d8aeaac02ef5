#pragma once

#include <cstdint>
#include <optional>

#include "config/train_config.h"

namespace nmt {

// Which of two values of a metric is better belongs to the metric: BLEU is to rise, loss and perplexity are to fall.
// A value that isn't a number is never better.
bool is_better(ValidMetric metric, double value, double than);

// Follows a metric over validations.
struct Watch {
  std::optional<double> best;
  int64_t waited = 0;  // validations since `best` was reached

  // Takes in the next value; true where it is a new best.
  bool see(ValidMetric metric, double value);

  bool operator==(const Watch&) const = default;
};

}  // namespace nmt
