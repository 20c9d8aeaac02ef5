#pragma once

#include <cstdint>
#include <span>

#include "search/search_options.h"

namespace nmt {

// Draws one piece from a row of log-probabilities, as the options say (temperature first, then top_k, then top_p).
// `uniform` in [0, 1) decides which. Returns -1 where no piece has any probability. NaN must
// have been ruled out.
PieceId draw_piece(std::span<const float> log_probs, const SamplingOptions& options, double uniform);

// A number in [0, 1) that depends on nothing but its arguments, so that a sentence's samples are the same in every
// batch and thread.
double uniform_of(uint64_t seed, uint64_t sentence, uint64_t sample, uint64_t step);

}  // namespace nmt
