#include "model/model_report.h"

#include <spdlog/fmt/fmt.h>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "model/model_dir.h"

namespace nmt {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

// "decoder.attention.query.weight" belongs to "decoder.attention", "output_bias" to itself.
std::string part_of(const std::string& parameter) {
  const auto first = parameter.find('.');
  if (first == std::string::npos) return parameter;
  const auto second = parameter.find('.', first + 1);
  return parameter.substr(0, second == parameter.rfind('.') ? second : parameter.find('.', first + 1));
}

Json parts_of(const LoadedModel& loaded) {
  Json parts = Json::object();
  for (const auto& [name, tensor] : named_parameters_of(loaded.model)) {
    Json& count = parts[part_of(name)];
    count = (count.is_null() ? 0 : count.get<int64_t>()) + tensor.numel();
  }
  return parts;
}

Json report_of(const fs::path& path) {
  const LoadedModel loaded = load_model_dir(resolve_model_dir(path), torch::kCPU);
  Json report;
  report["path"] = path.string();
  report["format_version"] = loaded.card.format_version;
  report["nmt_version"] = loaded.card.nmt_version;
  report["parameters"] = loaded.card.parameters;
  report["parameters_of_part"] = parts_of(loaded);
  report["source_vocab"] = loaded.card.source_vocab;
  report["target_vocab"] = loaded.card.target_vocab;
  if (loaded.card.training_text) {
    report["training_text"] = {{"longest_source", loaded.card.training_text->longest_source},
                               {"several_sentences", loaded.card.training_text->several_sentences}};
  }
  report["training"] = Json::parse(loaded.card.training_summary);
  report["config"] = Json::parse(to_json(loaded.config));
  report["sha256"] = loaded.card.sha256;
  return report;
}

// Numbers for people; JSON has them in full.
std::string readable(const std::string& key, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (key == "seconds" && value.is_number()) return format_duration(value.get<double>());
  if (value.is_number_integer()) return with_thousands(value.get<int64_t>());
  if (value.is_number_float()) return fmt::format("{:.5g}", value.get<double>());
  return value.dump();
}

std::string lines_of(const Json& object, const std::string& indent) {
  std::string text;
  for (const auto& [key, value] : object.items()) {
    if (value.is_object()) {
      text += indent + key + "\n" + lines_of(value, indent + "  ");
    } else {
      text += fmt::format("{}{:<24} {}\n", indent, key, readable(key, value));
    }
  }
  return text;
}

}  // namespace

std::string model_report_json(const fs::path& model) { return report_of(model).dump(2) + "\n"; }

std::string model_report_text(const fs::path& model) {
  const Json report = report_of(model);
  std::string text = fmt::format("{}: format {}, written by nmt {}\n\n", model.string(),
                                 report["format_version"].dump(), report["nmt_version"].get<std::string>());
  text += fmt::format("Parameters: {}\n", with_thousands(report["parameters"].get<int64_t>()));
  for (const auto& [part, count] : report["parameters_of_part"].items()) {
    text += fmt::format("  {:<24} {:>14}\n", part, with_thousands(count.get<int64_t>()));
  }
  text += fmt::format("\nVocabulary: {} source pieces, {} target pieces\n",
                      with_thousands(report["source_vocab"].get<int64_t>()),
                      with_thousands(report["target_vocab"].get<int64_t>()));
  if (report.contains("training_text")) {
    const Json& seen = report["training_text"];
    text += fmt::format("Trained on lines of up to {} source pieces, {:.2g}% of them of several sentences\n",
                        with_thousands(seen["longest_source"].get<int64_t>()),
                        100 * seen["several_sentences"].get<double>());
  }
  text += "\nNetwork\n" + lines_of(report["config"]["model"], "  ");
  text += "\nSearch\n" + lines_of(report["config"]["search"], "  ");
  if (!report["training"].empty()) text += "\nTraining\n" + lines_of(report["training"], "  ");
  return text;
}

}  // namespace nmt
