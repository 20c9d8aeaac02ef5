#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/tokenizer.h"

namespace nmt {

// Bytes that a tokenizer gets at once to count. A megabyte at once takes it seconds, in which nothing can be
// interrupted.
inline constexpr size_t kMostBytesToCount = 1 << 16;

// The number of pieces of a well-formed text. A longer one is counted part by part, divided at blanks where there are
// some, as pieces don't hold blanks inside; else between characters, which can cost a piece or two a part. Throws
// InterruptedError after request_stop().
int64_t count_pieces(const Tokenizer& tokenizer, std::string_view text);

}  // namespace nmt
