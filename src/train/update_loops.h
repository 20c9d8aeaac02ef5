#pragma once

#include <cstdint>

#include "ops/kernels.h"
#include "train/update_rules.h"

namespace nmt {

// The loops of an update, compiled for each level of the instruction set. All levels give the same bits: no operation
// is fused or reordered.

// Arrays of `size` weights, their gradients, and their moments (as many as the rule keeps).
struct UpdateSpan {
  int64_t size = 0;
  float* weights = nullptr;
  const float* gradients = nullptr;
  float* moments[2] = {nullptr, nullptr};
};

void update(const AdamRule& rule, const UpdateSpan& span, CpuLevel level);
void update(const SgdRule& rule, const UpdateSpan& span, CpuLevel level);
void update(const AdadeltaRule& rule, const UpdateSpan& span, CpuLevel level);

// Sum of squares in float64, in an order that depends on `size` only.
double sum_of_squares(const float* values, int64_t size, CpuLevel level);

}  // namespace nmt
