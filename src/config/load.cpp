#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "config/config.h"
#include "config/cross_rules.h"
#include "config/overrides.h"
#include "config/reader.h"

namespace nmt {

namespace {

template <class AnyConfig>
void read_fields(AnyConfig& config, const nlohmann::ordered_json& root, ReadContext& context) {
  Reader reader(context, root, "");
  AnyConfig::fields(config, reader);
  reader.finish();
}

// Adds the rules between keys that are broken, without those that follow from a value that couldn't be read.
void add_cross_violations(const std::vector<CrossViolation>& found, ReadContext& context) {
  for (const CrossViolation& violation : found) {
    const bool follows = std::any_of(violation.keys.begin(), violation.keys.end(), [&](const std::string& key) {
      return context.broken.contains(key) || context.broken.contains(section_of(key));
    });
    if (!follows) context.add_sentence(violation.keys.front(), violation.sentence);
  }
}

ReadContext context_of(JsonSource& source, const std::string& origin, const std::string& base_directory) {
  ReadContext context;
  context.origin = origin;
  context.base_directory = base_directory;
  context.lines = std::move(source.lines);
  context.violations = std::move(source.duplicates);
  return context;
}

}  // namespace

Config parse_config(const std::string& text, const std::string& origin, const std::string& base_directory,
                    const std::vector<Override>& overrides) {
  JsonSource source = parse_json_source(text, origin);
  ReadContext context = context_of(source, origin, base_directory);
  apply_overrides(source.root, overrides, context);
  Config config;
  read_fields(config, source.root, context);
  add_cross_violations(cross_violations(config), context);
  if (!context.violations.empty()) throw UsageError(report(context.violations));
  return config;
}

Config load_config(const std::string& file, const std::vector<Override>& overrides) {
  const bool standard_input = file == "-";
  std::string text;
  try {
    text = read_file(standard_input ? "/dev/stdin" : file);
  } catch (const DataError& error) {
    throw UsageError(std::string("The configuration can't be read. ") + error.what());
  }
  const std::string directory = standard_input ? "" : std::filesystem::path(file).parent_path().string();
  return parse_config(text, standard_input ? "standard input" : file, directory, overrides);
}

ModelDirConfig parse_model_config(const std::string& text, const std::string& origin) {
  ModelDirConfig config;
  try {
    JsonSource source = parse_json_source(text, origin);
    ReadContext context = context_of(source, origin, "");
    context.has_paths = false;
    read_fields(config, source.root, context);
    add_cross_violations(cross_violations(config), context);
    if (!context.violations.empty()) throw ModelError(report(context.violations));
  } catch (const UsageError& error) {
    throw ModelError(error.what());
  }
  return config;
}

}  // namespace nmt
