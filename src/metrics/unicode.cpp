#include "metrics/unicode.h"

#include <unicode/ucasemap.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <memory>

#include "base/error.h"

namespace nmt::metrics {

namespace {

bool is_ascii_space(unsigned char c) { return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20); }

// White space of two or three bytes.
size_t wide_space_bytes(std::string_view text, size_t at) {
  const auto byte = [&](size_t k) { return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0u; };
  switch (byte(0)) {
    case 0xC2: return byte(1) == 0x85 || byte(1) == 0xA0 ? 2 : 0;
    case 0xE1: return byte(1) == 0x9A && byte(2) == 0x80 ? 3 : 0;
    case 0xE2:
      if (byte(1) == 0x81) return byte(2) == 0x9F ? 3 : 0;
      if (byte(1) != 0x80) return 0;
      return (byte(2) >= 0x80 && byte(2) <= 0x8A) || byte(2) == 0xA8 || byte(2) == 0xA9 || byte(2) == 0xAF ? 3 : 0;
    case 0xE3: return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0;
    default: return 0;
  }
}

std::string lower_with_icu(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UCaseMap, decltype(&ucasemap_close)> map(ucasemap_open("", 0, &status), &ucasemap_close);
  std::string out(text.size() + 16, '\0');
  for (;;) {
    const int32_t length = ucasemap_utf8ToLower(map.get(), out.data(), static_cast<int32_t>(out.size()), text.data(),
                                                static_cast<int32_t>(text.size()), &status);
    if (status != U_BUFFER_OVERFLOW_ERROR) {
      if (U_FAILURE(status)) throw InternalError(std::string("ICU can't lower-case a line: ") + u_errorName(status));
      out.resize(static_cast<size_t>(length));
      return out;
    }
    status = U_ZERO_ERROR;
    out.resize(static_cast<size_t>(length));
  }
}

}  // namespace

size_t space_bytes(std::string_view text, size_t at) {
  const auto c = static_cast<unsigned char>(text[at]);
  if (c < 0x80) return is_ascii_space(c) ? 1 : 0;
  return wide_space_bytes(text, at);
}

char32_t next_code_point(std::string_view text, size_t& at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) {
    ++at;
    return first;
  }
  UChar32 c;
  U8_NEXT_OR_FFFD(text.data(), at, text.size(), c);
  return static_cast<char32_t>(c);
}

std::string_view rstrip_spaces(std::string_view text) {
  size_t end = text.size();
  while (end > 0) {
    size_t start = end - 1;
    while (start > 0 && end - start < 3 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
    if (space_bytes(text, start) != end - start) break;
    end = start;
  }
  return text.substr(0, end);
}

std::string_view strip_spaces(std::string_view text) {
  text = rstrip_spaces(text);
  size_t at = 0;
  for (size_t space; at < text.size() && (space = space_bytes(text, at)) > 0;) at += space;
  return text.substr(at);
}

std::string to_lower(std::string_view text) {
  if (!std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    return lower_with_icu(text);
  }
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return out;
}

CharClass char_class(char32_t c) {
  const uint32_t mask = U_MASK(u_charType(static_cast<UChar32>(c)));
  if (mask & U_GC_N_MASK) return CharClass::kNumber;
  if (mask & U_GC_P_MASK) return CharClass::kPunctuation;
  if (mask & U_GC_S_MASK) return CharClass::kSymbol;
  return CharClass::kOther;
}

}  // namespace nmt::metrics
