#include "model/model_dir.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"

namespace nmt {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kConfigFile = "config.json";
constexpr const char* kWeightsFile = "model.safetensors";
constexpr const char* kCardFile = "model_card.json";

std::string read_model_file(const fs::path& path) {
  try {
    return read_file(path);
  } catch (const DataError& error) {
    throw ModelError(error.what());
  }
}

Json to_json(const ModelCard& card) {
  Json json;
  json["format_version"] = card.format_version;
  json["nmt_version"] = card.nmt_version;
  json["source_vocab"] = card.source_vocab;
  json["target_vocab"] = card.target_vocab;
  json["parameters"] = card.parameters;
  if (card.training_text) {
    json["training_text"] = {{"longest_source", card.training_text->longest_source},
                             {"several_sentences", card.training_text->several_sentences}};
  }
  json["training"] = Json::parse(card.training_summary);
  json["sha256"] = card.sha256;
  return json;
}

void check_version(const fs::path& path, const Json& json) {
  const auto version = json.find("format_version");
  if (version == json.end() || !version->is_number_integer()) {
    throw ModelError("The file " + path.string() + " has no format_version, so it isn't a model card of nmt.");
  }
  if (version->get<int64_t>() == kModelFormatVersion) return;
  const auto writer = json.find("nmt_version");
  throw ModelError("The model " + path.parent_path().string() + " has format version " + version->dump() +
                   "; this program (nmt " NMT_VERSION ") reads version " + std::to_string(kModelFormatVersion) +
                   ". It was written by nmt " +
                   (writer != json.end() && writer->is_string() ? writer->get<std::string>() : "of unknown version") +
                   ".");
}

ModelCard parse_card(const fs::path& path) {
  const Json json = Json::parse(read_model_file(path), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) throw ModelError("The file " + path.string() + " isn't a JSON object (truncated?).");
  check_version(path, json);
  try {
    ModelCard card;
    card.nmt_version = json.at("nmt_version").get<std::string>();
    card.source_vocab = json.at("source_vocab").get<int64_t>();
    card.target_vocab = json.at("target_vocab").get<int64_t>();
    card.parameters = json.at("parameters").get<int64_t>();
    if (const auto text = json.find("training_text"); text != json.end()) {
      card.training_text = {text->at("longest_source").get<int64_t>(), text->at("several_sentences").get<double>()};
      if (card.training_text->longest_source < 1) throw ModelError(path.string() + ": longest_source must be above 0.");
    }
    card.training_summary = json.at("training").dump();
    card.sha256 = json.at("sha256").get<std::map<std::string, std::string>>();
    return card;
  } catch (const Json::exception& error) {
    throw ModelError("The model card " + path.string() + " is incomplete or malformed.");
  }
}

void check_files(const fs::path& directory, const ModelCard& card) {
  for (const char* needed : {kConfigFile, kWeightsFile}) {
    if (card.sha256.count(needed) == 0) {
      throw ModelError("The model card of " + directory.string() + " doesn't list " + needed + ".");
    }
  }
  for (const auto& [name, digest] : card.sha256) {
    const fs::path path = directory / name;
    if (fs::path(name).filename() != name) {
      throw ModelError("The model card of " + directory.string() + " lists '" + name + "', which is outside of it.");
    }
    if (!fs::exists(path)) throw ModelError("The model " + directory.string() + " lacks its file " + name + ".");
    if (sha256_of_file(path) != digest) {
      throw ModelError("The file " + path.string() +
                       " isn't the one its model card describes (truncated, corrupt or replaced).");
    }
  }
}

// Before anything of the size that the card claims is allocated.
void check_vocabularies(const fs::path& directory, const ModelCard& card, const ModelConfig& config) {
  const auto fits = [&](int64_t vocab) {
    const auto most = static_cast<int64_t>(fs::file_size(directory / kWeightsFile) / sizeof(float));
    return vocab > 0 && vocab <= most / config.embedding_dim;
  };
  if (!fits(card.source_vocab) || !fits(card.target_vocab)) {
    throw ModelError("The model card of " + directory.string() + " gives vocabulary sizes that don't fit its weights.");
  }
}

}  // namespace

void save_model_dir(const fs::path& directory, const ModelDirConfig& config, const Seq2Seq& model,
                    const std::vector<std::string>& tokenizer_files, const std::string& training_summary,
                    const std::optional<TrainingText>& training_text) {
  write_file_atomic(directory / kConfigFile, nmt::to_json(config));
  write_safetensors(directory / kWeightsFile, named_parameters_of(model));
  ModelCard card;
  card.nmt_version = NMT_VERSION;
  card.source_vocab = model->source_vocab();
  card.target_vocab = model->target_vocab();
  card.parameters = model->parameter_count();
  card.training_text = training_text;
  card.training_summary = training_summary;
  std::vector<std::string> files = tokenizer_files;
  files.insert(files.end(), {kConfigFile, kWeightsFile});
  for (const std::string& file : files) card.sha256[file] = sha256_of_file(directory / file);
  write_file_atomic(directory / kCardFile, to_json(card).dump(2) + "\n");
}

ModelCard read_model_card(const fs::path& directory) {
  ModelCard card = parse_card(directory / kCardFile);
  check_files(directory, card);
  return card;
}

LoadedModel load_model_dir(const fs::path& directory, const torch::Device& device) {
  LoadedModel loaded;
  loaded.card = read_model_card(directory);
  const fs::path config_path = directory / kConfigFile;
  try {
    loaded.config = parse_model_config(read_model_file(config_path), config_path.string());
  } catch (const UsageError& error) {
    throw ModelError(error.what());
  }
  check_vocabularies(directory, loaded.card, loaded.config.model);
  loaded.model = Seq2Seq(loaded.config.model, loaded.card.source_vocab, loaded.card.target_vocab);
  load_safetensors_into(directory / kWeightsFile, named_parameters_of(loaded.model));
  loaded.model->to(device);
  loaded.model->eval();
  return loaded;
}

fs::path resolve_model_dir(const fs::path& path) {
  if (!fs::exists(path)) throw ModelError("There is no model at " + path.string() + ": no such file or directory.");
  if (!fs::is_directory(path)) throw ModelError("A model is a directory; " + path.string() + " is a file.");
  if (fs::exists(path / kCardFile)) return path;
  if (fs::exists(path / "best" / kCardFile)) return path / "best";
  if (fs::exists(path / "train_log.jsonl")) {
    throw ModelError("The run " + path.string() + " has no best checkpoint yet.");
  }
  throw ModelError("The directory " + path.string() + " is neither a model (model_card.json) nor a run (best/).");
}

NamedTensors named_parameters_of(const Seq2Seq& model) {
  NamedTensors tensors;
  for (const auto& item : model->named_parameters()) tensors.emplace_back(item.key(), item.value());
  return tensors;
}

}  // namespace nmt
