#include "metrics/edit_band.h"

#include <algorithm>
#include <cmath>

namespace nmt::metrics {

namespace {

constexpr double kBeamWidth = 25;

}  // namespace

void EditBand::assign(std::span<const WordId> hypothesis, std::span<const WordId> reference) {
  hypothesis_ = hypothesis;
  reference_ = reference;
  has_backward_ = false;
  lay_out_band();
  forward_.resize(rows_.back().offset + rows_.back().end - rows_.back().begin);
  for (size_t j = 0; j < rows_[0].end; ++j) forward_[j] = static_cast<int>(j);
  for (size_t i = 1; i < rows_.size(); ++i) {
    next_row(hypothesis_[i - 1], rows_[i - 1], &forward_[rows_[i - 1].offset], rows_[i], &forward_[rows_[i].offset]);
  }
}

// The band depends on the two lengths only. The first and the last row reach to the end of the reference.
void EditBand::lay_out_band() {
  const size_t words = hypothesis_.size();
  const size_t cells = reference_.size() + 1;
  const double ratio = words > 0 ? static_cast<double>(reference_.size()) / static_cast<double>(words) : 1;
  const double width = kBeamWidth < ratio / 2 ? std::ceil(ratio / 2 + kBeamWidth) : kBeamWidth;
  rows_.assign(1, {0, 0, cells});
  for (size_t i = 1; i <= words; ++i) {
    const double diagonal = std::floor(static_cast<double>(i) * ratio);
    const auto begin = static_cast<size_t>(std::max(0.0, diagonal - width));
    const size_t end = i == words ? cells : std::min(cells, static_cast<size_t>(diagonal + width));
    rows_.push_back({rows_.back().offset + rows_.back().end - rows_.back().begin, begin, end});
  }
}

void EditBand::next_row(WordId word, const Row& above_row, const int* above, const Row& row, int* out) const {
  const auto above_at = [&](size_t j) {
    return j >= above_row.begin && j < above_row.end ? above[j - above_row.begin] : kFar;
  };
  int left = kFar;
  int diagonal = row.begin > 0 ? above_at(row.begin - 1) : kFar;
  for (size_t j = row.begin; j < row.end; ++j) {
    const int up = above_at(j);
    int best = up + 1;
    if (j > 0) best = std::min(best, diagonal + (word != reference_[j - 1]));
    best = std::min({best, left + 1, kFar});
    out[j - row.begin] = left = best;
    diagonal = up;
  }
}

const std::vector<EditBand::Edit>& EditBand::edits() {
  edits_.clear();
  size_t i = hypothesis_.size();
  size_t j = reference_.size();
  while (i > 0 || j > 0) {
    const int here = cell(forward_, i, j);
    if (i > 0 && j > 0) {
      const bool differ = hypothesis_[i - 1] != reference_[j - 1];
      if (cell(forward_, i - 1, j - 1) + differ == here) {
        edits_.push_back(differ ? Edit::kReplace : Edit::kKeep);
        --i;
        --j;
        continue;
      }
    }
    if (i > 0 && cell(forward_, i - 1, j) + 1 == here) {
      edits_.push_back(Edit::kDelete);
      --i;
    } else {
      edits_.push_back(Edit::kInsert);
      --j;
    }
  }
  std::reverse(edits_.begin(), edits_.end());
  return edits_;
}

void EditBand::fill_backward() {
  has_backward_ = true;
  backward_.resize(forward_.size());
  const Row& last = rows_.back();
  for (size_t j = last.begin; j < last.end; ++j) {
    backward_[last.offset + j - last.begin] = static_cast<int>(reference_.size() - j);
  }
  for (size_t i = rows_.size() - 1; i-- > 0;) {
    const Row& row = rows_[i];
    int right = kFar;
    for (size_t j = row.end; j-- > row.begin;) {
      int best = std::min(cell(backward_, i + 1, j), right) + 1;
      if (j < reference_.size()) {
        best = std::min(best, cell(backward_, i + 1, j + 1) + (hypothesis_[i] != reference_[j]));
      }
      backward_[row.offset + j - row.begin] = right = std::min(best, kFar);
    }
  }
}

int EditBand::distance_with(size_t first, std::span<const WordId> middle) {
  if (!has_backward_) fill_backward();
  const int* above = &forward_[rows_[first].offset];
  for (size_t k = 0; k < middle.size(); ++k) {
    std::vector<int>& out = scratch_[k % 2];
    const Row& row = rows_[first + k + 1];
    out.resize(std::max(out.size(), row.end - row.begin));
    next_row(middle[k], rows_[first + k], above, row, out.data());
    above = out.data();
  }
  const Row& row = rows_[first + middle.size()];
  int best = kFar;
  for (size_t k = 0; k < row.end - row.begin; ++k) best = std::min(best, above[k] + backward_[row.offset + k]);
  return best;
}

}  // namespace nmt::metrics
