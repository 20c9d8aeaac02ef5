#include "translate/label_text.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

#include <memory>

#include "base/error.h"

namespace nmt {

namespace {

constexpr const char* kReplacement = "\uFFFD";
constexpr const char* kEllipsis = "\u2026";

double character_width(UChar32 c) {
  switch (u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH)) {
    case U_EA_WIDE:
    case U_EA_FULLWIDTH: return 1.3;
    default: break;
  }
  switch (u_charType(c)) {
    case U_NON_SPACING_MARK:
    case U_ENCLOSING_MARK:
    case U_FORMAT_CHAR: return 0;
    default: break;
  }
  if (c < 0x80 && std::string_view("fijlrt.,:;!'|()[] ").find(static_cast<char>(c)) != std::string_view::npos) {
    return 0.42;
  }
  if (c == 'm' || c == 'w' || c == 'M' || c == 'W' || c == '@' || c == '%') return 1.02;
  return u_isUUppercase(c) != 0 || c >= 0x250 ? 0.86 : 0.66;
}

}  // namespace

double label_width(std::string_view text) {
  double width = 0;
  const auto size = static_cast<int32_t>(text.size());
  for (int32_t at = 0; at < size;) {
    UChar32 c;
    U8_NEXT(text.data(), at, size, c);
    width += character_width(c);
  }
  return width;
}

std::string shorten_label(std::string_view text, double width) {
  if (label_width(text) <= width) return std::string(text);
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> characters(
      icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
  if (U_FAILURE(status)) throw InternalError(std::string("ICU's text segmentation fails: ") + u_errorName(status));
  UText* view = utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &status);
  characters->setText(view, status);
  const double room = width - label_width(kEllipsis);
  size_t end = 0;
  for (int32_t at = characters->next(); at != icu::BreakIterator::DONE; at = characters->next()) {
    if (label_width(text.substr(0, static_cast<size_t>(at))) > room) break;
    end = static_cast<size_t>(at);
  }
  utext_close(view);
  return std::string(text.substr(0, end)) + kEllipsis;
}

std::string escape_markup(std::string_view text) {
  std::string out;
  const auto size = static_cast<int32_t>(text.size());
  for (int32_t at = 0; at < size;) {
    const int32_t begin = at;
    UChar32 c;
    U8_NEXT(text.data(), at, size, c);
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      case '\t':
      case '\n':
      case '\r': out += ' '; break;
      default:
        if (c < 0x20 || c == 0x7F || (c >= 0x80 && c < 0xA0) || c == 0xFFFE || c == 0xFFFF) {
          out += kReplacement;
        } else {
          out += text.substr(static_cast<size_t>(begin), static_cast<size_t>(at - begin));
        }
    }
  }
  return out;
}

}  // namespace nmt
