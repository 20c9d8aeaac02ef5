#include "base/utf8.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace nmt {

namespace {

// Reads the code point at `at` and moves past it; negative where ill-formed.
UChar32 next_code_point(std::string_view text, int32_t& at) {
  UChar32 c;
  U8_NEXT(text.data(), at, static_cast<int32_t>(text.size()), c);
  return c;
}

}  // namespace

size_t find_invalid_utf8(std::string_view text) {
  for (int32_t at = 0; at < static_cast<int32_t>(text.size());) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const int32_t start = at;
    if (next_code_point(text, at) < 0) return static_cast<size_t>(start);
  }
  return std::string_view::npos;
}

std::string replace_invalid_utf8(std::string_view text, size_t* replaced) {
  std::string out;
  out.reserve(text.size());
  for (int32_t at = 0; at < static_cast<int32_t>(text.size());) {
    const int32_t start = at;
    if (next_code_point(text, at) >= 0) {
      out.append(text.substr(start, at - start));
    } else {
      out += "\xEF\xBF\xBD";
      if (replaced != nullptr) ++*replaced;
    }
  }
  return out;
}

CodePoint code_point_at(std::string_view text, size_t at) {
  auto next = static_cast<int32_t>(at);
  const UChar32 value = next_code_point(text, next);
  return {value < 0 ? -1 : value, static_cast<size_t>(next) - at};
}

bool is_white_space(int32_t code_point) { return code_point >= 0 && u_isUWhiteSpace(code_point) != 0; }

std::string_view strip(std::string_view text) {
  int32_t begin = 0;
  for (int32_t at = 0; at < static_cast<int32_t>(text.size()); begin = at) {
    if (!u_isUWhiteSpace(next_code_point(text, at))) break;
  }
  int32_t end = static_cast<int32_t>(text.size());
  for (int32_t at = end; at > begin; end = at) {
    UChar32 c;
    U8_PREV(text.data(), begin, at, c);
    if (!u_isUWhiteSpace(c)) break;
  }
  return text.substr(begin, end - begin);
}

bool is_blank(std::string_view text) { return strip(text).empty(); }

size_t count_code_points(std::string_view text) {
  size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

}  // namespace nmt
