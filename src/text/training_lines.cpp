#include "text/training_lines.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "base/stop.h"
#include "base/utf8.h"
#include "text/normalize.h"
#include "text/segmented_text.h"

namespace nmt {

namespace {

constexpr size_t kPartBytes = 4096;

// Characters that SentencePiece's trainer keeps for itself: it skips lines with U+2585 and takes U+2581 for a blank.
void blank_out_reserved(std::string& line) {
  for (const std::string_view reserved : {"\u2585", "\u2581"}) {
    for (size_t at = 0; (at = line.find(reserved, at)) != std::string::npos; ++at)
      line.replace(at, reserved.size(), " ");
  }
}

// Lines of one file, in the order in which the reservoir holds them.
std::vector<std::string> draw_lines(const std::string& file, const TokenizerTraining& options, TrainingLines& totals) {
  LineReader reader(file);
  Utf8Policy policy{options.invalid_utf8};
  SplitMix64 random(options.seed);
  SegmentedTextCheck segmented;
  std::vector<std::string> reservoir;
  int64_t seen = 0;
  for (std::string line; reader.next(line);) {
    if (stop_requested()) throw InterruptedError("Stopped while reading " + reader.path() + ".");
    policy.apply(line, reader.path(), reader.line_number());
    segmented.add(line);
    if (is_blank(line)) continue;
    ++seen;
    if (static_cast<int64_t>(reservoir.size()) < options.training_lines) {
      reservoir.push_back(line);
    } else if (const uint64_t slot = random.below(static_cast<uint64_t>(seen)); slot < reservoir.size()) {
      reservoir[slot] = line;
    }
  }
  totals.lines_read += reader.line_number();
  totals.replaced_lines += policy.replaced_lines;
  if (totals.warning.empty()) totals.warning = segmented.warning(reader.path());
  return reservoir;
}

}  // namespace

std::vector<std::string> cut_long_line(std::string line, size_t bytes) {
  std::vector<std::string> parts;
  while (line.size() > bytes) {
    size_t end = line.rfind(' ', bytes);
    if (end == std::string::npos || end == 0) {
      end = bytes;
      while (end > 1 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
    }
    parts.push_back(line.substr(0, end));
    line.erase(0, end);
  }
  parts.push_back(std::move(line));
  return parts;
}

TrainingLines draw_training_lines(const TokenizerTraining& options) {
  TrainingLines out;
  for (const std::string& file : options.files) {
    for (std::string& line : draw_lines(file, options, out)) {
      ++out.lines_used;
      line = normalize(line, options.normalization);
      blank_out_reserved(line);
      for (std::string& part : cut_long_line(std::move(line), kPartBytes)) {
        if (is_blank(part)) continue;
        out.code_points += static_cast<int64_t>(count_code_points(part));
        out.parts.push_back(std::move(part));
      }
    }
  }
  return out;
}

}  // namespace nmt
