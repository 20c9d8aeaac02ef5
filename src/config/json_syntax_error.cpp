#include "config/json_syntax_error.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "base/utf8.h"

namespace nmt {

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '+' || c == '.';
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

size_t word_begin(std::string_view text, size_t offset) {
  while (offset > 0 && is_word(text[offset - 1])) --offset;
  return offset;
}

// The bare word from `begin` on, as True, NaN or an unquoted key.
std::string_view word_from(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(begin, end - begin);
}

// The last character before `offset` that is no white space; 0 where there is none. Comments aren't skipped: after
// one, the general sentence is used.
char last_before(std::string_view text, size_t offset) {
  while (offset > 0) {
    const char c = text[--offset];
    if (!std::isspace(static_cast<unsigned char>(c))) return c;
  }
  return 0;
}

bool is_plain_number(std::string_view word) {
  const bool digits = std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
  return digits && (word.size() == 1 || word[0] != '0');
}

std::string about_word(std::string_view word) {
  for (const std::string_view foreign : {"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf", "-NaN"}) {
    if (word == foreign) return fmt::format("'{}' is no JSON value; numbers are finite.", word);
  }
  for (const auto& [foreign, ours] : {std::pair{"True", "true"}, {"False", "false"}, {"None", "null"}}) {
    if (word == foreign) return fmt::format("'{}' is no JSON value; write {}.", word, ours);
  }
  const bool number =
      std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '-' || word[0] == '+' || word[0] == '.';
  if (number && !is_plain_number(word)) return fmt::format("'{}' is no JSON number.", word);
  if (number) return fmt::format("'{}' has no place here.", word);
  return fmt::format("'{}' needs double quotes: keys and texts stand in them.", word);
}

std::string about_character(std::string_view text, size_t offset) {
  const char c = text[offset];
  if (c == '\'') return "texts and keys stand in double quotes, not single ones.";
  if ((c == '}' || c == ']') && last_before(text, offset) == ',')
    return fmt::format("a comma before '{}'; remove it.", c);
  if (static_cast<unsigned char>(c) >= 0x80) return "a character that has no place outside of a text.";
  return fmt::format("'{}' has no place here.", c);
}

// The parser stops after half a character (as "\ud800"), or at what follows it in place of the other half.
SyntaxError about_half_character(std::string_view text, size_t offset) {
  const auto is_half = [&](size_t at) {
    return at + 3 < text.size() && std::tolower(static_cast<unsigned char>(text[at + 2])) == 'd' &&
           std::tolower(static_cast<unsigned char>(text[at + 3])) >= '8';
  };
  size_t at = text.rfind("\\u", offset);
  if (at != std::string_view::npos && !is_half(at)) at = text.rfind("\\u", at - 1);
  if (at == std::string_view::npos) return {offset, "an escape stands for half a character only."};
  return {at, fmt::format("{} is half of a character (a surrogate): one of D800 to DBFF and one of DC00 to DFFF belong "
                          "together, as in \\ud83d\\ude00.",
                          text.substr(at, 6))};
}

}  // namespace

std::string line_and_column(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const size_t newline = before.rfind('\n');
  const std::string_view in_line = newline == std::string_view::npos ? before : before.substr(newline + 1);
  return fmt::format("{}:{}", std::count(before.begin(), before.end(), '\n') + 1, count_code_points(in_line) + 1);
}

SyntaxError describe_syntax_error(std::string_view text, size_t position, std::string_view token,
                                  std::string_view parser_message) {
  if (is_blank(text)) return {0, "the file is empty; expected an object in braces."};
  if (position > text.size()) {
    return {text.size(), "the file ends too early; a closing brace, bracket, quote or comment end is missing."};
  }
  const size_t offset = position == 0 ? 0 : position - 1;
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (!contains("{[/", text.substr(first, 1))) return {first, "this is no JSON; expected an object in braces."};
  if (contains(parser_message, "invalid string")) {
    if (contains(parser_message, "surrogate")) return about_half_character(text, offset);
    if (text[offset] == '\n' || text[offset] == '\r') return {offset, "a text ends before its closing double quote."};
    return {offset, "a text holds a control character or an escape that JSON doesn't know."};
  }
  if (contains(parser_message, "invalid comment")) {
    return {offset - 1, "a comment begins with // or stands between /* and */."};
  }
  if (contains(parser_message, "invalid number") || contains(parser_message, "number overflow")) {
    const size_t begin = word_begin(text, offset);
    const bool overflow = contains(parser_message, "number overflow");
    return {begin, overflow ? fmt::format("the number {} is too large.", word_from(text, begin))
                            : about_word(word_from(text, begin))};
  }
  if (text[offset] == '"' && token.size() >= 2 && token.size() <= position) {
    return {position - token.size(), "a comma (or a colon, after a key) is missing before this text."};
  }
  if (is_word(text[offset])) {
    const size_t begin = word_begin(text, offset);
    return {begin, about_word(word_from(text, begin))};
  }
  return {offset, about_character(text, offset)};
}

}  // namespace nmt
