#include "ops/loss_rows.h"

#include <torch/library.h>

#include "ops/operators.h"

namespace nmt {

namespace {

// The plain form, for devices without kernels.
void loss_rows_by_operators(torch::Tensor& scores, const torch::Tensor& targets, double smoothing, bool to_gradient,
                            torch::Tensor& totals) {
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
                torch::Tensor& totals) {
  static const Operator<decltype(loss_rows_by_operators)> loss_rows("nmt::loss_rows_");
  loss_rows(scores, targets, smoothing, to_gradient, totals);
}

TORCH_LIBRARY_IMPL(nmt, CompositeExplicitAutograd, library) { library.impl("loss_rows_", loss_rows_by_operators); }

}  // namespace nmt
