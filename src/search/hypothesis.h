#pragma once

#include <cstdint>
#include <vector>

#include "base/piece_id.h"

namespace nmt {

// One translation found by search.
struct Hypothesis {
  std::vector<PieceId> pieces;  // without begin and end marks
  std::vector<float>
      piece_log_probs;           // natural log of each piece's probability; one more, the end mark's, where finished
  double log_prob = 0;           // their sum
  double score = 0;              // what hypotheses are ranked by: log_prob normalised by the length penalty
  bool finished = true;          // false where the length limit cut it off before the end mark
  std::vector<int32_t> missing;  // the phrases asked for that it lacks, by their places in SentenceRequest::phrases
  std::vector<std::vector<float>>
      attention;  // [pieces (+1 for the end mark)][source positions]; empty unless asked for
};

}  // namespace nmt
