#include "translate/input_format.h"

#include <spdlog/fmt/fmt.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "config/json_source.h"
#include "config/json_syntax_error.h"

namespace nmt {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kFormatNames = {"text", "tsv", "jsonl"};

LineRequest parse_tsv(const std::string& line) {
  std::vector<std::string> columns = split(line, '\t');
  LineRequest request;
  request.text = std::move(columns[0]);
  if (columns.size() > 1) request.target_prefix = std::move(columns[1]);
  for (size_t i = 2; i < columns.size(); ++i) request.constraints.push_back(std::move(columns[i]));
  return request;
}

// Where the string that begins at `at` ends.
size_t end_of_string(std::string_view json, size_t at) {
  for (++at; json[at] != '"'; ++at) at += json[at] == '\\' ? 1 : 0;
  return at + 1;
}

// What stands for a key of a well-formed object, as it is written: parsed, a long number would lose digits.
std::string raw_value_of(std::string_view object, const std::string& wanted) {
  std::string_view key;
  size_t begin = 0;  // of the value; 0 before the colon
  int depth = 0;
  for (size_t at = 0; at < object.size(); ++at) {
    const char c = object[at];
    if (c == '"') {
      const size_t end = end_of_string(object, at);
      if (depth == 1 && begin == 0) key = object.substr(at, end - at);
      at = end - 1;
      continue;
    }
    if (depth == 1 && begin == 0 && c == ':') begin = at + 1;
    if (depth == 1 && begin > 0 && (c == ',' || c == '}')) {
      if (Json::parse(key) == wanted) return std::string(strip(object.substr(begin, at - begin)));
      begin = 0;
    }
    depth += c == '{' || c == '[' ? 1 : 0;
    depth -= c == '}' || c == ']' ? 1 : 0;
  }
  throw InternalError("The key " + wanted + " isn't there.");
}

// Reads one line of JSON Lines; messages begin with its place.
class ObjectReader {
 public:
  ObjectReader(const std::string& line, std::string place) : line_(line), place_(std::move(place)) {}

  LineRequest read() const {
    const Json object = parse();
    if (!object.is_object()) fail("expected an object as {\"text\": \"...\"}, found " + describe_json(object));
    LineRequest request;
    bool has_text = false;
    for (const auto& [key, value] : object.items()) {
      if (key == "text") {
        request.text = text_of(key, value);
        has_text = true;
      } else if (key == "prefix") {
        if (!value.is_null()) request.target_prefix = text_of(key, value);
      } else if (key == "constraints") {
        if (!value.is_null()) request.constraints = texts_of(key, value);
      } else if (key == "id") {
        request.id = raw_value_of(line_, key);
      } else if (!key.starts_with('_')) {
        const std::vector<std::string> known = {"text", "prefix", "constraints", "id"};
        fail("unknown key '" + key + "'; there are " + join(known, ", ") + ", and names of your own begin with _." +
             did_you_mean(key, known));
      }
    }
    if (!has_text) fail("the key text, what is to be translated, is missing");
    return request;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    const bool whole = problem.ends_with('.') || problem.ends_with('?');
    throw DataError(place_ + problem + (whole ? "" : "."));
  }

  Json parse() const {
    if (const size_t bad = find_invalid_utf8(line_); bad != std::string::npos) {
      fail(fmt::format("byte 0x{:02x} at {} is not UTF-8", static_cast<unsigned char>(line_[bad]), column(bad)));
    }
    std::set<std::string> keys;
    const auto refuse_twice = [&](int depth, Json::parse_event_t event, Json& parsed) {
      if (event == Json::parse_event_t::key && depth == 1 && !keys.insert(parsed.get<std::string>()).second) {
        fail("the key " + parsed.get<std::string>() + " is given twice");
      }
      return true;
    };
    try {
      return Json::parse(line_, refuse_twice);
    } catch (const Json::out_of_range&) {
      fail("a number is too large.");
    } catch (const Json::parse_error& error) {
      if (error.byte > line_.size()) fail("the line ends before its JSON does");
      const SyntaxError found = describe_syntax_error(line_, error.byte, "", error.what());
      fail(column(found.offset) + ": " + found.message);
    }
  }

  std::string column(size_t byte) const {
    return "column " + std::to_string(count_code_points(std::string_view(line_).substr(0, byte)) + 1);
  }

  std::string text_of(const std::string& key, const Json& value) const {
    if (!value.is_string()) fail(key + ": expected a string, found " + describe_json(value));
    return value.get<std::string>();
  }

  std::vector<std::string> texts_of(const std::string& key, const Json& value) const {
    if (!value.is_array()) fail(key + ": expected a list of strings, found " + describe_json(value));
    std::vector<std::string> texts;
    for (const Json& one : value) texts.push_back(text_of(key, one));
    return texts;
  }

  const std::string& line_;
  std::string place_;  // "in.jsonl:3: "
};

}  // namespace

InputFormat parse_input_format(const std::string& word) {
  for (size_t i = 0; i < kFormatNames.size(); ++i) {
    if (word == kFormatNames[i]) return static_cast<InputFormat>(i);
  }
  const std::vector<std::string> names(kFormatNames.begin(), kFormatNames.end());
  throw UsageError("There is no input format '" + word + "'; there are " + join(names, ", ") + "." +
                   did_you_mean(word, names));
}

LineRequest parse_line(const std::string& line, int64_t number, InputFormat format, const std::string& input) {
  LineRequest request;
  if (format == InputFormat::kTsv) {
    request = parse_tsv(line);
  } else if (format == InputFormat::kJsonl && !is_blank(line)) {
    request = ObjectReader(line, input + ":" + std::to_string(number) + ": ").read();
  } else {
    request.text = line;
  }
  if (request.constraints.size() > kMostConstraints) {
    throw DataError(input + ":" + std::to_string(number) + ": the line has " +
                    with_thousands(static_cast<int64_t>(request.constraints.size())) + " constraints; at most " +
                    std::to_string(kMostConstraints) + " are possible.");
  }
  request.number = static_cast<uint64_t>(number);
  return request;
}

}  // namespace nmt
