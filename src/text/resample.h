#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "text/tokenizer.h"

namespace nmt {

// What resegmentation needs to know of a vocabulary.
struct PieceLookup {
  std::function<PieceId(std::string_view)> id;  // of a normal piece, or -1
  std::function<double(PieceId)> score;         // BPE: higher merges first; unigram: natural log of its probability
  size_t longest_piece = 0;                     // in symbols
};

// `symbols` are the smallest parts of a text (characters, and whatever must stay whole), `fallback` their ids for
// where a symbol stands alone (several, where it is spelt as bytes).
struct SymbolText {
  std::vector<std::string_view> symbols;
  std::vector<std::vector<PieceId>> fallback;
};

// BPE-dropout (Provilkov et al. 2020): merges are done best first, and each time the best merge is looked for every
// candidate is passed over with probability `rate`.
std::vector<PieceId> sample_bpe(const SymbolText& text, const PieceLookup& vocabulary, double rate, SplitMix64& random);

// A draw from P(segmentation)^alpha over all segmentations (Kudo 2018): forward sums, then backward sampling.
std::vector<PieceId> sample_unigram(const SymbolText& text, const PieceLookup& vocabulary, double alpha,
                                    SplitMix64& random);

}  // namespace nmt
