#include "config/reader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/utf8.h"

namespace nmt {

namespace {

using Json = nlohmann::ordered_json;

std::string found(const Json& value) { return ", found " + describe_json(value) + "."; }

// The value where it is a whole number that int64 holds exactly; 3.0 and 1e6 are whole numbers too.
std::optional<int64_t> whole_number(const Json& value) {
  if (value.is_number_unsigned()) {
    const uint64_t number = value.get<uint64_t>();
    if (number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
    return static_cast<int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  constexpr double kExactBelow = 9007199254740992.0;  // 2^53
  const double number = value.get<double>();
  if (std::trunc(number) != number || std::abs(number) > kExactBelow) return std::nullopt;
  return static_cast<int64_t>(number);
}

}  // namespace

std::string report(std::vector<Violation> violations) {
  std::stable_sort(violations.begin(), violations.end(),
                   [](const Violation& a, const Violation& b) { return a.line < b.line; });
  std::vector<std::string> texts;
  texts.reserve(violations.size());
  for (const Violation& violation : violations) texts.push_back(violation.text);
  return join(texts, "\n");
}

void ReadContext::add(const std::string& path, const std::string& what) {
  broken.insert(path);
  add_sentence(path, path + ": " + what);
}

void ReadContext::add_sentence(const std::string& path, const std::string& sentence) {
  if (overridden.contains(path)) {
    violations.push_back({std::numeric_limits<int>::max(), "--set " + sentence});
    return;
  }
  const auto at = lines.find(path);
  const std::string line = at == lines.end() ? "" : ":" + std::to_string(at->second);
  violations.push_back({at == lines.end() ? 0 : at->second, origin + line + ": " + sentence});
}

void read_value(ReadContext& context, const std::string& path, const Json& value, const Range& range, bool& member) {
  if (!value.is_boolean()) {
    context.add(path, "expected " + describe_values(member, range) + found(value));
    return;
  }
  member = value.get<bool>();
}

void read_value(ReadContext& context, const std::string& path, const Json& value, const Range& range, int64_t& member) {
  const std::optional<int64_t> number = whole_number(value);
  if (!number || !in_range(static_cast<double>(*number), range)) {
    context.add(path, "expected " + describe_values(member, range) + found(value));
    return;
  }
  member = *number;
}

void read_value(ReadContext& context, const std::string& path, const Json& value, const Range& range, double& member) {
  if (!value.is_number() || !in_range(value.get<double>(), range)) {
    context.add(path, "expected " + describe_values(member, range) + found(value));
    return;
  }
  member = value.get<double>() + 0.0;  // -0 becomes 0
}

void read_value(ReadContext& context, const std::string& path, const Json& value, const Range& range,
                AutoSize& member) {
  if (value == "auto") {
    member.value = 0;
    return;
  }
  const std::optional<int64_t> number = whole_number(value);
  if (!number || !in_range(static_cast<double>(*number), range)) {
    context.add(path, "expected " + describe_values(member, range) + found(value));
    return;
  }
  member.value = *number;
}

void read_value(ReadContext& context, const std::string& path, const Json& value, const Range& range,
                PathField& member) {
  if (!value.is_string() || value.get_ref<const std::string&>().find('\0') != std::string::npos) {
    context.add(path, "expected " + describe_values(member, range) + found(value));
    return;
  }
  const std::string given = value.get<std::string>();
  const std::filesystem::path base = context.overridden.contains(path) ? "" : context.base_directory;
  const std::string resolved = given.empty() ? "" : std::filesystem::absolute(base / given).lexically_normal().string();
  if (find_invalid_utf8(resolved) != std::string::npos) {
    context.add(path, "the path is in a folder whose name is not UTF-8.");
    return;
  }
  member.value = resolved;
}

int64_t read_name(ReadContext& context, const std::string& path, const Json& value,
                  const std::vector<std::string>& names) {
  const std::string name = value.is_string() ? value.get<std::string>() : "";
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return at - names.begin();
  context.add(path, "expected one of " + join(names, ", ") + found(value) + did_you_mean(name, names));
  return -1;
}

void Reader::finish() {
  for (const auto& [key, value] : object_.items()) {
    if (known_.contains(key)) continue;
    const std::string path = prefix_ + key;
    const KeyCatalog& catalog = KeyCatalog::of_config();
    if (catalog.has(path) && key.find('.') != std::string::npos) {
      context_.add(path, "unknown key; in the file a section is an object: \"" + section_of(path) + "\": {\"" +
                             name_in_section(path) + "\": ...}.");
      continue;
    }
    if (catalog.has(path)) {
      context_.add(path, "has no place in a model's configuration.");
      continue;
    }
    context_.add(path, "unknown key" + catalog.hint(path));
    context_.broken.insert(catalog.nearest_path(path));
  }
}

}  // namespace nmt
