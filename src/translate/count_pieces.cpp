#include "translate/count_pieces.h"

#include "base/error.h"
#include "base/stop.h"

namespace nmt {

namespace {

// Of the part to count first.
size_t part_bytes(std::string_view text) {
  if (text.size() <= kMostBytesToCount) return text.size();
  const size_t blank = text.rfind(' ', kMostBytesToCount - 1);
  if (blank != std::string_view::npos) return blank + 1;
  size_t end = kMostBytesToCount;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return end;
}

}  // namespace

int64_t count_pieces(const Tokenizer& tokenizer, std::string_view text) {
  int64_t pieces = 0;
  while (!text.empty()) {
    if (stop_requested()) throw InterruptedError("Interrupted while counting pieces.");
    const size_t bytes = part_bytes(text);
    pieces += std::ssize(tokenizer.encode(text.substr(0, bytes)));
    text.remove_prefix(bytes);
  }
  return pieces;
}

}  // namespace nmt
