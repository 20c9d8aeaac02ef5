#include "data/batch.h"

#include <algorithm>
#include <numeric>

#include "tensor/transfer.h"

namespace nmt {

namespace {

torch::TensorOptions ids_on_cpu() { return torch::dtype(torch::kInt64); }

// [B,L] int64 filled with padding.
torch::Tensor padding(size_t rows, int64_t length) {
  return torch::full({static_cast<int64_t>(rows), length}, static_cast<int64_t>(kPadId), ids_on_cpu());
}

// Pieces and end mark of each row; `pieces_of(i)` gives those of row i.
template <class PiecesOf>
void fill_with_end_marks(size_t rows, PiecesOf pieces_of, torch::Tensor& ids, torch::Tensor& lengths, int64_t& tokens) {
  size_t longest = 0;
  for (size_t i = 0; i < rows; ++i) longest = std::max(longest, pieces_of(i).size());
  const auto width = static_cast<int64_t>(longest) + 1;
  ids = padding(rows, width);
  lengths = torch::empty({static_cast<int64_t>(rows)}, ids_on_cpu());
  auto* out = ids.mutable_data_ptr<int64_t>();
  auto* length = lengths.mutable_data_ptr<int64_t>();
  for (size_t i = 0; i < rows; ++i, out += width) {
    const std::vector<PieceId>& pieces = pieces_of(i);
    *std::copy(pieces.begin(), pieces.end(), out) = kEosId;
    tokens += length[i] = static_cast<int64_t>(pieces.size()) + 1;
  }
}

// Begin mark and pieces of each row: what the decoder reads.
torch::Tensor shifted_targets(const std::vector<Example>& examples, int64_t width) {
  torch::Tensor ids = padding(examples.size(), width);
  auto* out = ids.mutable_data_ptr<int64_t>();
  for (const Example& example : examples) {
    *out = kBosId;
    std::copy(example.target.begin(), example.target.end(), out + 1);
    out += width;
  }
  return ids;
}

}  // namespace

Batch Batch::to(const torch::Device& device) const {
  Batch out = *this;
  for (torch::Tensor* ids : {&out.source, &out.target_input, &out.target_output}) {
    if (ids->defined()) *ids = moved_to(*ids, device);
  }
  return out;
}

Batch make_batch(const std::vector<Example>& examples) {
  Batch batch;
  fill_with_end_marks(
      examples.size(), [&](size_t i) -> const auto& { return examples[i].source; }, batch.source, batch.source_lengths,
      batch.source_tokens);
  fill_with_end_marks(
      examples.size(), [&](size_t i) -> const auto& { return examples[i].target; }, batch.target_output,
      batch.target_lengths, batch.target_tokens);
  batch.target_input = shifted_targets(examples, batch.target_output.size(1));
  for (const Example& example : examples) batch.lines.push_back(example.line);
  return batch;
}

Batch make_source_batch(const std::vector<std::vector<PieceId>>& sources) {
  Batch batch;
  fill_with_end_marks(
      sources.size(), [&](size_t i) -> const auto& { return sources[i]; }, batch.source, batch.source_lengths,
      batch.source_tokens);
  batch.lines.resize(sources.size());
  std::iota(batch.lines.begin(), batch.lines.end(), 1);
  return batch;
}

}  // namespace nmt
