#pragma once

#include <bit>
#include <cstdint>

namespace nmt::NMT_KERNEL_LEVEL {
namespace {

// Elementary functions without branches, so that the compiler can run them on whole vectors. Included only by
// kernel_loops.h, which names the namespace of one instruction-set level.

// e^x with a relative error below 2e-7; x is first put between -87 and 88, where the result is a normal number.
// e^x = 2^n e^r with n = round(x / ln 2), |r| <= ln(2) / 2, and e^r by its Taylor polynomial of degree 7.
inline float fast_exp(float x) {
  x = x < -87.0f ? -87.0f : x;
  x = x > 88.0f ? 88.0f : x;
  const float scaled = x * 1.44269504f;
  const auto n = static_cast<int32_t>(scaled + (scaled < 0 ? -0.5f : 0.5f));
  const auto whole = static_cast<float>(n);
  float r = x - whole * 0.693359375f;  // ln 2 in two parts, the first exact in few bits
  r = r + whole * 2.12194440e-4f;
  float p = 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  return p * std::bit_cast<float>((n + 127) << 23);
}

inline float fast_sigmoid(float x) { return 1.0f / (1.0f + fast_exp(-x)); }

// tanh x = (1 - e^-2|x|) / (1 + e^-2|x|) with the sign of x; absolute error below 2e-7.
inline float fast_tanh(float x) {
  const float size = x < 0 ? -x : x;
  const float e = fast_exp(-2.0f * size);
  const float t = (1.0f - e) / (1.0f + e);
  return x < 0 ? -t : t;
}

}  // namespace
}  // namespace nmt::NMT_KERNEL_LEVEL
