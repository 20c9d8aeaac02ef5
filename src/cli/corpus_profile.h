#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace nmt {

// What one side of a corpus looks like.
struct TextProfile {
  int64_t lines = 0;
  int64_t blank_lines = 0;
  int64_t long_line_characters = 0;     // length that 99 of 100 lines don't exceed
  double characters_per_word = 0;       // white space not counted
  std::map<char32_t, int64_t> letters;  // how often each occurs
};

// Reads a whole text. Throws DataError that names the first line that isn't UTF-8.
TextProfile profile_text(const std::string& path);

// Share of the letters of `text` that occur in `other` too: near 1 for two languages of one script.
double shared_letters(const TextProfile& text, const TextProfile& other);

}  // namespace nmt
