#include "config/overrides.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "base/error.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace nmt {

namespace {

using Json = nlohmann::ordered_json;

// Sets a value; an object given for a section sets its keys one by one.
void set_value(Json& member, const Json& value, const std::string& path, ReadContext& context) {
  if (!value.is_object() || !member.is_object() || !KeyCatalog::of_config().is_section(path)) {
    member = value;
    context.overridden.insert(path);
    return;
  }
  for (const auto& [key, inner] : value.items()) {
    const std::string inner_path = fmt::format("{}.{}", path, key);
    if (!member.contains(key)) member[key] = KeyCatalog::of_config().is_section(inner_path) ? Json::object() : Json();
    set_value(member[key], inner, inner_path, context);
  }
}

void apply_override(Json& root, const Override& override, ReadContext& context) {
  if (find_invalid_utf8(override.path + override.value) != std::string::npos) {
    context.violations.push_back({0, "--set: key and value must be UTF-8."});
    return;
  }
  constexpr int kMaxBrackets = 1000;  // JSON trees are copied recursively; no section needs more
  if (std::count_if(override.value.begin(), override.value.end(), [](char c) { return c == '{' || c == '['; }) >
      kMaxBrackets) {
    context.violations.push_back({0, "--set " + override.path + ": the value has too many brackets."});
    return;
  }
  Json value = Json::parse(override.value, nullptr, false);
  if (value.is_discarded()) value = override.value;

  Json* section = &root;
  std::string path;
  const std::vector<std::string> names = split(override.path, '.');
  for (size_t i = 0; i < names.size(); ++i) {
    path += (i > 0 ? "." : "") + names[i];
    const bool last = i + 1 == names.size();
    const KeyCatalog& catalog = KeyCatalog::of_config();
    if (!last && catalog.has(path) && !catalog.is_section(path)) {
      context.overridden.insert(path);
      context.add(path, "is a value, not a section with keys of its own.");
      return;
    }
    if (!section->contains(names[i])) {
      (*section)[names[i]] = last && !catalog.is_section(path) ? Json() : Json::object();
      if (!catalog.has(path)) context.overridden.insert(path);
    }
    section = &(*section)[names[i]];
    if (!last && !section->is_object()) return;  // reading reports it
  }
  set_value(*section, value, path, context);
}

}  // namespace

Override parse_override(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) {
    throw UsageError("--set " + text + ": expected KEY=VALUE, as --set train.seed=3.");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void apply_overrides(Json& root, const std::vector<Override>& overrides, ReadContext& context) {
  for (const Override& override : overrides) apply_override(root, override, context);
}

}  // namespace nmt
