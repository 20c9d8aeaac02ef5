#include "translate/unknown_words.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"

namespace nmt {

namespace {

bool is_letter_or_digit(int32_t c) {
  if (c < 0) return false;
  constexpr uint32_t kMarks = U_GC_M_MASK;
  return u_isalnum(c) != 0 || (U_MASK(u_charType(c)) & kMarks) != 0;
}

// Letters of scripts that write no blanks between words.
bool stands_alone(int32_t c) {
  if (c < 0) return false;
  switch (u_getIntPropertyValue(c, UCHAR_LINE_BREAK)) {
    case U_LB_IDEOGRAPHIC:
    case U_LB_COMPLEX_CONTEXT:
    case U_LB_CONDITIONAL_JAPANESE_STARTER:
    case U_LB_NONSTARTER: return true;
    default: return false;
  }
}

// A part of a decoded line and what comes in its place.
struct Edit {
  TextSpan part;
  std::string text;
};

// Makes the edits (in order, not overlapping) and moves the spans of the pieces with them.
void make_edits(const std::vector<Edit>& edits, DecodedLine& line) {
  std::string text;
  std::vector<TextSpan> made;  // of the edits
  size_t at = 0;
  for (const Edit& edit : edits) {
    text.append(line.text, at, edit.part.begin - at);
    made.push_back({text.size(), text.size() + edit.text.size()});
    text += edit.text;
    at = edit.part.end;
  }
  text.append(line.text, at);
  const auto moved = [&](size_t byte, bool is_end) {
    auto edit = std::partition_point(edits.begin(), edits.end(), [&](const Edit& one) { return one.part.end < byte; });
    if (!is_end && edit != edits.end() && edit->part.end == byte) ++edit;
    const auto index = static_cast<size_t>(edit - edits.begin());
    if (edit != edits.end() && byte >= edit->part.begin && (!is_end || byte > edit->part.begin)) {
      return is_end ? made[index].end : made[index].begin;
    }
    return index == 0 ? byte : byte - edits[index - 1].part.end + made[index - 1].end;
  };
  for (TextSpan& span : line.spans) {
    const size_t begin = moved(span.begin, false);
    span = {begin, span.begin == span.end ? begin : moved(span.end, true)};
  }
  line.text = std::move(text);
}

// A word of a decoded line that has unknown pieces.
struct UnknownWord {
  TextSpan part;
  std::vector<size_t> pieces;  // the unknown ones, by position in the hypothesis
};

std::vector<UnknownWord> unknown_words(const DecodedLine& line, const std::vector<PieceId>& pieces) {
  std::vector<UnknownWord> found;
  UnknownWord open;
  const auto close = [&](size_t at) {
    if (!open.pieces.empty()) found.push_back(open);
    open = {{at, at}, {}};
  };
  size_t next = 0;  // piece
  for (size_t at = 0; at < line.text.size();) {
    while (next < pieces.size() && (pieces[next] != kUnkId || line.spans[next].begin < at)) ++next;
    if (next < pieces.size() && line.spans[next].begin == at) {
      open.pieces.push_back(next);
      at = open.part.end = line.spans[next].end;
      ++next;
      continue;
    }
    const CodePoint here = code_point_at(line.text, at);
    at += here.bytes;
    if (is_letter_or_digit(here.value) && !stands_alone(here.value)) {
      open.part.end = at;
    } else {
      close(at);
    }
  }
  close(line.text.size());
  return found;
}

// A word without what isn't letter or digit at its ends; the whole word where it has none.
TextSpan core_of(std::string_view text, const TextSpan& word) {
  TextSpan core{word.end, word.end};
  for (size_t at = word.begin; at < word.end;) {
    const CodePoint here = code_point_at(text, at);
    if (is_letter_or_digit(here.value)) {
      core.begin = std::min(core.begin, at);
      core.end = at + here.bytes;
    }
    at += here.bytes;
  }
  return core.begin == word.end ? word : core;
}

bool writes_no_blanks(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const CodePoint here = code_point_at(text, at);
    if (stands_alone(here.value)) return true;
    at += here.bytes;
  }
  return false;
}

// What a word attends to, summed over its unknown pieces: [source pieces].
std::vector<float> attention_of(const UnknownWord& word, const Hypothesis& hypothesis, size_t source_pieces) {
  std::vector<float> sum(source_pieces);
  for (const size_t piece : word.pieces) {
    const std::vector<float>& row = hypothesis.attention.at(piece);
    for (size_t s = 0; s < source_pieces; ++s) sum[s] += row.at(s);
  }
  return sum;
}

std::string replacement_of(const std::vector<float>& attention, const UnknownStyle& style, const SourceWords& source) {
  const std::vector<double> weights = attention_on_words(attention, source.groups);
  if (weights.empty()) return style.text;
  const size_t number = most_attended(weights);
  const TextSpan& word = source.groups.words[number];
  TextSpan core = core_of(source.text, word);
  if (writes_no_blanks(part_of(source.text, core))) {
    size_t best = source.pieces.size();
    for (size_t s = 0; s < source.pieces.size(); ++s) {
      const WordRange& words = source.groups.of_piece[s];
      const bool has_text = !strip(part_of(source.text, source.pieces[s])).empty();
      if (!has_text || number < words.begin || number >= words.end) continue;
      if (best == source.pieces.size() || attention[s] > attention[best]) best = s;
    }
    if (best < source.pieces.size()) core = source.pieces[best];
  }
  const std::string_view copied = strip(part_of(source.text, core));
  if (style.dictionary != nullptr) {
    for (const std::string_view form : {part_of(source.text, word), copied}) {
      if (std::optional<std::string> known = style.dictionary->find(form)) return *known;
    }
  }
  return std::string(copied);
}

}  // namespace

void show_unknown(DecodedLine& line, const Hypothesis& hypothesis, const UnknownStyle& style) {
  std::vector<Edit> edits;
  for (size_t i = 0; i < hypothesis.pieces.size(); ++i) {
    if (hypothesis.pieces[i] == kUnkId) edits.push_back({line.spans.at(i), style.text});
  }
  if (!edits.empty()) make_edits(edits, line);
}

void replace_unknown(DecodedLine& line, const Hypothesis& hypothesis, const UnknownStyle& style,
                     const SourceWords& source) {
  std::vector<Edit> edits;
  for (const UnknownWord& word : unknown_words(line, hypothesis.pieces)) {
    const std::vector<float> attention = attention_of(word, hypothesis, source.pieces.size());
    edits.push_back({word.part, replacement_of(attention, style, source)});
  }
  if (!edits.empty()) make_edits(edits, line);
}

}  // namespace nmt
