#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "config/data_config.h"
#include "text/normalize.h"

namespace nmt {

// Counts the lines of both files (as LineReader does). Throws DataError that names both paths and both counts where
// they differ, and where there are none.
int64_t count_pairs(const ParallelFilesConfig& files);

struct TextPair {
  std::string source;
  std::string target;
  int64_t line = 0;  // from 1
};

// Reads two files side by side; both lines of a pair are well-formed UTF-8.
class ParallelReader {
 public:
  ParallelReader(const ParallelFilesConfig& files, InvalidUtf8 on_invalid);

  // False at the end of both. Throws DataError where one ends before the other, and as LineReader and Utf8Policy do.
  bool next(TextPair& pair);

  const Utf8Policy& source_policy() const { return source_policy_; }
  const Utf8Policy& target_policy() const { return target_policy_; }

 private:
  LineReader source_;
  LineReader target_;
  Utf8Policy source_policy_;
  Utf8Policy target_policy_;
};

// Why a training pair is left out; in the order in which the reasons are looked at.
enum class DropReason { kBlank, kSourceTooLong, kTargetTooLong, kLengthRatio };
inline constexpr size_t kDropReasons = 4;

// What became of a training corpus.
struct CorpusSummary {
  struct Drop {
    int64_t pairs = 0;
    std::vector<int64_t> first_lines;  // five at most
    bool operator==(const Drop&) const = default;
  };
  int64_t read = 0;
  int64_t kept = 0;
  Drop drops[kDropReasons];
  int64_t source_pieces = 0;  // of the pairs kept, end marks not counted
  int64_t target_pieces = 0;
  int64_t several_sentences = 0;   // pairs whose source line holds several sentences
  int64_t source_byte_pieces = 0;  // spelt as bytes, or unknown
  int64_t target_byte_pieces = 0;
  int64_t replaced_utf8_lines = 0;

  void drop(DropReason reason, int64_t line);
  Drop& dropped(DropReason reason) { return drops[static_cast<size_t>(reason)]; }
  const Drop& dropped(DropReason reason) const { return drops[static_cast<size_t>(reason)]; }
  bool operator==(const CorpusSummary&) const = default;

  // "29,000 pairs read, 28,950 kept; dropped: 30 with a blank side (lines 4, 9, ...), ..."
  std::string text() const;
};

}  // namespace nmt
