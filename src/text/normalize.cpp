#include "text/normalize.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"

namespace nmt {

namespace {

const icu::Normalizer2& normalizer_of(Normalization form) {
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* found =
      form == Normalization::kNfkc ? icu::Normalizer2::getNFKCInstance(code) : icu::Normalizer2::getNFCInstance(code);
  if (U_FAILURE(code)) throw InternalError(std::string("ICU has no normalisation data: ") + u_errorName(code));
  return *found;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string unicode_form(std::string_view text, Normalization form) {
  if (form == Normalization::kNone || is_ascii(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  icu::StringByteSink<std::string> sink(&out);
  UErrorCode code = U_ZERO_ERROR;
  normalizer_of(form).normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())), sink, nullptr,
                                    code);
  if (U_FAILURE(code)) throw InternalError(std::string("ICU can't normalise a line: ") + u_errorName(code));
  return out;
}

}  // namespace

std::string normalize(std::string_view text, Normalization form) {
  std::string out = unicode_form(strip(text), form);
  const std::string_view kept = strip(out);  // NFKC turns some letters into forms that begin with a blank (U+00B4)
  return kept.size() == out.size() ? out : std::string(kept);
}

void Utf8Policy::apply(std::string& line, const std::string& file, int64_t line_number) {
  const size_t at = find_invalid_utf8(line);
  if (at == std::string_view::npos) return;
  if (on_invalid == InvalidUtf8::kError) {
    throw DataError(file + ":" + std::to_string(line_number) + ": the bytes from byte " + std::to_string(at + 1) +
                    " on are not UTF-8. Convert the file (iconv -f ENCODING -t UTF-8), or set text.invalid_utf8 to "
                    "\"replace\".");
  }
  size_t parts = 0;
  line = replace_invalid_utf8(line, &parts);
  replaced_parts += static_cast<int64_t>(parts);
  ++replaced_lines;
}

}  // namespace nmt
