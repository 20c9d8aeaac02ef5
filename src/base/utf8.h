#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nmt {

// Offset of the first byte of `text` that is not well-formed UTF-8 (surrogates and overlong forms are not),
// or std::string_view::npos.
size_t find_invalid_utf8(std::string_view text);

// Replaces each maximal ill-formed part by U+FFFD (Unicode 15, section 3.9, "best practice"). `replaced`, where
// given, grows by the number of replacements.
std::string replace_invalid_utf8(std::string_view text, size_t* replaced = nullptr);

// True where the text is empty or holds nothing but Unicode white space (property White_Space), as U+00A0 or U+3000.
bool is_blank(std::string_view text);

// `text` without white space (property White_Space) at both ends.
std::string_view strip(std::string_view text);

// What begins at a byte of a text: a code point, or a maximal ill-formed part (value -1).
struct CodePoint {
  int32_t value = -1;
  size_t bytes = 0;
};
CodePoint code_point_at(std::string_view text, size_t at);  // `at` below text.size()

bool is_white_space(int32_t code_point);  // property White_Space

// Number of code points (of well-formed text).
size_t count_code_points(std::string_view text);

}  // namespace nmt
