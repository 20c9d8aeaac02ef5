#include "text/normalize.h"

#include <unicode/bytestream.h>
#include <unicode/edits.h>
#include <unicode/normalizer2.h>

#include <algorithm>
#include <numeric>

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

std::string unicode_form(std::string_view text, Normalization form, icu::Edits* edits = nullptr) {
  if (form == Normalization::kNone || is_ascii(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  icu::StringByteSink<std::string> sink(&out);
  UErrorCode code = U_ZERO_ERROR;
  normalizer_of(form).normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())), sink, edits,
                                    code);
  if (U_FAILURE(code)) throw InternalError(std::string("ICU can't normalise a line: ") + u_errorName(code));
  return out;
}

// Where each byte of a text that the edits made, and its end, comes from.
std::vector<size_t> origins(const icu::Edits& edits, size_t source_bytes) {
  std::vector<size_t> from;
  UErrorCode code = U_ZERO_ERROR;
  for (icu::Edits::Iterator part = edits.getFineIterator(); part.next(code) != 0;) {
    const auto begin = static_cast<size_t>(part.sourceIndex());
    for (int32_t i = 0; i < part.newLength(); ++i) {
      from.push_back(part.hasChange() != 0 ? begin : begin + static_cast<size_t>(i));
    }
  }
  if (U_FAILURE(code)) throw InternalError(std::string("ICU can't trace a line: ") + u_errorName(code));
  from.push_back(source_bytes);
  return from;
}

std::vector<size_t> count_up(size_t begin, size_t count) {
  std::vector<size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), begin);
  return numbers;
}

}  // namespace

TracedText normalize_traced(std::string_view text, Normalization form) {
  const std::string_view given = strip(text);
  icu::Edits edits;
  const std::string whole = unicode_form(given, form, &edits);
  std::vector<size_t> from = whole == given ? count_up(0, given.size() + 1) : origins(edits, given.size());
  const std::string_view kept = strip(whole);
  const auto skipped = static_cast<size_t>(kept.data() - whole.data());
  TracedText traced;
  traced.text = kept;
  for (size_t i = 0; i <= kept.size(); ++i) {
    traced.origin.push_back(from.at(skipped + i) + static_cast<size_t>(given.data() - text.data()));
  }
  return traced;
}

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
