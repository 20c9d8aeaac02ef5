#pragma once

#include <filesystem>

#include "config/config.h"
#include "text/tokenizer.h"

namespace nmt {

// The tokenizers of a run: those of the model files that the configuration names, or new ones learned from the
// training text. Says in the log what it did. Errors as load_sentencepiece_tokenizer and train_tokenizer.
TokenizerPair make_tokenizers(const Config& config);

// In a model directory: joint.spm, or source.spm and target.spm.
void save_tokenizers(const TokenizerPair& tokenizers, const std::filesystem::path& directory);
TokenizerPair load_tokenizers(const std::filesystem::path& directory, const TextConfig& text);

}  // namespace nmt
