#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "config/text_config.h"
#include "text/tokenizer.h"

namespace nmt {

// A tokenizer from a serialised SentencePiece model (Kudo and Richardson 2018, arXiv 1808.06226). Throws ModelError,
// naming `origin`, where the bytes are no such model or its special pieces have other ids than text/tokenizer.h says.
std::shared_ptr<const Tokenizer> make_sentencepiece_tokenizer(const std::string& model_bytes, Normalization form,
                                                              const std::string& origin);

// The same from a file. Throws ModelError where it can't be read.
std::shared_ptr<const Tokenizer> load_sentencepiece_tokenizer(const std::filesystem::path& file, Normalization form);

}  // namespace nmt
