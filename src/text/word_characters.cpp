#include "text/word_characters.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include "base/utf8.h"

namespace nmt {

namespace {

bool divides_words_by_blanks(UScriptCode script) {
  switch (script) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR: return false;
    default: return true;
  }
}

}  // namespace

bool joins_words(int32_t code_point) {
  if (code_point < 0) return false;
  constexpr uint32_t kMarks = U_GC_M_MASK;
  const bool in_word = u_isalnum(code_point) || (U_GET_GC_MASK(code_point) & kMarks) != 0;
  if (!in_word) return false;
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(code_point, &status);
  return U_FAILURE(status) || divides_words_by_blanks(script);
}

std::string capitalized(std::string_view text) {
  if (text.empty()) return {};
  const CodePoint first = code_point_at(text, 0);
  if (first.value < 0) return std::string(text);
  char bytes[U8_MAX_LENGTH];
  int32_t size = 0;
  U8_APPEND_UNSAFE(bytes, size, u_totitle(first.value));
  return std::string(bytes, static_cast<size_t>(size)).append(text.substr(first.bytes));
}

}  // namespace nmt
