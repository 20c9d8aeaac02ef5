#include "base/paired_lines.h"

#include <filesystem>

#include "base/counted.h"
#include "base/error.h"

namespace nmt {

namespace {

int64_t lines_to_the_end(LineReader& reader) {
  std::string line;
  while (reader.next(line)) {
  }
  return reader.line_number();
}

}  // namespace

void check_line_counts(const std::string& first, int64_t first_lines, const std::string& second, int64_t second_lines) {
  if (first_lines == second_lines) return;
  throw DataError("Line by line the two texts belong together, but " + first + " has " + counted(first_lines, "line") +
                  " and " + second + " has " + with_thousands(second_lines) + ".");
}

void check_same_line_count(const std::string& first, const std::string& second) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(first, none) || !std::filesystem::is_regular_file(second, none)) return;
  check_line_counts(first, count_lines(first), second, count_lines(second));
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
  check_line_counts(lead_.path(), lead_lines, reader_.path(), lines);
  throw InternalError("The numbers of lines differ and agree.");
}

}  // namespace nmt
