#pragma once

#include <vector>

#include "search/beam_search.h"
#include "search/hypothesis.h"
#include "search/search_options.h"

namespace nmt {

// A batch of sentences in pieces, searched together.
struct SearchTask {
  std::vector<std::vector<PieceId>> sources;  // without end marks; none is empty
  std::vector<SentenceRequest> requests;      // one for each source
};

// Something that translates pieces: a model behind a search. Safe to use from several threads.
class SearchEngine {
 public:
  virtual ~SearchEngine() = default;

  // For each sentence its hypotheses, best first, at least one. Throws std::bad_alloc where memory doesn't suffice for
  // so many sentences at once.
  virtual std::vector<std::vector<Hypothesis>> search(const SearchTask& task, const SearchOptions& options) const = 0;
};

}  // namespace nmt
