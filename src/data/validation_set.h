#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "data/batch.h"
#include "data/batcher.h"
#include "text/tokenizer.h"

namespace nmt {

// Held-out text, every line of it: nothing is filtered. Kept in memory.
struct ValidationSet {
  std::vector<std::string> sources;     // lines as read (invalid UTF-8 replaced, or an error, as configured)
  std::vector<std::string> references;  // never normalised
  std::vector<Example> examples;        // their pieces, one for each line; a blank line has none

  int64_t size() const { return static_cast<int64_t>(examples.size()); }

  // All examples in batches of similar length, for the loss; Batch::lines says which.
  std::vector<Batch> batches(const BatchLimits& limits) const;
};

// Throws as EncodedCorpus::open_or_build does for files, line counts and UTF-8.
ValidationSet load_validation_set(const ParallelFilesConfig& files, const TextConfig& text,
                                  const TokenizerPair& tokenizers);

}  // namespace nmt
