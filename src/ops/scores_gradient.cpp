#include "ops/scores_gradient.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <vector>

#include "ops/kernels.h"

namespace nmt {

namespace {

MatrixView rows_view(const float* data, int64_t rows, int64_t columns) { return {data, rows, columns, columns, 1}; }
MatrixView transposed(const MatrixView& view) {
  return {view.data, view.columns, view.rows, view.column_stride, view.row_stride};
}

}  // namespace

PackedScoresGradient pack_scores_gradient(const ProductKernels& kernels, torch::Tensor& scores,
                                          const torch::Tensor& targets, double smoothing, torch::Tensor& totals) {
  const int64_t rows = scores.size(0), vocab = scores.size(1);
  PackedScoresGradient out = {PackedRows(kernels, rows, vocab, kernels.group), PackedRows(kernels, vocab, rows),
                              torch::Tensor()};
  const int64_t tiles = out.by_row.count();
  const auto sums = at::empty({tiles, vocab}, scores.options());
  std::vector<LossOfRow> losses(static_cast<size_t>(rows));
  auto* const score = scores.mutable_data_ptr<float>();
  auto* const sum = sums.mutable_data_ptr<float>();
  const auto* const target = targets.const_data_ptr<int64_t>();
  at::parallel_for(0, tiles, 1, [&](int64_t begin, int64_t end) {
    for (int64_t tile = begin; tile < end; ++tile) {
      const int64_t first = out.by_row.first_row(tile), count = out.by_row.rows_of(tile);
      for (int64_t i = first; i < first + count; ++i) {
        losses[static_cast<size_t>(i)] =
            nmt::kernels().loss_row(score + i * vocab, vocab, target[i], static_cast<float>(smoothing), true);
      }
      const MatrixView gradient = rows_view(score + first * vocab, count, vocab);
      out.by_row.pack_tile(tile, gradient);
      out.by_piece.pack_terms(first, transposed(gradient));
      nmt::kernels().sum_rows(gradient.data, count, vocab, sum + tile * vocab);
    }
  });
  out.sum = sums.sum(0);
  auto* const total = totals.mutable_data_ptr<double>();
  for (const LossOfRow& loss : losses) {
    total[0] += loss.smoothed;
    total[1] += loss.nll;
  }
  return out;
}

}  // namespace nmt
