#include "metrics/line_source.h"

#include <algorithm>

#include "base/error.h"
#include "base/paired_lines.h"

namespace nmt::metrics {

bool MemoryLines::next(std::string& line) {
  if (at_ == lines_.size()) return false;
  line = lines_[at_++];
  return true;
}

bool BlockReader::next(LineBlock& block) {
  block.texts.resize(sources_.size());
  std::vector<size_t> read(sources_.size(), 0);
  for (size_t s = 0; s < sources_.size(); ++s) {
    std::vector<std::string>& lines = block.texts[s];
    lines.resize(kBlockLines);
    while (read[s] < kBlockLines && sources_[s]->next(lines[read[s]])) ++read[s];
    if (read[s] != read[0]) throw_unequal(read);
  }
  if (read[0] == 0) {
    if (lines_ == 0) throw DataError("There is no line to score: " + sources_[0]->name() + " is empty.");
    return false;
  }
  block.index = blocks_++;
  block.first_line = lines_;
  block.lines = read[0];
  lines_ += read[0];
  return true;
}

void BlockReader::throw_unequal(const std::vector<size_t>& read) {
  const auto total = [&](size_t s) {
    auto count = static_cast<int64_t>(lines_ + read[s]);
    for (std::string rest; sources_[s]->next(rest);) ++count;
    return count;
  };
  const int64_t first = total(0);
  for (size_t s = 1; s < sources_.size(); ++s) {
    check_line_counts(sources_[0]->name(), first, sources_[s]->name(), total(s));
  }
  throw InternalError("line counts differ and agree");
}

}  // namespace nmt::metrics
