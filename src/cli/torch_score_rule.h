#pragma once

#include <string>

#include "search/ensemble_stepper.h"
#include "search/score.h"

namespace nmt {

// What --normalization means: none, average or gnmt.
inline LengthNormalization parse_normalization(const std::string& word) {
  if (word == "none") return LengthNormalization::kNone;
  return word == "average" ? LengthNormalization::kAverage : LengthNormalization::kGnmt;
}

// What --average means: log or linear.
inline EnsembleAverage parse_average(const std::string& word) {
  return word == "linear" ? EnsembleAverage::kLinear : EnsembleAverage::kLog;
}

}  // namespace nmt
