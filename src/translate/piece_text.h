#pragma once

#include <cstdint>
#include <vector>

#include "text/tokenizer.h"

namespace nmt {

// What a piece of a vocabulary spells.
struct PieceText {
  std::vector<int32_t> code_points;  // the word mark as a blank; none for a special piece or a byte
  int32_t byte = -1;                 // of a piece that is one byte of a character
};

std::vector<PieceText> piece_texts(const Tokenizer& tokenizer);  // by piece

// Whether each piece continues the word that the pieces before it spell, as "ery" does after "▁green".
std::vector<bool> pieces_continuing_words(const Tokenizer& tokenizer);

}  // namespace nmt
