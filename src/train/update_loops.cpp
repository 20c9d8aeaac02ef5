#include "train/update_loops.h"

#include <array>

namespace nmt {

namespace {

template <class Rule>
[[gnu::always_inline]] inline void run(const Rule& rule, const UpdateSpan& span) {
  float* __restrict w = span.weights;
  const float* __restrict g = span.gradients;
  float* __restrict a = span.moments[0];
  if constexpr (Rule::kMoments == 2) {
    float* __restrict b = span.moments[1];
    for (int64_t i = 0; i < span.size; ++i) rule(w[i], g[i], a[i], b[i]);
  } else {
    for (int64_t i = 0; i < span.size; ++i) rule(w[i], g[i], a[i]);
  }
}

[[gnu::always_inline]] inline double run_squares(const float* values, int64_t size) {
  constexpr int64_t kLanes = 16;
  std::array<double, kLanes> lanes = {};
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      const double value = values[i + lane];
      lanes[lane] += value * value;
    }
  }
  for (; i < size; ++i) lanes[i % kLanes] += static_cast<double>(values[i]) * values[i];
  for (int64_t half = kLanes / 2; half > 0; half /= 2) {
    for (int64_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  }
  return lanes[0];
}

#if defined(__x86_64__)
#define NMT_AVX2 [[gnu::target("avx2")]]
#define NMT_AVX512 [[gnu::target("avx512f,avx512vl,avx512dq,avx512bw,prefer-vector-width=512")]]
#else
#define NMT_AVX2
#define NMT_AVX512
#endif

template <class Rule>
NMT_AVX2 void run_avx2(const Rule& rule, const UpdateSpan& span) {
  run(rule, span);
}
template <class Rule>
NMT_AVX512 void run_avx512(const Rule& rule, const UpdateSpan& span) {
  run(rule, span);
}
NMT_AVX2 double run_squares_avx2(const float* values, int64_t size) { return run_squares(values, size); }
NMT_AVX512 double run_squares_avx512(const float* values, int64_t size) { return run_squares(values, size); }

template <class Rule>
void dispatch(const Rule& rule, const UpdateSpan& span, CpuLevel level) {
  switch (level) {
    case CpuLevel::kPlain: run(rule, span); break;
    case CpuLevel::kAvx2: run_avx2(rule, span); break;
    case CpuLevel::kAvx512: run_avx512(rule, span); break;
  }
}

}  // namespace

void update(const AdamRule& rule, const UpdateSpan& span, CpuLevel level) { dispatch(rule, span, level); }
void update(const SgdRule& rule, const UpdateSpan& span, CpuLevel level) { dispatch(rule, span, level); }
void update(const AdadeltaRule& rule, const UpdateSpan& span, CpuLevel level) { dispatch(rule, span, level); }

double sum_of_squares(const float* values, int64_t size, CpuLevel level) {
  switch (level) {
    case CpuLevel::kPlain: break;
    case CpuLevel::kAvx2: return run_squares_avx2(values, size);
    case CpuLevel::kAvx512: return run_squares_avx512(values, size);
  }
  return run_squares(values, size);
}

}  // namespace nmt
