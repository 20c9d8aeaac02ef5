#pragma once

#include <string>

#include "config/config.h"

namespace nmt {

// What training by a configuration would do, as a few lines for people. Counts the lines of its texts; throws
// DataError where source and target differ or are empty.
std::string summarize(const Config& config);

}  // namespace nmt
