#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// The few questions about Unicode that metrics ask, answered as Python answers them, because published scores were
// counted with Python strings. Text is well-formed UTF-8; a byte that isn't stands for U+FFFD and is never skipped
// over, so that no input can make a reader run past the end.
namespace nmt::metrics {

// Length in bytes of the white space character that begins at `at`, or 0. White space is what Python's str.split()
// and str.rstrip() take for it: U+0009-000D, U+001C-0020, U+0085, U+00A0, U+1680, U+2000-200A, U+2028, U+2029,
// U+202F, U+205F, U+3000. (The Unicode property White_Space lacks U+001C-001F.)
size_t space_bytes(std::string_view text, size_t at);

// Reads the code point at `at` and moves past it.
char32_t next_code_point(std::string_view text, size_t& at);

// `text` without white space at its end (both ends for strip_spaces).
std::string_view rstrip_spaces(std::string_view text);
std::string_view strip_spaces(std::string_view text);

// The words between white space, appended to `out`. The views point into `text`.
template <class Words>
void split_spaces(std::string_view text, Words& out) {
  size_t begin = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t space = space_bytes(text, at);
    if (space == 0) {
      ++at;
      continue;
    }
    if (begin < at) out.push_back(text.substr(begin, at - begin));
    begin = at += space;
  }
  if (begin < text.size()) out.push_back(text.substr(begin));
}

// Lower case as str.lower(): full mapping (U+0130 becomes two code points), a capital sigma at a word's end becomes
// the final form, no language's own rules.
std::string to_lower(std::string_view text);

// What the tokenizer "intl" must know of a code point: its general category, in three parts.
enum class CharClass : unsigned char { kOther, kNumber, kPunctuation, kSymbol };
CharClass char_class(char32_t c);

}  // namespace nmt::metrics
