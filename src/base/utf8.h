#pragma once

#include <cstddef>
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

// Number of code points (of well-formed text).
size_t count_code_points(std::string_view text);

}  // namespace nmt
