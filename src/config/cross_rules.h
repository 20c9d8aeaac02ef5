#pragma once

#include <string>
#include <vector>

#include "config/config.h"

namespace nmt {

// A rule between keys that a configuration breaks.
struct CrossViolation {
  std::vector<std::string> keys;  // JSON paths of all keys that take part; the sentence begins with the first
  std::string sentence;
};

std::vector<CrossViolation> cross_violations(const Config& config);
std::vector<CrossViolation> cross_violations(const ModelDirConfig& config);

}  // namespace nmt
