#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "config/config.h"
#include "data/example.h"
#include "data/parallel_corpus.h"
#include "text/tokenizer.h"

namespace nmt {

// A training corpus as pieces, on disk and mapped into memory, so that its size isn't bound by the machine's memory.
// Pairs are numbered from 0 to size() - 1 in the order of the files; those that a filter dropped aren't there.
// Safe to read from several threads.
class EncodedCorpus {
 public:
  // Uses the cache in `directory` where it was made of the same files (size and time of change), tokenizers and
  // filters and is undamaged; else encodes anew with `threads` threads (the result doesn't depend on their number).
  // The summary and the memory needed go to the log. Throws DataError (files, line counts, UTF-8, nothing left after
  // the filters), ResourceError (disk), InterruptedError.
  static std::shared_ptr<const EncodedCorpus> open_or_build(const std::filesystem::path& directory,
                                                            const DataConfig& data, const TextConfig& text,
                                                            const TokenizerPair& tokenizers, int threads);
  ~EncodedCorpus();

  int64_t size() const;
  int64_t source_length(int64_t index) const;  // in pieces, without the end mark
  int64_t target_length(int64_t index) const;
  int64_t longest_source() const;
  int64_t longest_target() const;
  Example example(int64_t index) const;
  const CorpusSummary& summary() const;
  const std::string& digest() const;  // SHA-256 of all pieces and line numbers; a resumed run must find the same

 private:
  struct Layout;
  explicit EncodedCorpus(std::unique_ptr<Layout> layout);
  std::unique_ptr<Layout> layout_;
};

}  // namespace nmt
