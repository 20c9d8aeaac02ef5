#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"

namespace nmt {

// Lines of results: to standard output ("-"), gathered while more input is at hand, or to a file that appears whole at
// finish() or not at all. Throws ResourceError.
class LineOutput {
 public:
  explicit LineOutput(const std::string& path);

  void write(std::string_view line);  // adds the line end
  void flush();
  void finish();

 private:
  std::optional<AtomicFile> file_;
  std::string buffer_;
};

}  // namespace nmt
