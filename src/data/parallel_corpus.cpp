#include "data/parallel_corpus.h"

#include <array>
#include <filesystem>

#include "base/counted.h"
#include "base/error.h"
#include "base/paired_lines.h"
#include "base/stop.h"
#include "base/strings.h"

namespace nmt {

namespace {

constexpr size_t kLinesShown = 5;

void check_regular(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) || std::filesystem::is_regular_file(path, ignored)) return;
  throw DataError(path +
                  " is not a regular file; a corpus is read more than once, so that a pipe or a folder won't do.");
}

std::string drop_text(const CorpusSummary::Drop& drop, std::string_view what) {
  std::vector<std::string> lines;
  for (const int64_t line : drop.first_lines) lines.push_back(std::to_string(line));
  if (drop.pairs > static_cast<int64_t>(lines.size())) lines.emplace_back("...");
  return with_thousands(drop.pairs) + " " + std::string(what) + (drop.pairs == 1 ? " (line " : " (lines ") +
         join(lines, ", ") + ")";
}

}  // namespace

int64_t count_pairs(const ParallelFilesConfig& files) {
  check_regular(files.src.value);
  check_regular(files.tgt.value);
  const int64_t sources = count_lines(files.src.value);
  const int64_t targets = count_lines(files.tgt.value);
  if (stop_requested()) throw InterruptedError("Stopped while counting lines.");
  check_line_counts(files.src.value, sources, files.tgt.value, targets);
  if (sources == 0) throw DataError(files.src.value + " and " + files.tgt.value + " are empty.");
  return sources;
}

ParallelReader::ParallelReader(const ParallelFilesConfig& files, InvalidUtf8 on_invalid)
    : source_(files.src.value), target_(files.tgt.value), source_policy_{on_invalid}, target_policy_{on_invalid} {}

bool ParallelReader::next(TextPair& pair) {
  const bool has_source = source_.next(pair.source);
  const bool has_target = target_.next(pair.target);
  if (stop_requested()) throw InterruptedError("Stopped while reading " + source_.path() + ".");
  if (has_source != has_target) {
    const LineReader& shorter = has_source ? target_ : source_;
    const LineReader& longer = has_source ? source_ : target_;
    throw DataError(shorter.path() + " ends after line " + with_thousands(shorter.line_number()) + ", " +
                    longer.path() + " goes on.");
  }
  if (!has_source) return false;
  pair.line = source_.line_number();
  source_policy_.apply(pair.source, source_.path(), pair.line);
  target_policy_.apply(pair.target, target_.path(), pair.line);
  return true;
}

void CorpusSummary::drop(DropReason reason, int64_t line) {
  Drop& entry = dropped(reason);
  ++entry.pairs;
  if (entry.first_lines.size() < kLinesShown) entry.first_lines.push_back(line);
}

std::string CorpusSummary::text() const {
  constexpr std::array<std::string_view, kDropReasons> kWhat = {"with a blank side", "with a source too long",
                                                                "with a target too long", "of unlike lengths"};
  std::vector<std::string> parts;
  for (size_t i = 0; i < kDropReasons; ++i) {
    if (drops[i].pairs > 0) parts.push_back(drop_text(drops[i], kWhat[i]));
  }
  std::string out = counted(read, "pair") + " read, " + with_thousands(kept) + " kept";
  if (!parts.empty()) out += "; dropped: " + join(parts, ", ");
  if (replaced_utf8_lines > 0) out += "; invalid UTF-8 replaced in " + counted(replaced_utf8_lines, "line");
  return out + ".";
}

}  // namespace nmt
