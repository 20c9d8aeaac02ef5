#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/config.h"
#include "data/parallel_corpus.h"
#include "text/tokenizer.h"

namespace nmt {

// What encode_corpus has written.
struct EncodedShards {
  struct Shard {
    std::string file;  // below the directory
    int64_t pairs = 0;
    std::string sha256;
  };
  std::vector<Shard> shards;
  CorpusSummary summary;
};

// Reads a training corpus, drops what the filters say, and writes the rest as shards (data/corpus_shard.h) into
// `directory`. Memory is bounded: a block of pairs and a shard. Warns in the log of text that looks already cut into
// subwords or is mostly spelt as bytes. Throws as EncodedCorpus::open_or_build.
EncodedShards encode_corpus(const std::filesystem::path& directory, const DataConfig& data, const TextConfig& text,
                            const TokenizerPair& tokenizers, int threads);

}  // namespace nmt
