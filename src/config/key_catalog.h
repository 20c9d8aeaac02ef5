#pragma once

#include <string>
#include <vector>

namespace nmt {

// The keys that a configuration has, for telling what was meant by one that it hasn't.
class KeyCatalog {
 public:
  // All keys of Config, sections included: "train", "train.seed", ...
  static const KeyCatalog& of_config();

  bool has(const std::string& path) const;
  bool is_section(const std::string& path) const;

  // The known path that is most likely meant by an unknown one: a like name in the same section, the same name in
  // another one, or a like path; empty where nothing is near.
  std::string nearest_path(const std::string& path) const;

  // The end of a message about an unknown key, with a leading blank or semicolon: " Did you mean 'seed'?",
  // "; batch_tokens belongs to train.".
  std::string hint(const std::string& path) const;

 private:
  struct Key {
    std::string path;
    bool is_section;
  };
  std::vector<Key> keys_;

  friend struct CatalogVisitor;
};

// "train.optimizer" of "train.optimizer.kind"; empty for a top-level key.
std::string section_of(const std::string& path);
// "kind" of "train.optimizer.kind".
std::string name_in_section(const std::string& path);

}  // namespace nmt
