#include "ops/log_sum_exp.h"

#include <ATen/Parallel.h>
#include <torch/library.h>

#include "ops/kernels.h"
#include "ops/operators.h"

namespace nmt {

namespace {

constexpr int64_t kRowsPerTask = 8;

// The plain form, for devices without kernels.
torch::Tensor by_operators(const torch::Tensor& scores) { return scores.logsumexp(1, /*keepdim=*/true); }

torch::Tensor on_cpu(const torch::Tensor& scores) {
  if (scores.scalar_type() != torch::kFloat32 || scores.numel() == 0) return by_operators(scores);
  const auto rows = scores.contiguous();
  const int64_t width = rows.size(1);
  auto out = at::empty({rows.size(0), 1}, rows.options());
  const auto* from = rows.const_data_ptr<float>();
  auto* to = out.mutable_data_ptr<float>();
  at::parallel_for(0, rows.size(0), kRowsPerTask, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) to[row] = kernels().log_sum_exp(from + row * width, width);
  });
  return out;
}

}  // namespace

torch::Tensor log_sum_exp(const torch::Tensor& scores) {
  static const Operator<decltype(by_operators)> run("nmt::log_sum_exp");
  return run(scores);
}

TORCH_LIBRARY_IMPL(nmt, CPU, library) { library.impl("log_sum_exp", on_cpu); }
TORCH_LIBRARY_IMPL(nmt, CompositeExplicitAutograd, library) { library.impl("log_sum_exp", by_operators); }

}  // namespace nmt
