#include "text/tokenizers.h"

#include "base/counted.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/strings.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/tokenizer_trainer.h"

namespace nmt {

namespace fs = std::filesystem;

namespace {

constexpr const char* kJointFile = "joint.spm";
constexpr const char* kSourceFile = "source.spm";
constexpr const char* kTargetFile = "target.spm";

std::shared_ptr<const Tokenizer> train(const Config& config, const std::vector<std::string>& files,
                                       const std::string& what) {
  const TextConfig& text = config.text;
  const bool own_size = what == "source" && !text.source_vocab_size.is_auto();
  const AutoSize size = own_size ? text.source_vocab_size : text.vocab_size;
  log::info("Learning the {} tokenizer from {} ...", what, join(files, " and "));
  const TrainedTokenizer made =
      train_tokenizer({files, text.type, size, text.byte_fallback, text.character_coverage, text.normalization,
                       text.invalid_utf8, text.training_lines, static_cast<uint64_t>(config.train.seed),
                       own_size ? "text.source_vocab_size" : "text.vocab_size"});
  log::info("The {} tokenizer has {} ({}), learned from {} of {}.", what, counted(made.vocab_size, "piece"),
            name_of(text.type), with_thousands(made.lines_used), counted(made.lines_read, "line"));
  return make_sentencepiece_tokenizer(made.model, text.normalization, "the new tokenizer");
}

}  // namespace

TokenizerPair make_tokenizers(const Config& config) {
  const TextConfig& text = config.text;
  const auto load = [&](const PathField& file) { return load_sentencepiece_tokenizer(file.value, text.normalization); };
  const std::string& source_text = config.data.train.src.value;
  const std::string& target_text = config.data.train.tgt.value;
  if (text.joint) {
    const PathField& file = text.source_model.empty() ? text.target_model : text.source_model;
    const auto both = file.empty() ? train(config, {source_text, target_text}, "joint") : load(file);
    return {both, both};
  }
  return {text.source_model.empty() ? train(config, {source_text}, "source") : load(text.source_model),
          text.target_model.empty() ? train(config, {target_text}, "target") : load(text.target_model)};
}

void save_tokenizers(const TokenizerPair& tokenizers, const fs::path& directory) {
  if (tokenizers.joint()) {
    write_file_atomic(directory / kJointFile, tokenizers.source->serialized());
  } else {
    write_file_atomic(directory / kSourceFile, tokenizers.source->serialized());
    write_file_atomic(directory / kTargetFile, tokenizers.target->serialized());
  }
}

TokenizerPair load_tokenizers(const fs::path& directory, const TextConfig& text) {
  const auto load = [&](const char* name) {
    if (!fs::exists(directory / name)) {
      throw ModelError("The model directory " + directory.string() + " has no " + name + ", the tokenizer.");
    }
    return load_sentencepiece_tokenizer(directory / name, text.normalization);
  };
  if (text.joint) {
    const auto both = load(kJointFile);
    return {both, both};
  }
  return {load(kSourceFile), load(kTargetFile)};
}

}  // namespace nmt
