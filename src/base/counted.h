#pragma once

#include <cstdint>
#include <string>

#include "base/strings.h"

namespace nmt {

// "1 line", "2,000 lines"
inline std::string counted(int64_t count, const std::string& what) {
  return with_thousands(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace nmt
