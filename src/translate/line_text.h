#pragma once

#include <cstddef>
#include <string>

#include "base/utf8.h"

namespace nmt {

// A carriage return or line feed inside a line is white space.
inline std::string without_line_ends(std::string text) {
  for (char& c : text) {
    if (c == '\r' || c == '\n') c = ' ';
  }
  return text;
}

// What a tokenizer gets of a line of any bytes: well-formed UTF-8 without line ends. `replaced`, where given, grows by
// the number of ill-formed parts that became U+FFFD.
inline std::string line_text(const std::string& line, size_t* replaced = nullptr) {
  return without_line_ends(replace_invalid_utf8(line, replaced));
}

}  // namespace nmt
