#include <cmath>
#include <nlohmann/json.hpp>

#include "config/config.h"
#include "config/describe.h"

namespace nmt {

namespace {

using Json = nlohmann::ordered_json;

Json number_json(double value) {
  const bool whole = std::trunc(value) == value && std::abs(value) < 9.1e15;
  return whole ? Json(static_cast<int64_t>(value)) : Json(value);
}

Json number_schema(const char* type, const Range& range) {
  Json schema = {{"type", type}};
  if (std::isfinite(range.low)) schema[range.low_excluded ? "exclusiveMinimum" : "minimum"] = number_json(range.low);
  if (std::isfinite(range.high)) schema[range.high_excluded ? "exclusiveMaximum" : "maximum"] = number_json(range.high);
  return schema;
}

Json schema_of(const bool& member, const Range&) { return {{"type", "boolean"}, {"default", member}}; }
Json schema_of(const int64_t& member, const Range& range) {
  Json schema = number_schema("integer", range);
  schema["default"] = member;
  return schema;
}
Json schema_of(const double& member, const Range& range) {
  Json schema = number_schema("number", range);
  schema["default"] = number_json(member);
  return schema;
}
Json schema_of(const AutoSize& member, const Range& range) {
  return {{"oneOf", Json::array({number_schema("integer", range), Json{{"const", "auto"}}})},
          {"default", member.is_auto() ? Json("auto") : Json(member.value)}};
}
Json schema_of(const PathField&, const Range&) { return {{"type", "string"}}; }
template <class Enum>
requires std::is_enum_v<Enum> Json schema_of(const Enum& member, const Range&) {
  return {{"enum", enum_names<Enum>()}, {"default", name_of(member)}};
}

// The visitor that writes the JSON Schema of a struct's members.
struct SchemaPrinter {
  Json& properties;

  template <class T>
  void operator()(const char* key, const T& member, const Range& range, const char* text) {
    Json& schema = properties[key] = schema_of(member, range);
    schema["description"] = text;
  }
  template <class Section>
  void section(const char* key, const Section& part, const char* text) {
    Json& schema = properties[key];
    schema = {
        {"type", "object"}, {"description", text}, {"additionalProperties", false}, {"properties", Json::object()}};
    SchemaPrinter inner{schema["properties"]};
    Section::fields(part, inner);
  }
};

}  // namespace

std::string config_schema() {
  Json root = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
               {"title", "Configuration of nmt"},
               {"type", "object"},
               {"additionalProperties", false},
               {"properties", Json::object()}};
  SchemaPrinter printer{root["properties"]};
  const Config defaults;
  Config::fields(defaults, printer);
  return root.dump(2) + "\n";
}

}  // namespace nmt
