#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/segmented_text.h"
#include "text/tokenizer.h"
#include "translate/translation.h"

namespace nmt {

// Counts what happened to the lines of a run, to be told at its end.
class TranslationSummary {
 public:
  explicit TranslationSummary(const Tokenizer& source);

  // Line `number` (from 1) as read, and what it became. Warns in the log of the first lines that were split, cut at
  // the length limit, lack a phrase, or not UTF-8.
  void add(int64_t number, const std::string& line, const Translation& translation);

  // "1,000 lines (2 blank), 14,210 source and 13,876 target pieces in 12.3s: 81.3 lines/s, 1,128 pieces/s; ..."
  std::string text(double seconds) const;

  // Sentences to warn with: text that looks segmented already, many unknown or byte pieces.
  std::vector<std::string> warnings(const std::string& input_name) const;

  int64_t lines() const { return lines_; }
  int64_t split_lines() const { return split_.lines; }                       // too long
  int64_t lines_of_several_sentences() const { return several_sentences_; }  // not too long, translated one by one
  int64_t cut_lines() const { return cut_.lines; }
  int64_t lacking_lines() const { return missing_.lines; }
  int64_t replaced_lines() const { return replaced_.lines; }

 private:
  // Lines to which one thing happened; the first few are told in the log.
  struct Note {
    int64_t lines = 0;
    void add(int64_t number, const std::string& what);
  };

  std::vector<bool> odd_;  // by source piece: the unknown piece or a byte
  int64_t lines_ = 0;
  int64_t blank_lines_ = 0;
  int64_t source_pieces_ = 0;
  int64_t target_pieces_ = 0;
  int64_t odd_pieces_ = 0;
  int64_t several_sentences_ = 0;
  Note split_;
  Note cut_;
  Note missing_;
  Note replaced_;
  SegmentedTextCheck segmented_;
};

}  // namespace nmt
