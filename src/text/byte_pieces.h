#pragma once

#include <string_view>

#include "text/tokenizer.h"

namespace nmt {

// "<0x41>": how SentencePiece names the piece of a byte.
inline bool is_byte_piece(std::string_view piece) {
  return piece.size() == 6 && piece.starts_with("<0x") && piece.ends_with('>');
}

// Whether a tokenizer spells what it doesn't know as bytes, so that it never gives the unknown piece.
inline bool falls_back_to_bytes(const Tokenizer& tokenizer) {
  for (PieceId id = 0; id < tokenizer.vocab_size(); ++id) {
    if (is_byte_piece(tokenizer.piece(id))) return true;
  }
  return false;
}

}  // namespace nmt
