#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/text_config.h"

namespace nmt {

// What a SentencePiece model is learned from and how; the fields have the meaning of those of TextConfig.
struct TokenizerTraining {
  std::vector<std::string> files;  // plain or gzip; "-" is standard input
  TokenizerType type = TokenizerType::kBpe;
  AutoSize vocab_size{8000};
  bool byte_fallback = true;
  double character_coverage = 0.9999;
  Normalization normalization = Normalization::kNfc;
  InvalidUtf8 invalid_utf8 = InvalidUtf8::kError;
  int64_t training_lines = 1000000;  // of each file, drawn at random where it has more
  uint64_t seed = 1;
};

struct TrainedTokenizer {
  std::string model;  // serialised SentencePiece model
  int64_t vocab_size = 0;
  int64_t lines_read = 0;      // in all files, blank ones included
  int64_t lines_used = 0;      // drawn and not blank
  int64_t replaced_lines = 0;  // lines with invalid UTF-8 (invalid_utf8: replace)
};

// Learns a tokenizer. The result depends on the text and the options only, not on the number of cores. Throws
// DataError where the text is empty or can't be read, UsageError where it allows no vocabulary of that size, naming
// the largest (or smallest) that it does.
TrainedTokenizer train_tokenizer(const TokenizerTraining& options);

// Pieces that "auto" stands for: a quarter of the distinct words of the text, rounded down to a multiple of 100,
// within [500, 32000] (Gowda and May 2020, arXiv 2004.02334: small vocabularies for small corpora).
int64_t auto_vocab_size(int64_t distinct_words);

}  // namespace nmt
