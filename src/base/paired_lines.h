#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/file.h"

namespace nmt {

// Throws DataError with both names and counts where two texts of which line i belongs to line i differ in their number
// of lines.
void check_line_counts(const std::string& first, int64_t first_lines, const std::string& second, int64_t second_lines);

// The same of two files, which are counted. Files that can't be read twice (standard input, pipes) are left to
// PartnerLines.
void check_same_line_count(const std::string& first, const std::string& second);

// A text whose line i belongs to line i of another one that somebody else reads.
class PartnerLines {
 public:
  // Reads `path`; `lead` is the other text. Throws DataError where it can't be opened.
  PartnerLines(LineReader& lead, const std::string& path) : lead_(lead), reader_(path) {}

  // The next `count` lines. Throws DataError with both counts where there are fewer.
  std::vector<std::string> take(size_t count);

  // To be called at the end of the other text. Throws DataError with both counts where lines are left.
  void finish();

 private:
  [[noreturn]] void throw_counts();  // reads both to their ends first

  LineReader& lead_;
  LineReader reader_;
};

}  // namespace nmt
