#pragma once

#include "search/beam_search.h"
#include "table_stepper.h"

namespace nmt::test {

inline SearchOptions options_of(int64_t beam, double length_penalty, double ratio = 1, int64_t extra = 0) {
  SearchConfig config;
  config.beam = beam;
  config.length_penalty = length_penalty;
  config.max_length_ratio = ratio;
  config.max_length_extra = extra;
  return SearchOptions(config);
}

// The hypotheses of one sentence.
inline std::vector<Hypothesis> search_one(const Table& table, int64_t vocab, int64_t sentence, int64_t source_pieces,
                                          const SearchOptions& options) {
  TableStepper stepper(table, vocab, {sentence}, {source_pieces + 1});
  return beam_search(stepper, options).at(0);
}

}  // namespace nmt::test
