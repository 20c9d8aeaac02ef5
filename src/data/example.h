#pragma once

#include <cstdint>
#include <vector>

#include "text/tokenizer.h"

namespace nmt {

// One pair as pieces, without begin and end marks.
struct Example {
  std::vector<PieceId> source;
  std::vector<PieceId> target;
  int64_t line = 0;  // in the corpus, from 1; for messages

  bool operator==(const Example&) const = default;
};

}  // namespace nmt
