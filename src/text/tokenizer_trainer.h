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
  std::string size_name = "vocab_size";  // what the user calls it, for messages
  bool auto_if_too_large = false;        // where the text allows no vocabulary of that size; else an error
};

struct TrainedTokenizer {
  std::string model;  // serialised SentencePiece model
  int64_t vocab_size = 0;
  int64_t lines_read = 0;           // in all files, blank ones included
  int64_t lines_used = 0;           // drawn and not blank
  int64_t replaced_lines = 0;       // lines with invalid UTF-8 (invalid_utf8: replace)
  bool size_was_too_large = false;  // auto_if_too_large: the size is that of auto
  std::string warning;              // text that looks already cut into subwords; empty where it doesn't
};

// Learns a tokenizer. The result depends on the text and the options only, not on the number of cores. Throws
// DataError where the text is empty or can't be read, UsageError where it allows no vocabulary of that size, naming
// the largest (or smallest) that it does.
TrainedTokenizer train_tokenizer(const TokenizerTraining& options);

// Pieces that "auto" stands for: 4 x the square root of the number of code points looked at, in [256, 32000], rounded
// down to a multiple of 8. About 5,000 for 20,000 short sentence pairs, 8,000 for Multi30k, 32,000 from 64 million code
// points on: small corpora do best with small vocabularies (Gowda and May 2020, arXiv 2004.02334). Where the text
// doesn't allow as many, train_tokenizer takes the most it does; where its alphabet needs more, twice the alphabet.
int64_t auto_vocab_size(int64_t code_points);

}  // namespace nmt
