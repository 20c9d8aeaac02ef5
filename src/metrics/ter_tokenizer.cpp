#include "metrics/ter_tokenizer.h"

#include "metrics/unicode.h"
#include "metrics/western_split.h"

namespace nmt::metrics {

namespace {

bool in(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

bool is_asian_punctuation(char32_t c) {
  return c == 0x3001 || c == 0x3002 || in(c, 0x3008, 0x3011) || in(c, 0x3014, 0x301F) || in(c, 0xFF61, 0xFF65) ||
         c == 0x30FB;
}

bool is_full_width_punctuation(char32_t c) {
  return c == 0xFF0E || c == 0xFF0C || c == 0xFF1F || c == 0xFF1A || c == 0xFF1B || in(c, 0xFF01, 0xFF02) ||
         in(c, 0xFF08, 0xFF09);
}

// Characters that are words of their own with asian_support. Enclosed letters begin at U+3200 and reach into Extension
// A (U+3F22), as in sacreBLEU. Its rules for kana want the line to begin with them, which it never does, as a space has
// been put there: kana stay together.
bool is_asian_word(char32_t c) {
  return in(c, 0x4E00, 0x9FFF) || in(c, 0x3400, 0x4DBF) || in(c, 0x31C0, 0x31EF) || in(c, 0x2E80, 0x2EFF) ||
         in(c, 0x3300, 0x33FF) || in(c, 0xF900, 0xFAFF) || in(c, 0xFE30, 0xFE4F) || in(c, 0x3200, 0x3F22) ||
         is_asian_punctuation(c) || is_full_width_punctuation(c);
}

bool is_western_punctuation(char32_t c) {
  return c < 0x80 && std::string_view(".,?:;!\"()").find(static_cast<char>(c)) != std::string_view::npos;
}

}  // namespace

const std::vector<std::string_view>& TerWords::tokenize(std::string_view line) {
  words_.clear();
  line = rstrip_spaces(line);
  if (!options_.case_sensitive) {
    lowered_ = to_lower(line);
    line = lowered_;
  }
  if (options_.normalized) {
    if (line.find('&') != std::string_view::npos) {
      unescaped_ = unescape_entities(line);
      line = unescaped_;
    }
    const WesternRules rules = {
        .padded = true, .possessive = true, .isolated = options_.asian_support ? &is_asian_word : nullptr};
    split_western(line, rules, words_);
  } else {
    split_spaces(line, words_);
  }
  if (options_.no_punctuation) remove_punctuation();
  return words_;
}

const std::vector<std::string_view>& TerWords::tokenize_reference(std::string_view line) {
  tokenize(line);
  if (!options_.normalized) return words_;  // a second pass wouldn't change anything
  joined_.clear();
  for (const std::string_view word : words_) joined_.append(joined_.empty() ? "" : " ").append(word);
  return tokenize(joined_);
}

void TerWords::remove_punctuation() {
  size_t bytes = 0;
  for (const std::string_view word : words_) bytes += word.size();
  stripped_.clear();
  stripped_.reserve(bytes);  // so that views into it stay good
  size_t kept = 0;
  for (const std::string_view word : words_) {
    const size_t begin = stripped_.size();
    for (size_t at = 0; at < word.size();) {
      const size_t start = at;
      const char32_t c = next_code_point(word, at);
      const bool is_asian = options_.asian_support && (is_asian_punctuation(c) || is_full_width_punctuation(c));
      if (!is_western_punctuation(c) && !is_asian) stripped_ += word.substr(start, at - start);
    }
    if (stripped_.size() > begin) words_[kept++] = std::string_view(stripped_).substr(begin);
  }
  words_.resize(kept);
}

}  // namespace nmt::metrics
