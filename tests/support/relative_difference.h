#pragma once

#include <torch/types.h>

#include <algorithm>
#include <limits>

namespace nmt {

// |got - expected| / |expected| in float64, Euclidean norms.
inline double relative_difference(const torch::Tensor& got, const torch::Tensor& expected) {
  const auto exact = expected.to(torch::kFloat64);
  return (got.to(torch::kFloat64) - exact).norm().item<double>() /
         std::max(exact.norm().item<double>(), std::numeric_limits<double>::min());
}

}  // namespace nmt
