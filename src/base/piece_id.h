#pragma once

#include <cstdint>

namespace nmt {

// Number of a piece in a vocabulary, from 0.
using PieceId = int32_t;

// Ids of the special pieces; the same in every vocabulary of ours and checked when a tokenizer is loaded.
inline constexpr PieceId kPadId = 0;
inline constexpr PieceId kUnkId = 1;
inline constexpr PieceId kBosId = 2;
inline constexpr PieceId kEosId = 3;
inline constexpr int64_t kSpecialPieces = 4;

}  // namespace nmt
