#pragma once

#include <vector>

#include "search/hypothesis.h"
#include "search/phrases.h"
#include "search/search_options.h"
#include "search/stepper.h"

namespace nmt {

// What is asked of one sentence beyond the options of the search.
struct SentenceRequest {
  std::vector<PieceId> prefix;  // the translation begins with these pieces
  uint64_t sampling_key = 0;    // with the seed it fixes what is drawn for this sentence, whatever its batch
  std::vector<RequiredPhrase> phrases = {};  // must appear in the translation
};

// For each sentence of the stepper its best hypotheses, best first: at most options.n_best and at least one. Only
// where not one hypothesis finished within the length limit are there unfinished ones (finished = false).
//
// Beam search over all sentences together: each keeps at most `beam` prefixes, every step extends them by one piece
// and keeps the likeliest; a prefix that takes the end mark is finished and keeps its place in the beam, so that the
// rows of a sentence become fewer until it leaves the batch. Ties go to the lower row, then the lower piece id. A
// sentence stops as soon as no live prefix can beat its n_best finished hypotheses (docs/search.md).
//
// A sentence with phrases has as many more places as these have pieces, shared out by dynamic beam allocation
// (search/phrase_candidates.h); its hypotheses end when all phrases are there. Where no such one is found, they are the
// best that end without (Hypothesis::missing). With diversity groups each group is a beam of its own
// (search/diversity.h).
//
// `requests` is empty or has one entry for each sentence. Throws InternalError where the model gives NaN or a
// log-probability above 0, UsageError for bad options, and for phrases together with sampling or diversity groups;
// InterruptedError after request_stop().
std::vector<std::vector<Hypothesis>> beam_search(Stepper& stepper, const SearchOptions& options,
                                                 const std::vector<SentenceRequest>& requests = {});

}  // namespace nmt
