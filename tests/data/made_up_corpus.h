#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "base/random.h"
#include "config/config.h"
#include "data/encoded_corpus.h"
#include "data/word_tokenizer.h"
#include "support/temporary_folder.h"

namespace nmt::test {

// Pairs of random words whose lengths go together, as those of translations do.
struct MadeUpCorpus {
  TemporaryFolder folder;
  Config config;

  explicit MadeUpCorpus(int64_t pairs, uint64_t seed = 1, uint64_t longest = 60) {
    SplitMix64 random(seed);
    std::string source;
    std::string target;
    const auto words = [&](std::string& out, uint64_t count) {
      for (uint64_t i = 0; i < count; ++i) {
        if (i > 0) out += ' ';
        out += std::to_string(4 + random.below(900));
      }
      out += '\n';
    };
    for (int64_t i = 0; i < pairs; ++i) {
      const uint64_t length = 1 + std::min(random.below(longest), random.below(longest));
      words(source, length);
      words(target, std::max<uint64_t>(1, length + random.below(length / 3 + 2) - length / 6));
    }
    config.data.train.src.value = folder.file("train.src", source);
    config.data.train.tgt.value = folder.file("train.tgt", target);
  }

  std::shared_ptr<const EncodedCorpus> open(int threads = 1,
                                            const TokenizerPair& tokenizers = word_tokenizers()) const {
    return EncodedCorpus::open_or_build(folder.path() / "cache", config.data, config.text, tokenizers, threads);
  }
};

}  // namespace nmt::test
