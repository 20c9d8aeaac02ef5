#include "config/json_source.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/shorten.h"
#include "base/utf8.h"
#include "config/json_syntax_error.h"

namespace nmt {

namespace {

constexpr size_t kMaxDepth = 32;

// Walks over a text and tells how far its reader has come.
class TrackedIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackedIterator(const char* at, const char** read_up_to) : at_(at), read_up_to_(read_up_to) {}
  reference operator*() const { return *at_; }
  TrackedIterator& operator++() {
    *read_up_to_ = ++at_;
    return *this;
  }
  TrackedIterator operator++(int) {
    TrackedIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const TrackedIterator& other) const { return at_ == other.at_; }
  bool operator!=(const TrackedIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** read_up_to_;
};

// Listens to the parser, notes the line of each key, and refuses duplicates and depth.
class KeyTracker {
 public:
  KeyTracker(const std::string& text, const std::string& origin, JsonSource& out)
      : text_(text), origin_(origin), out_(out), read_up_to_(text.data()), counted_up_to_(text.data()) {}

  TrackedIterator begin() { return {text_.data(), &read_up_to_}; }
  TrackedIterator end() { return {text_.data() + text_.size(), &read_up_to_}; }
  const std::string& error() const { return error_; }

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(int64_t) { return true; }
  bool number_unsigned(uint64_t) { return true; }
  bool number_float(double, const std::string&) { return true; }
  bool string(std::string&) { return true; }
  bool binary(nlohmann::json::binary_t&) { return true; }
  bool start_object(size_t) { return open(); }
  bool end_object() { return close(); }
  bool start_array(size_t) { return open(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    Level& level = levels_.back();
    level.key = level.prefix + name;
    const int line = current_line();
    const auto [first, is_new] = out_.lines.emplace(level.key, line);
    if (!is_new) {
      out_.duplicates.push_back(
          {line, fmt::format("{}:{}: {}: given twice, first in line {}.", origin_, line, level.key, first->second)});
    }
    return true;
  }

  bool parse_error(size_t position, const std::string& token, const nlohmann::detail::exception& problem) {
    const SyntaxError found = complete_ ? SyntaxError{position - 1, "more text after the end of the configuration."}
                                        : describe_syntax_error(text_, position, token, problem.what());
    error_ = locate(found.offset) + found.message;
    return false;
  }

 private:
  struct Level {
    std::string prefix;  // of the keys at this level, as "train.optimizer."
    std::string key;     // being read
  };

  bool open() {
    if (levels_.size() == kMaxDepth) {
      error_ = locate(static_cast<size_t>(read_up_to_ - text_.data()) - 1) +
               fmt::format("nested more than {} levels deep.", kMaxDepth);
      return false;
    }
    levels_.push_back({levels_.empty() ? "" : levels_.back().key + ".", ""});
    return true;
  }
  bool close() {
    levels_.pop_back();
    complete_ = levels_.empty();
    return true;
  }

  int current_line() {
    line_ += static_cast<int>(std::count(counted_up_to_, read_up_to_, '\n'));
    counted_up_to_ = read_up_to_;
    return line_;
  }

  std::string locate(size_t offset) const { return origin_ + ":" + line_and_column(text_, offset) + ": "; }

  const std::string& text_;
  const std::string& origin_;
  JsonSource& out_;
  const char* read_up_to_;
  const char* counted_up_to_;
  int line_ = 1;
  std::vector<Level> levels_;
  bool complete_ = false;  // the outermost brace is closed
  std::string error_;
};

}  // namespace

std::string describe_json(const nlohmann::ordered_json& value) {
  if (value.is_string()) return "the string " + nlohmann::json(shortened(value.get<std::string>())).dump();
  if (value.is_number()) return "the number " + value.dump();
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  return value.dump();  // null, true, false
}

JsonSource parse_json_source(const std::string& text, const std::string& origin) {
  const size_t bad_byte = find_invalid_utf8(text);
  if (bad_byte != std::string::npos) {
    throw UsageError(fmt::format("{}:{}: byte 0x{:02x} is not UTF-8; save the file as UTF-8.", origin,
                                 line_and_column(text, bad_byte), static_cast<unsigned char>(text[bad_byte])));
  }
  JsonSource out;
  KeyTracker tracker(text, origin, out);
  constexpr bool kStrict = true, kIgnoreComments = true;
  if (!nlohmann::json::sax_parse(tracker.begin(), tracker.end(), &tracker, nlohmann::json::input_format_t::json,
                                 kStrict, kIgnoreComments)) {
    throw UsageError(tracker.error());
  }
  out.root = nlohmann::ordered_json::parse(text, nullptr, true, kIgnoreComments);
  if (!out.root.is_object()) {
    throw UsageError(origin + ": expected an object in braces, found " + describe_json(out.root) + ".");
  }
  return out;
}

}  // namespace nmt
