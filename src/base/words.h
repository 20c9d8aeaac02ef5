#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace nmt {

// Bytes [begin, end) of a text.
struct TextSpan {
  size_t begin = 0;
  size_t end = 0;
  bool operator==(const TextSpan&) const = default;
};

// The words of a text: what stands between white space (Unicode property White_Space, U+00A0 and U+3000 too), in order.
// Ill-formed UTF-8 is part of a word.
std::vector<TextSpan> words_of(std::string_view text);

inline std::string_view part_of(std::string_view text, const TextSpan& span) {
  return text.substr(span.begin, span.end - span.begin);
}

}  // namespace nmt
