#include "translate/constraints_of_line.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/word_characters.h"

namespace nmt {

namespace {

int32_t last_code_point(std::string_view text) {
  size_t at = text.size();
  while (at > 0 && (static_cast<unsigned char>(text[--at]) & 0xC0) == 0x80) {
  }
  return text.empty() ? -1 : code_point_at(text, at).value;
}

}  // namespace

RequiredPhrase make_phrase(const Tokenizer& target, const std::string& text) {
  RequiredPhrase phrase;
  phrase.pieces = target.encode(text);
  if (std::count(phrase.pieces.begin(), phrase.pieces.end(), kUnkId) > 0) phrase.pieces.clear();
  if (phrase.pieces.empty()) return phrase;
  phrase.ends_word = joins_words(last_code_point(strip(text)));
  std::vector<PieceId> at_start = target.encode(capitalized(strip(text)));
  const bool known = std::count(at_start.begin(), at_start.end(), kUnkId) == 0;
  if (known && at_start != phrase.pieces) phrase.at_start = std::move(at_start);
  return phrase;
}

void give_constraints(const std::vector<std::string>& phrases, std::vector<TranslatedSegment>& segments) {
  if (segments.empty()) return;
  for (const std::string& phrase : phrases) {
    if (is_blank(phrase)) continue;
    const auto holds = [&](const TranslatedSegment& segment) {
      return segment.source.find(strip(phrase)) != std::string::npos;
    };
    auto segment = std::find_if(segments.begin(), segments.end(), holds);
    if (segment == segments.end()) segment = segments.begin();
    segment->constraints.push_back(phrase);
  }
}

}  // namespace nmt
