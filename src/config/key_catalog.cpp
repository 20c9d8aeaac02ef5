#include "config/key_catalog.h"

#include <algorithm>

#include "base/strings.h"
#include "config/config.h"

namespace nmt {

struct CatalogVisitor {
  KeyCatalog& catalog;
  std::string prefix;

  template <class T>
  void operator()(const char* key, const T&, const Range&, const char*) {
    catalog.keys_.push_back({prefix + key, false});
  }
  template <class Section>
  void section(const char* key, const Section& part, const char*) {
    catalog.keys_.push_back({prefix + key, true});
    CatalogVisitor inner{catalog, prefix + key + "."};
    Section::fields(part, inner);
  }
};

const KeyCatalog& KeyCatalog::of_config() {
  static const KeyCatalog catalog = [] {
    KeyCatalog made;
    CatalogVisitor visit{made, ""};
    const Config defaults;
    Config::fields(defaults, visit);
    return made;
  }();
  return catalog;
}

bool KeyCatalog::has(const std::string& path) const {
  return std::any_of(keys_.begin(), keys_.end(), [&](const Key& key) { return key.path == path; });
}

bool KeyCatalog::is_section(const std::string& path) const {
  return std::any_of(keys_.begin(), keys_.end(), [&](const Key& key) { return key.is_section && key.path == path; });
}

std::string KeyCatalog::nearest_path(const std::string& path) const {
  const std::string section = section_of(path), name = name_in_section(path);
  std::vector<std::string> siblings, names, paths;
  for (const Key& key : keys_) {
    if (section_of(key.path) == section) siblings.push_back(name_in_section(key.path));
    names.push_back(name_in_section(key.path));
    paths.push_back(key.path);
  }
  const auto same_name = std::find(names.begin(), names.end(), name);
  if (same_name != names.end()) return paths[static_cast<size_t>(same_name - names.begin())];
  const std::string sibling = nearest(name, siblings);
  if (!sibling.empty()) return section.empty() ? sibling : section + "." + sibling;
  const std::string like_name = nearest(name, names);
  if (!like_name.empty()) {
    return paths[static_cast<size_t>(std::find(names.begin(), names.end(), like_name) - names.begin())];
  }
  return nearest(path, paths);
}

std::string KeyCatalog::hint(const std::string& path) const {
  const std::string meant = nearest_path(path);
  if (meant.empty()) return ".";
  const std::string name = name_in_section(meant);
  if (section_of(meant) == section_of(path)) return ". Did you mean '" + name + "'?";
  if (name != name_in_section(path)) return ". Did you mean '" + meant + "'?";
  const std::string home = section_of(meant);
  return "; " + name + (home.empty() ? " belongs to the top level." : " belongs to " + home + ".");
}

std::string section_of(const std::string& path) {
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string name_in_section(const std::string& path) { return path.substr(path.rfind('.') + 1); }

}  // namespace nmt
