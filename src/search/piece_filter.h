#pragma once

#include <span>
#include <vector>

#include "base/piece_id.h"

namespace nmt {

// Says which pieces may not follow a prefix. Safe to use from several threads.
class PieceFilter {
 public:
  virtual ~PieceFilter() = default;

  // Pieces that may not follow any prefix.
  virtual std::vector<PieceId> never() const = 0;
  // Further pieces that may not follow `prefix`; valid as long as the filter.
  virtual std::span<const PieceId> forbidden_after(std::span<const PieceId> prefix) const = 0;
};

}  // namespace nmt
