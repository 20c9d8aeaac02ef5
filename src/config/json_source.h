#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/violation.h"

namespace nmt {

// The text of a configuration as JSON, with the line of every key for messages.
struct JsonSource {
  nlohmann::ordered_json root;       // always an object
  std::map<std::string, int> lines;  // of "train.seed" and all other keys
  std::vector<Violation> duplicates;
};

// Reads JSON with comments. Throws UsageError as "run.json:3:14: a comma before '}'" where it isn't well-formed, isn't
// UTF-8, is nested too deeply or is no object. Keys given twice are listed, not thrown.
JsonSource parse_json_source(const std::string& text, const std::string& origin);

// What stands there, for messages: "the number 3", "the string \"x\"", "a list".
std::string describe_json(const nlohmann::ordered_json& value);

}  // namespace nmt
