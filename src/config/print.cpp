#include <map>
#include <nlohmann/json.hpp>

#include "config/config.h"

namespace nmt {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json value_of(const T& member) {
  if constexpr (std::is_enum_v<T>) {
    return name_of(member);
  } else if constexpr (std::is_same_v<T, AutoSize>) {
    return member.is_auto() ? Json("auto") : Json(member.value);
  } else if constexpr (std::is_same_v<T, PathField>) {
    return member.value;
  } else {
    return member;
  }
}

// The visitor that makes a JSON tree of a configuration.
struct Printer {
  Json& object;
  bool with_paths;

  template <class T>
  void operator()(const char* key, const T& member, const Range&, const char*) {
    if (with_paths || !std::is_same_v<T, PathField>) object[key] = value_of(member);
  }
  template <class Section>
  void section(const char* key, const Section& part, const char*) {
    Json& made = object[key] = Json::object();
    Printer inner{made, with_paths};
    Section::fields(part, inner);
  }
};

template <class AnyConfig>
Json tree_of(const AnyConfig& config, bool with_paths) {
  Json root = Json::object();
  Printer printer{root, with_paths};
  AnyConfig::fields(config, printer);
  return root;
}

void collect(const Json& tree, const std::string& prefix, std::vector<std::pair<std::string, Json>>& out) {
  for (const auto& [key, value] : tree.items()) {
    if (value.is_object()) {
      collect(value, prefix + key + ".", out);
    } else {
      out.emplace_back(prefix + key, value);
    }
  }
}

}  // namespace

std::string to_json(const Config& config) { return tree_of(config, true).dump(2) + "\n"; }
std::string to_json(const ModelDirConfig& config) { return tree_of(config, false).dump(2) + "\n"; }

std::vector<std::string> differing_keys(const Config& a, const Config& b) {
  std::vector<std::pair<std::string, Json>> values_a, values_b;
  collect(tree_of(a, true), "", values_a);
  collect(tree_of(b, true), "", values_b);
  std::vector<std::string> out;
  for (size_t i = 0; i < values_a.size(); ++i) {
    if (values_a[i].second != values_b[i].second) out.push_back(values_a[i].first);
  }
  return out;
}

}  // namespace nmt
