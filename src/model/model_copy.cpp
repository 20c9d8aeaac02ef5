#include "model/model_copy.h"

#include <unistd.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/strings.h"
#include "model/model_dir.h"

namespace nmt {

namespace fs = std::filesystem;

namespace {

using FileDigests = std::map<std::string, std::string>;

// The card's files that the tokenizers own, with their digests.
FileDigests tokenizer_files(const ModelCard& card) {
  FileDigests files = card.sha256;
  files.erase("config.json");
  files.erase("model.safetensors");
  return files;
}

// Makes the directory `to` under a temporary name beside it, fills it, and renames it.
void make_directory(const fs::path& to, const std::function<void(const fs::path&)>& fill) {
  if (fs::exists(to) && !(fs::is_directory(to) && fs::is_empty(to))) {
    throw UsageError("The output " + to.string() + " exists already; give a new directory.");
  }
  const fs::path target = fs::absolute(to).lexically_normal();
  const fs::path whole = target.has_filename() ? target : target.parent_path();
  const fs::path temporary = whole.string() + ".tmp-" + std::to_string(::getpid());
  std::error_code failed;
  fs::create_directories(temporary, failed);
  if (failed) throw ResourceError("Can't make the directory " + whole.string() + ": " + failed.message() + ".");
  try {
    fill(temporary);
    sync_to_disk(temporary);
    fs::rename(temporary, whole);
    sync_to_disk(whole.parent_path());
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(temporary, ignored);
    throw;
  }
}

void copy_model_file(const fs::path& from, const fs::path& to) { write_file_atomic(to, read_file(from)); }

// What must agree: how text becomes pieces, and the network.
Config without_search(const ModelDirConfig& config) {
  Config whole;
  whole.text = config.text;
  whole.model = config.model;
  return whole;
}

void check_same_kind(const fs::path& first, const LoadedModel& model, const fs::path& other,
                     const LoadedModel& loaded) {
  const auto keys = differing_keys(without_search(model.config), without_search(loaded.config));
  if (!keys.empty()) {
    throw ModelError("The models " + first.string() + " and " + other.string() + " can't be averaged: they differ in " +
                     join(keys, ", ") + ".");
  }
  if (tokenizer_files(model.card) != tokenizer_files(loaded.card)) {
    throw ModelError("The models " + first.string() + " and " + other.string() +
                     " can't be averaged: their tokenizers differ.");
  }
}

std::string averaging_summary(const std::vector<fs::path>& from) {
  nlohmann::ordered_json summary;
  for (const fs::path& path : from) {
    const ModelCard card = read_model_card(path);
    summary["average_of"].push_back(nlohmann::ordered_json::parse(card.training_summary));
  }
  return summary.dump();
}

}  // namespace

void export_model(const fs::path& from, const fs::path& to) {
  const fs::path model = resolve_model_dir(from);
  const ModelCard card = read_model_card(model);
  make_directory(to, [&](const fs::path& directory) {
    for (const auto& file : card.sha256) copy_model_file(model / file.first, directory / file.first);
    copy_model_file(model / "model_card.json", directory / "model_card.json");
  });
}

void average_models(const std::vector<fs::path>& from, const fs::path& to) {
  if (from.size() < 2) throw UsageError("Averaging needs two models or more.");
  std::vector<fs::path> models;
  for (const fs::path& path : from) models.push_back(resolve_model_dir(path));
  LoadedModel mean = load_model_dir(models[0], torch::kCPU);
  const NamedTensors weights = named_parameters_of(mean.model);
  std::vector<torch::Tensor> sums;
  for (const auto& item : weights) sums.push_back(item.second.detach().to(torch::kFloat64));
  for (size_t i = 1; i < models.size(); ++i) {
    const LoadedModel loaded = load_model_dir(models[i], torch::kCPU);
    check_same_kind(models[0], mean, models[i], loaded);
    const NamedTensors added = named_parameters_of(loaded.model);
    for (size_t k = 0; k < sums.size(); ++k) sums[k] += added[k].second.detach();
  }
  for (size_t k = 0; k < sums.size(); ++k) {
    weights[k].second.detach().copy_(sums[k] / static_cast<double>(models.size()));
  }
  make_directory(to, [&](const fs::path& directory) {
    std::vector<std::string> files;
    for (const auto& file : tokenizer_files(mean.card)) {
      copy_model_file(models[0] / file.first, directory / file.first);
      files.push_back(file.first);
    }
    save_model_dir(directory, mean.config, mean.model, files, averaging_summary(models), mean.card.training_text);
  });
}

}  // namespace nmt
