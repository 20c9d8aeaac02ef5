#pragma once

#include <string_view>
#include <vector>

namespace nmt {

// The sentences of a text with the white space after them; joined they are the text. Unicode annex 29 (ICU), but no
// sentence ends with an abbreviation (a capitalised one that ICU knows in one of its languages, as "Prof.", or letters
// without a vowel, as "Mrs."), an initial ("J."), an acronym ("U.S.") or a number ("3."), all of which may stand before
// a capital. `text` must be well-formed UTF-8.
std::vector<std::string_view> sentences_of(std::string_view text);

}  // namespace nmt
