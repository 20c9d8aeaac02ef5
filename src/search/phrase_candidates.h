#pragma once

#include <cstdint>
#include <vector>

#include "search/beam.h"
#include "search/candidates.h"
#include "search/phrases.h"
#include "search/step_scores.h"

namespace nmt {

// A candidate, and how many pieces of the phrases that must appear it has (PhraseSet::bank).
struct BankedCandidate {
  Candidate candidate;
  int64_t bank = 0;
};

// Dynamic beam allocation (Post and Vilar 2018, arXiv 1804.06609): `places` are shared out evenly among the banks 0 to
// `banks` - 1, what doesn't divide going to the highest, and each bank takes its best candidates; places left over go
// to the best of all that remain. Best first. So prefixes that have met more aren't crowded out by likelier ones that
// have met less, nor the other way round.
std::vector<Candidate> allocate_places(std::vector<BankedCandidate> candidates, int64_t banks, size_t places);

// What becomes of the live prefixes of a sentence that has phrases.
struct PhraseCandidates {
  std::vector<Candidate> kept;        // best first; their end marks come where all phrases are there
  std::vector<Candidate> incomplete;  // end marks that would come before that
  PieceId invalid = -1;               // a piece whose score is no log-probability
};

// Chooses among all continuations of all live prefixes, whose first is row `first_row` of `scores` (all pieces of it).
PhraseCandidates choose_with_phrases(const Beam& beam, const PhraseSet& phrases, const StepScores& scores,
                                     int64_t first_row);

}  // namespace nmt
