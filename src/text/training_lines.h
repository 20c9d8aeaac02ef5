#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer_trainer.h"

namespace nmt {

// Text drawn for tokenizer training: normalised, no blank lines, long lines cut into parts, nothing skipped.
struct TrainingLines {
  std::vector<std::string> parts;
  int64_t lines_read = 0;
  int64_t lines_used = 0;
  int64_t replaced_lines = 0;
  int64_t code_points = 0;  // of `parts`
  std::string warning;
};

// Draws options.training_lines lines of each file (all, where it has no more): a reservoir sample (Vitter 1985,
// algorithm R) that depends on the seed only. Throws DataError.
TrainingLines draw_training_lines(const TokenizerTraining& options);

// Cuts a line into parts of at most `bytes` bytes, at the last blank of each part where there is one, never within a
// character. (SentencePiece counts positions in a word with 16 bits and ends the process beyond.)
std::vector<std::string> cut_long_line(std::string line, size_t bytes);

}  // namespace nmt
