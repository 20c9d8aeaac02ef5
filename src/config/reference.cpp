#include <nlohmann/json.hpp>

#include "config/config.h"
#include "config/describe.h"

namespace nmt {

namespace {

constexpr size_t kLineWidth = 110;

// The text as // lines of at most kLineWidth characters.
std::string comment(const std::string& text, const std::string& indent) {
  std::string out, line = indent + "//";
  for (const std::string& word : split(text, ' ')) {
    if (line.size() + 1 + word.size() > kLineWidth) {
      out += line + "\n";
      line = indent + "//";
    }
    line += " " + word;
  }
  return out + line + "\n";
}

template <class T>
std::string literal(const T& member) {
  if constexpr (std::is_enum_v<T>) {
    return "\"" + std::string(name_of(member)) + "\"";
  } else if constexpr (std::is_same_v<T, AutoSize>) {
    return member.is_auto() ? "\"auto\"" : std::to_string(member.value);
  } else if constexpr (std::is_same_v<T, PathField>) {
    return nlohmann::json(member.value).dump();
  } else {
    return nlohmann::json(member).dump();
  }
}

// The visitor that writes each key with its comment, its values and its default.
class ReferencePrinter {
 public:
  explicit ReferencePrinter(size_t depth) : indent_(2 * depth, ' ') {}

  template <class T>
  void operator()(const char* key, const T& member, const Range& range, const char* text) {
    begin();
    const std::string values = describe_values(member, range);
    const std::string fallback = std::is_same_v<T, PathField> ? "none" : literal(member);
    out_ += comment(std::string(text) + " [" + values + "; default " + fallback + "]", indent_);
    out_ += indent_ + "\"" + key + "\": " + literal(member);
  }
  template <class Section>
  void section(const char* key, const Section& part, const char* text) {
    begin();
    out_ += comment(text, indent_) + indent_ + "\"" + key + "\": {";
    ReferencePrinter inner(indent_.size() / 2 + 1);
    Section::fields(part, inner);
    out_ += inner.text() + "\n" + indent_ + "}";
  }
  const std::string& text() const { return out_; }

 private:
  void begin() { out_ += out_.empty() ? "\n" : ",\n"; }

  std::string indent_;
  std::string out_;
};

}  // namespace

std::string reference_config() {
  const Config defaults;
  ReferencePrinter printer(1);
  Config::fields(defaults, printer);
  return "// Every key of a configuration with what it means, what it may be and its default. A configuration needs "
         "only\n"
         "// the keys that differ, and always data.train and an end of training (train.max_updates, train.max_epochs,\n"
         "// train.max_minutes or valid.patience). Comments are allowed; relative paths are relative to this file.\n"
         "// Made by: nmt config show\n"
         "{" +
         printer.text() + "\n}\n";
}

}  // namespace nmt
