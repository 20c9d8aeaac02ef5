#pragma once

#include <torch/types.h>
#include <torch/utils.h>

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "search/stepper.h"
#include "text/tokenizer.h"

namespace nmt::test {

using Pieces = std::vector<PieceId>;

// A model written as a table: the log-probabilities ([V]) of the next piece, given the sentence and the prefix.
using Table = std::function<std::vector<float>(int64_t sentence, const Pieces& prefix)>;

// Steps through a table and notes how many rows each step had.
class TableStepper : public Stepper {
 public:
  TableStepper(Table table, int64_t vocab_size, const std::vector<int64_t>& sentences,
               std::vector<int64_t> source_lengths)
      : table_(std::move(table)), vocab_size_(vocab_size), source_lengths_(std::move(source_lengths)) {
    for (const int64_t sentence : sentences) rows_.push_back({sentence, {}});
    count_ = static_cast<int64_t>(rows_.size());
  }

  // Attention weights ([S]) of the row that predicts after a prefix.
  void attend(Table attention) { attention_table_ = std::move(attention); }

  // From now on scores aren't normalized: those of row i are higher by (i + 1) `shift`.
  void shift(double shift) { shift_ = shift; }

  int64_t sentences() const override { return count_; }
  int64_t source_length(int64_t b) const override { return source_lengths_.at(static_cast<size_t>(b)); }
  int64_t vocab_size() const override { return vocab_size_; }

  StepOutput step(const torch::Tensor& last_pieces) override {
    const auto pieces = last_pieces.accessor<int64_t, 1>();
    if (last_pieces.size(0) != static_cast<int64_t>(rows_.size())) throw std::logic_error("wrong number of rows");
    for (size_t i = 0; i < rows_.size(); ++i) {
      const auto piece = static_cast<PieceId>(pieces[static_cast<int64_t>(i)]);
      if (steps_ == 0 && piece != kBosId) throw std::logic_error("search must begin with the begin mark");
      if (steps_ > 0) rows_[i].second.push_back(piece);
    }
    ++steps_;
    rows_per_step.push_back(rows_.size());
    StepOutput output;
    output.scores = fill(table_, vocab_size_);
    if (shift_ != 0) {
      output.normalizer = torch::arange(1, static_cast<int64_t>(rows_.size()) + 1, torch::kFloat32).unsqueeze(1);
      output.normalizer *= shift_;
      output.scores += output.normalizer;
    }
    if (attention_table_) {
      int64_t longest = 0;
      for (const int64_t length : source_lengths_) longest = std::max(longest, length);
      output.attention = fill(attention_table_, longest);
    }
    return output;
  }

  void reorder(const torch::Tensor& rows) override {
    std::vector<std::pair<int64_t, Pieces>> next;
    for (int64_t i = 0; i < rows.size(0); ++i) next.push_back(rows_.at(static_cast<size_t>(rows[i].item<int64_t>())));
    rows_ = std::move(next);
  }

  std::vector<size_t> rows_per_step;

 private:
  torch::Tensor fill(const Table& table, int64_t width) const {
    torch::Tensor all = torch::zeros({static_cast<int64_t>(rows_.size()), width});
    for (size_t i = 0; i < rows_.size(); ++i) {
      const std::vector<float> row = table(rows_[i].first, rows_[i].second);
      for (size_t v = 0; v < row.size(); ++v) all[static_cast<int64_t>(i)][static_cast<int64_t>(v)] = row[v];
    }
    return all;
  }

  Table table_;
  Table attention_table_;
  int64_t vocab_size_;
  std::vector<int64_t> source_lengths_;
  std::vector<std::pair<int64_t, Pieces>> rows_;
  int64_t count_;
  int64_t steps_ = 0;
  double shift_ = 0;
};

// Log-probabilities that look random but depend on nothing but (seed, sentence, prefix). Larger `peak` makes some
// pieces much likelier than others.
inline Table random_table(uint64_t seed, int64_t vocab_size, double peak = 2) {
  return [=](int64_t sentence, const Pieces& prefix) {
    uint64_t state = seed * 1000003 + static_cast<uint64_t>(sentence) + 17;
    for (const PieceId piece : prefix) state = state * 6364136223846793005ULL + static_cast<uint64_t>(piece) + 1;
    std::vector<double> logits;
    double sum = 0;
    for (int64_t v = 0; v < vocab_size; ++v) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      logits.push_back(peak * (static_cast<double>(state >> 33) / static_cast<double>(1ULL << 31)) * 2);
      sum += std::exp(logits.back());
    }
    std::vector<float> row;
    for (const double logit : logits) row.push_back(static_cast<float>(logit - std::log(sum)));
    return row;
  };
}

}  // namespace nmt::test
