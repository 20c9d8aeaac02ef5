#pragma once

#include <string>
#include <string_view>

namespace nmt {

// The settings of a serialised SentencePiece model that its library doesn't tell (sentencepiece_model.proto).
struct SentencePieceModelInfo {
  enum class Type { kUnigram = 1, kBpe = 2, kWord = 3, kCharacter = 4 };
  Type type = Type::kUnigram;
  std::string normalizer;  // as "identity", "nmt_nfkc"
};

// Throws ModelError, naming `origin`, where the bytes are no such message.
SentencePieceModelInfo read_sentencepiece_info(std::string_view model_bytes, const std::string& origin);

}  // namespace nmt
