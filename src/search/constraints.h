#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/beam.h"
#include "search/beam_search.h"
#include "search/search_options.h"

namespace nmt {

// Throws UsageError where a sentence asks for what no translation can have, or what the options rule out.
void check_request(const SentenceRequest& request, const SearchOptions& options, int64_t vocab_size);

// The phrases, without pieces where no translation can have them: longer than `max_pieces`, or with what is forbidden.
std::vector<RequiredPhrase> possible_phrases(std::vector<RequiredPhrase> phrases, const SearchOptions& options,
                                             int64_t max_pieces, int64_t vocab_size);

// A piece that a row of the batch must not produce at this step.
struct Ban {
  int64_t row;
  PieceId piece;
};

// The pieces that no row may produce at any step: padding, the begin mark, and what the options forbid, without
// duplicates, in ascending order. Pieces of `vocab_size` and above are left out.
std::vector<PieceId> pieces_never_produced(const SearchOptions& options, int64_t vocab_size);

// Appends what the live prefixes of one sentence must not produce next, where its first is row `first_row`: the end
// mark before the minimum length, pieces that would complete an n-gram which the prefix already has, and what the
// filter says.
void append_bans(const Beam& beam, int64_t first_row, const SearchOptions& options, std::vector<Ban>& bans);

// The pieces that would complete an n-gram (n >= 1) which `pieces` already has.
std::vector<PieceId> repeating_pieces(std::span<const PieceId> pieces, int64_t n);

}  // namespace nmt
