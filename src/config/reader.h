#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "config/describe.h"
#include "config/field.h"
#include "config/json_source.h"
#include "config/key_catalog.h"
#include "config/text_config.h"

namespace nmt {

// What reading a configuration needs to know and gathers, apart from the structs themselves.
struct ReadContext {
  std::string origin;                // names the file in messages
  std::string base_directory;        // of relative paths in the file
  std::map<std::string, int> lines;  // of the file's keys
  std::set<std::string> overridden;  // keys that came by --set
  bool has_paths = true;             // false for a model's configuration: path keys are unknown there

  std::vector<Violation> violations;
  std::set<std::string> broken;  // keys whose value could not be taken, or that an unknown key was probably meant for

  // Adds "run.json:12: train.seed: ..." (or "--set train.seed: ...").
  void add(const std::string& path, const std::string& what);
  void add_sentence(const std::string& path, const std::string& sentence);  // that begins with the path itself
};

// Each takes over a JSON value, or reports what was expected and leaves the member alone.
void read_value(ReadContext& context, const std::string& path, const nlohmann::ordered_json& value, const Range& range,
                bool& member);
void read_value(ReadContext& context, const std::string& path, const nlohmann::ordered_json& value, const Range& range,
                int64_t& member);
void read_value(ReadContext& context, const std::string& path, const nlohmann::ordered_json& value, const Range& range,
                double& member);
void read_value(ReadContext& context, const std::string& path, const nlohmann::ordered_json& value, const Range& range,
                AutoSize& member);
void read_value(ReadContext& context, const std::string& path, const nlohmann::ordered_json& value, const Range& range,
                PathField& member);

// The same for an enumeration: the number of the name among `names`, or -1.
int64_t read_name(ReadContext& context, const std::string& path, const nlohmann::ordered_json& value,
                  const std::vector<std::string>& names);
template <class Enum>
requires std::is_enum_v<Enum>
void read_value(ReadContext& context, const std::string& path, const nlohmann::ordered_json& value, const Range&,
                Enum& member) {
  const int64_t number = read_name(context, path, value, enum_names<Enum>());
  if (number >= 0) member = static_cast<Enum>(number);
}

// The visitor that fills a configuration struct from a JSON object (see field.h).
class Reader {
 public:
  Reader(ReadContext& context, const nlohmann::ordered_json& object, std::string prefix)
      : context_(context), object_(object), prefix_(std::move(prefix)) {}

  template <class T>
  void operator()(const char* key, T& member, const Range& range, const char*) {
    if (std::is_same_v<T, PathField> && !context_.has_paths) return;
    known_.insert(key);
    const auto found = object_.find(key);
    if (found != object_.end()) read_value(context_, prefix_ + key, *found, range, member);
  }

  template <class Section>
  void section(const char* key, Section& part, const char*) {
    known_.insert(key);
    const auto found = object_.find(key);
    if (found == object_.end()) return;
    const std::string path = prefix_ + key;
    if (!found->is_object()) {
      context_.add(path, "expected an object in braces, found " + describe_json(*found) + ".");
      return;
    }
    Reader inner(context_, *found, path + ".");
    Section::fields(part, inner);
    inner.finish();
  }

  // Reports the keys that no field asked for.
  void finish();

 private:
  ReadContext& context_;
  const nlohmann::ordered_json& object_;
  std::string prefix_;  // "train." inside train
  std::set<std::string> known_;
};

}  // namespace nmt
