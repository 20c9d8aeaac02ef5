#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/text_config.h"

namespace nmt {

// What a line becomes before a tokenizer sees it: white space at both ends goes, then Unicode normalisation
// (UAX 15) by ICU. White space inside the line stays as it is. `text` must be well-formed UTF-8.
std::string normalize(std::string_view text, Normalization form);

// normalize() that tells where its bytes come from: byte i of `text`, and its end, from byte origin[i] of what was
// given.
struct TracedText {
  std::string text;
  std::vector<size_t> origin;  // [text.size() + 1], not decreasing
};
TracedText normalize_traced(std::string_view text, Normalization form);

// What is done with bytes that are not UTF-8.
struct Utf8Policy {
  InvalidUtf8 on_invalid = InvalidUtf8::kError;
  int64_t replaced_parts = 0;  // ill-formed parts replaced by U+FFFD so far
  int64_t replaced_lines = 0;  // lines that held any

  // Makes `line` well-formed. Under kError throws DataError that names file, line and byte where it isn't.
  void apply(std::string& line, const std::string& file, int64_t line_number);
};

}  // namespace nmt
