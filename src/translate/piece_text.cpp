#include "translate/piece_text.h"

#include <charconv>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "text/word_characters.h"

namespace nmt {

namespace {

constexpr int32_t kWordMark = 0x2581;

PieceText text_of(const std::string& piece) {
  PieceText text;
  if (piece.size() == 6 && piece.starts_with("<0x") && piece.back() == '>') {
    std::from_chars(piece.data() + 3, piece.data() + 5, text.byte, 16);
    return text;
  }
  for (size_t at = 0; at < piece.size();) {
    const CodePoint next = code_point_at(piece, at);
    text.code_points.push_back(next.value == kWordMark ? ' ' : next.value);
    at += next.bytes;
  }
  return text;
}

}  // namespace

std::vector<PieceText> piece_texts(const Tokenizer& tokenizer) {
  std::vector<PieceText> texts(static_cast<size_t>(tokenizer.vocab_size()));
  for (size_t id = static_cast<size_t>(kSpecialPieces); id < texts.size(); ++id) {
    texts[id] = text_of(tokenizer.piece(static_cast<PieceId>(id)));
  }
  return texts;
}

std::vector<bool> pieces_continuing_words(const Tokenizer& tokenizer) {
  std::vector<bool> continuing;
  for (const PieceText& text : piece_texts(tokenizer)) {
    continuing.push_back(!text.code_points.empty() && joins_words(text.code_points.front()));
  }
  return continuing;
}

}  // namespace nmt
