#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "model/safetensors.h"
#include "model/seq2seq.h"

namespace nmt {

// The version of what a model directory holds. A reader refuses any other one and says which program reads it.
inline constexpr int64_t kModelFormatVersion = 1;

// The source lines that a model was trained on, for whoever gives it others.
struct TrainingText {
  int64_t longest_source = 0;    // pieces of the longest line, the end mark not counted
  double several_sentences = 0;  // the part of the lines that hold several sentences, in [0,1]

  bool operator==(const TrainingText&) const = default;
};

// model_card.json: what a model directory says of itself.
struct ModelCard {
  int64_t format_version = kModelFormatVersion;
  std::string nmt_version;
  int64_t source_vocab = 0;
  int64_t target_vocab = 0;
  int64_t parameters = 0;
  std::optional<TrainingText> training_text;  // models written before nmt told it have none
  std::string training_summary = "{}";        // a JSON object: updates, epochs, scores; for people
  std::map<std::string, std::string> sha256;  // of every other file of the model
};

// A model directory holds config.json, model.safetensors, the tokenizers' files and model_card.json; it can be copied
// anywhere. Writes the first two and, last, the card with digests of these and of `tokenizer_files`, which are already
// in the (existing) directory. Throws ResourceError.
void save_model_dir(const std::filesystem::path& directory, const ModelDirConfig& config, const Seq2Seq& model,
                    const std::vector<std::string>& tokenizer_files, const std::string& training_summary,
                    const std::optional<TrainingText>& training_text = {});

// Reads and checks the card, and that every file it lists is there with its digest. Throws ModelError.
ModelCard read_model_card(const std::filesystem::path& directory);

struct LoadedModel {
  ModelDirConfig config;
  ModelCard card;
  Seq2Seq model{nullptr};  // in evaluation mode, on the device asked for
};

// Throws ModelError: no model there, another format version, a missing, truncated or changed file, tensors whose names,
// shapes or types don't fit the configuration, values that aren't finite.
LoadedModel load_model_dir(const std::filesystem::path& directory, const torch::Device& device);

// The model directory that a user's path means: itself, or `best` of a run directory. Throws ModelError that says what
// is there instead.
std::filesystem::path resolve_model_dir(const std::filesystem::path& path);

// Parameters by name, in a fixed order; tied ones once.
NamedTensors named_parameters_of(const Seq2Seq& model);

}  // namespace nmt
