#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "ops/product_kernels.h"
#include "ops/product_vector.h"

namespace nmt::NMT_KERNEL_LEVEL {

namespace {

// Lane by lane from one of two vectors: where the lane's bit kStride is set from the second, and the other way round.
template <size_t kStride, size_t... kLane>
void exchange(Vector& first, Vector& second, std::index_sequence<kLane...>) {
  const Vector a = first, b = second;
  first = __builtin_shufflevector(a, b, ((kLane & kStride) != 0 ? kLanes + kLane - kStride : kLane)...);
  second = __builtin_shufflevector(a, b, ((kLane & kStride) != 0 ? kLanes + kLane : kLane + kStride)...);
}

// Turns kLanes vectors, as the rows of a square matrix, into its columns.
template <size_t kStride = kLanes / 2>
void transpose(Vector* rows) {
  if constexpr (kStride > 0) {
#pragma GCC unroll 16
    for (size_t i = 0; i < kLanes; ++i) {
      if ((i & kStride) == 0) exchange<kStride>(rows[i], rows[i + kStride], std::make_index_sequence<kLanes>());
    }
    transpose<kStride / 2>(rows);
  }
}

// The packed form of some lines, a group of each line side by side.
struct Packed {
  float* groups;  // [groups, lines]: groups are 4 bytes of whatever they hold
  int64_t lines;
  int64_t count;

  // Group k of kLanes lines from `line` on. Where fewer lines are left the surplus goes where later groups follow.
  void set(int64_t line, int64_t k, Vector vector) const {
    float* to = groups + k * lines + line;
    const int64_t left = (count - k) * lines - line;
    if (left >= kLanes) {
      store(to, vector);
    } else {
      store_part(to, vector, left);
    }
  }
};

// Lines whose terms lie side by side: kLanes groups of kLanes lines at a time. Returns the number of groups done.
template <class Factor>
int64_t pack_along(const ProductKernels::Source& from, const Packed& to) {
  constexpr int64_t kTerms = kLanes * Factor::kGroup;
  const int64_t done = from.depth / kTerms * kLanes;
  for (int64_t k = 0; k < done; k += kLanes) {
    for (int64_t line = 0; line < to.lines; line += kLanes) {
      Vector block[kLanes] = {};
      for (int64_t i = 0; i < kLanes && line + i < from.lines; ++i) {
        block[i] = Factor::groups_along(from.data + (line + i) * from.line_stride + k * Factor::kGroup);
      }
      transpose(block);
      for (int64_t i = 0; i < kLanes; ++i) to.set(line, k + i, block[i]);
    }
  }
  return done;
}

// Lines that lie side by side, as far as whole vectors may be read: one group of kLanes lines at a time.
template <class Factor>
int64_t pack_across(const ProductKernels::Source& from, const Packed& to) {
  if (to.lines != from.lines || from.depth_stride < from.lines + kLanes) return 0;
  const int64_t done = (from.has_slack ? from.depth : from.depth - 1) / Factor::kGroup;
  for (int64_t k = 0; k < done; ++k) {
    for (int64_t line = 0; line < from.lines; line += kLanes) {
      const float* at = from.data + k * Factor::kGroup * from.depth_stride + line;
      for (int64_t term = 0; term < Factor::kGroup; ++term) {
        __builtin_prefetch(at + term * from.depth_stride + from.lines + kLanes - 1);  // for the lines after these
      }
      to.set(line, k, Factor::groups_across(at, from.depth_stride));
    }
  }
  return done;
}

// ProductKernels::pack
template <class Factor>
void pack(ProductKernels::Side /*side*/, const ProductKernels::Source& from, int64_t padded_lines,
          const ProductKernels::Destination& to) {
  static_assert(kLanes <= ProductKernels::kSlack);
  if (from.depth == 0) return;
  const int64_t groups = (from.depth + Factor::kGroup - 1) / Factor::kGroup;
  const Packed packed = {static_cast<float*>(to.groups), padded_lines, groups};
  int64_t done = 0;
  if (from.depth_stride == 1) {
    done = pack_along<Factor>(from, packed);
  } else if (from.line_stride == 1) {
    done = pack_across<Factor>(from, packed);
  }
  for (int64_t k = done; k < groups; ++k) {
    const int64_t first = k * Factor::kGroup;
    const int64_t terms = from.depth - first < Factor::kGroup ? from.depth - first : Factor::kGroup;
    for (int64_t line = 0; line < padded_lines; ++line) {
      const float* at = from.data + line * from.line_stride + first * from.depth_stride;
      const float group = line < from.lines ? Factor::group_of(at, from.depth_stride, terms) : 0;
      std::memcpy(packed.groups + k * padded_lines + line, &group, sizeof group);
    }
  }
}

}  // namespace

}  // namespace nmt::NMT_KERNEL_LEVEL
