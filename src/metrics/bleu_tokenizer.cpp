#include "metrics/bleu_tokenizer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "base/strings.h"
#include "metrics/unicode.h"
#include "metrics/western_split.h"

namespace nmt::metrics {

namespace {

constexpr std::array<std::pair<BleuTokenizer, const char*>, 5> kNames = {{{BleuTokenizer::k13a, "13a"},
                                                                          {BleuTokenizer::kIntl, "intl"},
                                                                          {BleuTokenizer::kChar, "char"},
                                                                          {BleuTokenizer::kNone, "none"},
                                                                          {BleuTokenizer::kZh, "zh"}}};

constexpr std::array<const char*, 6> kNeedsModel = {"ja-mecab",  "ko-mecab",  "spm",
                                                    "flores101", "flores200", "spBLEU-1K"};

struct CodePointRange {
  char32_t first, last;
};

// What the tokenizer zh takes for Chinese. The script meant its 7th and 8th range to be U+20000-2A6D6 and
// U+2F800-2FA1D, but wrote them with four-digit escapes, which makes them U+2001-2A6D and U+2F81-2FA1: general
// punctuation, arrows and mathematical signs count as Chinese and the supplementary ideographs do not. Scores have
// been published with it, so it stays.
constexpr std::array<CodePointRange, 22> kChinese = {
    {{0x3400, 0x4DB5}, {0x4E00, 0x9FA5}, {0x9FA6, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9},
     {0x2001, 0x2A6D}, {0x2F81, 0x2FA1}, {0xFF00, 0xFFEF}, {0x2E80, 0x2EFF}, {0x3000, 0x303F}, {0x31C0, 0x31EF},
     {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F},
     {0x2600, 0x26FF}, {0x2700, 0x27BF}, {0x3200, 0x32FF}, {0x3300, 0x33FF}}};

bool is_chinese(char32_t c) {
  return std::any_of(kChinese.begin(), kChinese.end(),
                     [c](const CodePointRange& range) { return c >= range.first && c <= range.last; });
}

}  // namespace

const char* tokenizer_name(BleuTokenizer tokenizer) {
  for (const auto& [value, name] : kNames) {
    if (value == tokenizer) return name;
  }
  throw InternalError("unnamed BLEU tokenizer");
}

BleuTokenizer parse_tokenizer(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [value, text] : kNames) {
    if (name == text) return value;
    known.emplace_back(text);
  }
  const std::string supported = join(known, ", ");
  if (std::find(kNeedsModel.begin(), kNeedsModel.end(), name) != kNeedsModel.end()) {
    throw UsageError("The BLEU tokenizer '" + std::string(name) +
                     "' needs a dictionary or model file and isn't supported; supported are " + supported +
                     " ('char' and chrF need no words).");
  }
  throw UsageError("Unknown BLEU tokenizer '" + std::string(name) + "'; supported are " + supported + "." +
                   did_you_mean(name, known));
}

const std::vector<std::string_view>& BleuWords::tokenize(std::string_view line) {
  words_.clear();
  if (lowercase_) {
    lowered_ = to_lower(line);
    line = lowered_;
  }
  line = rstrip_spaces(line);
  switch (tokenizer_) {
    case BleuTokenizer::k13a: tokenize_13a(line); break;
    case BleuTokenizer::kIntl: tokenize_intl(line); break;
    case BleuTokenizer::kChar: tokenize_char(line); break;
    case BleuTokenizer::kNone: split_spaces(line, words_); break;
    case BleuTokenizer::kZh: tokenize_zh(line); break;
  }
  return words_;
}

void BleuWords::tokenize_13a(std::string_view line) {
  const bool has_mark = line.find("<skipped>") != std::string_view::npos;
  const bool has_entity = line.find('&') != std::string_view::npos;
  if (has_mark || has_entity) {
    unescaped_ = replace_all(line, "<skipped>", "");
    if (has_entity) unescaped_ = unescape_entities(unescaped_);
    line = unescaped_;
  }
  split_western(line, {.padded = true}, words_);
}

// The script's three substitutions in one pass:
//   1. punctuation behind anything but a number is a word (with the character before used up, as in split_western);
//   2. punctuation before anything but a number is a word;
//   3. a symbol is a word.
// At the line's ends nothing stands before or behind, so that rules 1 and 2 don't apply there.
void BleuWords::tokenize_intl(std::string_view line) {
  size_t begin = 0;
  bool can_split = false;  // rule 1 may apply: a character stands before that is no number and isn't used up
  size_t at = 0;
  size_t next = 0;
  CharClass kind = CharClass::kOther;
  if (!line.empty()) kind = char_class(next_code_point(line, next));
  for (; at < line.size();) {
    const size_t end = next;
    const bool at_end = end == line.size();
    const CharClass next_kind = at_end ? CharClass::kNumber : char_class(next_code_point(line, next));
    const bool is_space = space_bytes(line, at) > 0;
    const bool rule1 = kind == CharClass::kPunctuation && can_split;
    const bool rule2 = kind == CharClass::kPunctuation && !at_end && next_kind != CharClass::kNumber;
    if (is_space || rule1 || rule2 || kind == CharClass::kSymbol) {
      if (begin < at) words_.push_back(line.substr(begin, at - begin));
      if (!is_space) words_.push_back(line.substr(at, end - at));
      begin = end;
    }
    can_split = kind != CharClass::kNumber && !rule1;
    at = end;
    kind = next_kind;
  }
  if (begin < line.size()) words_.push_back(line.substr(begin));
}

void BleuWords::tokenize_char(std::string_view line) {
  for (size_t at = 0; at < line.size();) {
    const size_t begin = at;
    next_code_point(line, at);
    if (space_bytes(line, begin) == 0) words_.push_back(line.substr(begin, at - begin));
  }
}

void BleuWords::tokenize_zh(std::string_view line) {
  split_western(strip_spaces(line), {.padded = false, .isolated = &is_chinese}, words_);
}

}  // namespace nmt::metrics
