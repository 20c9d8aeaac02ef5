#pragma once

#include <string>
#include <vector>

#include "config/data_config.h"
#include "config/model_config.h"
#include "config/search_config.h"
#include "config/text_config.h"
#include "config/train_config.h"

namespace nmt {

// All of a run. The file is JSON with comments; configs/reference.json shows every key with its default.
struct Config {
  DataConfig data;
  TextConfig text;
  ModelConfig model;
  TrainConfig train;
  ValidConfig valid;
  SearchConfig search;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit.section("data", self.data, "Where the text is.");
    visit.section("text", self.text, "How text becomes pieces.");
    visit.section("model", self.model, "The network.");
    visit.section("train", self.train, "How it learns.");
    visit.section("valid", self.valid, "How it is judged while it learns.");
    visit.section("search", self.search, "How it translates.");
  }
};

// What a model directory keeps: everything that translation needs and nothing of the machine it was trained on.
struct ModelDirConfig {
  TextConfig text;
  ModelConfig model;
  SearchConfig search;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit.section("text", self.text, "How text becomes pieces.");
    visit.section("model", self.model, "The network.");
    visit.section("search", self.search, "How it translates.");
  }
};

// One --set key.path=value. The value is read as JSON where it is JSON, else as a string. Where a key is set twice the
// later one counts; an object sets the keys it holds and leaves the others of its section alone.
struct Override {
  std::string path;  // as "train.optimizer.learning_rate"
  std::string value;
};

// "train.seed=3" as an Override. Throws UsageError where there is no key or no "=".
Override parse_override(const std::string& text);

// Reads, applies the overrides, resolves paths, and validates ("-" reads standard input). Throws UsageError that lists
// every violation, one a line: unknown keys (with the nearest known one), duplicate keys, wrong types, values out of
// range, and what validate() finds, each with file, line and JSON path. Whole numbers may be written as 3.0 or 1e6.
Config load_config(const std::string& file, const std::vector<Override>& overrides = {});

// The same from text; relative paths are taken from `base_directory`. `origin` names the text in messages.
Config parse_config(const std::string& text, const std::string& origin, const std::string& base_directory,
                    const std::vector<Override>& overrides = {});

// The config.json of a model directory, without paths of files. Throws ModelError that lists every violation.
ModelDirConfig parse_model_config(const std::string& text, const std::string& origin);

// Strict JSON with every key, without comments; parse(to_json(c)) == c. A model's configuration has no paths of files.
std::string to_json(const Config& config);
std::string to_json(const ModelDirConfig& config);

// The reference configuration: every key with its default, its range and its comment (what configs/reference.json is).
std::string reference_config();
// JSON Schema (draft 2020-12) of the configuration file.
std::string config_schema();

// Violations between keys (as dot attention with unequal sizes, tying all without a joint vocabulary, no end of
// training), one sentence each beginning with the JSON path. Ranges of single values are checked when a configuration
// is read. Files aren't looked at: see missing_files().
std::vector<std::string> validate(const Config& config);

// Files that the configuration names and that can't be read, one sentence each beginning with the JSON path.
std::vector<std::string> missing_files(const Config& config);

// Paths of the keys whose values differ, as "train.batch_tokens".
std::vector<std::string> differing_keys(const Config& a, const Config& b);

}  // namespace nmt
