#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nmt {

// Whether a word goes on where two such characters stand side by side: letters, digits, and marks, but for those of
// scripts that don't divide words by blanks (Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar).
bool joins_words(int32_t code_point);

// `text` (well-formed UTF-8) as it is written where a sentence begins with it: its first letter as a capital.
std::string capitalized(std::string_view text);

}  // namespace nmt
