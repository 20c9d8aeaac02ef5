#include "base/paired_lines.h"

#include <cstdint>
#include <filesystem>

#include "base/error.h"
#include "base/strings.h"

namespace nmt {

namespace {

[[noreturn]] void throw_line_counts(const std::string& first, int64_t first_lines, const std::string& second,
                                    int64_t second_lines) {
  throw DataError("Line by line the two texts belong together, but " + first + " has " + with_thousands(first_lines) +
                  (first_lines == 1 ? " line and " : " lines and ") + second + " has " + with_thousands(second_lines) +
                  ".");
}

int64_t lines_to_the_end(LineReader& reader) {
  std::string line;
  while (reader.next(line)) {
  }
  return reader.line_number();
}

}  // namespace

void check_same_line_count(const std::string& first, const std::string& second) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(first, none) || !std::filesystem::is_regular_file(second, none)) return;
  const int64_t first_lines = count_lines(first);
  const int64_t second_lines = count_lines(second);
  if (first_lines != second_lines) throw_line_counts(first, first_lines, second, second_lines);
}

std::vector<std::string> PartnerLines::take(size_t count) {
  std::vector<std::string> lines(count);
  for (std::string& line : lines) {
    if (!reader_.next(line)) throw_counts();
  }
  return lines;
}

void PartnerLines::finish() {
  std::string line;
  if (reader_.next(line)) throw_counts();
}

void PartnerLines::throw_counts() {
  const int64_t lead_lines = lines_to_the_end(lead_);
  const int64_t lines = lines_to_the_end(reader_);
  throw_line_counts(lead_.path(), lead_lines, reader_.path(), lines);
}

}  // namespace nmt
