#include "base/words.h"

#include "base/utf8.h"

namespace nmt {

std::vector<TextSpan> words_of(std::string_view text) {
  std::vector<TextSpan> words;
  bool inside = false;
  for (size_t at = 0; at < text.size();) {
    const CodePoint here = code_point_at(text, at);
    const bool blank = is_white_space(here.value);
    if (!blank && !inside) words.push_back({at, at});
    at += here.bytes;
    if (!blank) words.back().end = at;
    inside = !blank;
  }
  return words;
}

}  // namespace nmt
