#pragma once

#include <string>

#include "search/score.h"

namespace nmt {

// What --normalization means: none, average or gnmt.
inline LengthNormalization parse_normalization(const std::string& word) {
  if (word == "none") return LengthNormalization::kNone;
  return word == "average" ? LengthNormalization::kAverage : LengthNormalization::kGnmt;
}

}  // namespace nmt
