#pragma once

#include <torch/types.h>

#include "base/error.h"
#include "ops/precision.h"

namespace nmt {

// Whether this processor has products of this precision.
inline bool can_compute(Precision precision) {
  try {
    check_precision(precision, torch::kCPU);
    return true;
  } catch (const ResourceError&) {
    return false;
  }
}

// Whether training can be computed in it.
inline bool can_train_in(Precision precision) {
  try {
    check_training_precision(precision, torch::kCPU);
    return true;
  } catch (const ResourceError&) {
    return false;
  }
}

}  // namespace nmt
