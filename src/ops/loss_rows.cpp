#include "ops/loss_rows.h"

#include <ATen/Parallel.h>

#include <vector>

#include "ops/kernels.h"

namespace nmt {

namespace {

void loss_rows_by_operators(torch::Tensor& scores, const torch::Tensor& targets, double smoothing, bool to_gradient,
                            const torch::Tensor& totals) {
  const auto columns = targets.unsqueeze(1);
  scores.sub_(scores.logsumexp(1, /*keepdim=*/true));  // log-probabilities
  const auto nll = -scores.gather(1, columns).sum(torch::kFloat64);
  totals[0].add_(nll * (1 - smoothing) - scores.mean(1).sum(torch::kFloat64) * smoothing);
  totals[1].add_(nll);
  if (!to_gradient) return;
  scores.exp_().sub_(smoothing / static_cast<double>(scores.size(1)));
  scores.scatter_add_(1, columns, at::full_like(columns, smoothing - 1, scores.options()));
}

}  // namespace

void loss_rows_(torch::Tensor& scores, const torch::Tensor& targets, double smoothing, bool to_gradient,
                const torch::Tensor& totals) {
  if (!scores.device().is_cpu()) return loss_rows_by_operators(scores, targets, smoothing, to_gradient, totals);
  const int64_t rows = scores.size(0);
  const int64_t vocab = scores.size(1);
  float* const first = scores.data_ptr<float>();
  const auto contiguous_targets = targets.contiguous();
  const int64_t* const target = contiguous_targets.data_ptr<int64_t>();
  std::vector<LossOfRow> losses(static_cast<size_t>(rows));
  at::parallel_for(0, rows, 8, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      losses[static_cast<size_t>(i)] =
          kernels().loss_row(first + i * vocab, vocab, target[i], static_cast<float>(smoothing), to_gradient);
    }
  });
  double* const total = totals.data_ptr<double>();
  for (const LossOfRow& loss : losses) {
    total[0] += loss.smoothed;
    total[1] += loss.nll;
  }
}

}  // namespace nmt
