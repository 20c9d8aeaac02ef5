#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "config/config.h"
#include "data/corpus_encoder.h"
#include "text/tokenizer.h"

namespace nmt {

// Digest of all that an id cache depends on: paths, sizes and times of change of the files, tokenizers, normalisation,
// filters. Throws DataError where a file is missing.
std::string cache_key(const DataConfig& data, const TextConfig& text, const TokenizerPair& tokenizers);

// The file that says what a cache directory holds; written last, so that a cache without it is no cache.
void write_manifest(const std::filesystem::path& directory, const std::string& key, const EncodedShards& encoded);

// Nothing where there is none, where it is damaged, or where its key is another.
std::optional<EncodedShards> read_manifest(const std::filesystem::path& directory, const std::string& key);

// Removes manifest, shards and what an interrupted run left.
void clear_cache(const std::filesystem::path& directory);

}  // namespace nmt
