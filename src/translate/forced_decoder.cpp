#include "translate/forced_decoder.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/stop.h"
#include "translate/line_text.h"
#include "translate/parallel.h"

namespace nmt {

namespace {

constexpr size_t kBatchPositions = 16384;  // source positions of a batch, padding included: bounds memory

// Neighbours in length, the longest first: batches don't depend on the number of threads.
std::vector<std::vector<ForcedPair*>> make_batches(std::vector<ForcedPair*> pairs, size_t batch_sentences) {
  std::stable_sort(pairs.begin(), pairs.end(), [](const ForcedPair* a, const ForcedPair* b) {
    if (a->source_pieces.size() != b->source_pieces.size()) return a->source_pieces.size() > b->source_pieces.size();
    return a->target_pieces.size() > b->target_pieces.size();
  });
  std::vector<std::vector<ForcedPair*>> batches;
  size_t room = 0;
  for (ForcedPair* pair : pairs) {
    if (room == 0) {
      batches.emplace_back();
      room = std::clamp<size_t>(kBatchPositions / (pair->source_pieces.size() + 1), 1, batch_sentences);
    }
    batches.back().push_back(pair);
    --room;
  }
  return batches;
}

Batch sources_of(const std::vector<ForcedPair*>& pairs) {
  std::vector<std::vector<PieceId>> sources;
  for (const ForcedPair* pair : pairs) sources.push_back(pair->source_pieces);
  return make_source_batch(sources);
}

// The piece that each of the first `rows` pairs has as prediction t: [rows] int64.
torch::Tensor predictions_at(const std::vector<ForcedPair*>& pairs, int64_t rows, size_t t) {
  torch::Tensor pieces = torch::empty({rows}, torch::kInt64);
  auto* out = pieces.mutable_data_ptr<int64_t>();
  for (size_t row = 0; row < static_cast<size_t>(rows); ++row) {
    const std::vector<PieceId>& target = pairs[row]->target_pieces;
    out[row] = t < target.size() ? target[t] : kEosId;
  }
  return pieces;
}

void keep_log_probs(const std::vector<ForcedPair*>& pairs, const torch::Tensor& values /* [rows] on the CPU */) {
  const float* value = values.const_data_ptr<float>();
  for (int64_t row = 0; row < values.size(0); ++row) {
    if (std::isnan(value[row])) throw InternalError("The model gives NaN as a log-probability.");
    ForcedPair& pair = *pairs[static_cast<size_t>(row)];
    pair.piece_log_probs.push_back(value[row]);
    pair.log_prob += value[row];
  }
}

void keep_attention(const std::vector<ForcedPair*>& pairs, const torch::Tensor& weights /* [rows,S] on the CPU */) {
  const float* row = weights.const_data_ptr<float>();
  for (int64_t i = 0; i < weights.size(0); ++i, row += weights.size(1)) {
    ForcedPair& pair = *pairs[static_cast<size_t>(i)];
    pair.attention.emplace_back(row, row + pair.source_pieces.size() + 1);
  }
}

void keep_coverage(const std::vector<ForcedPair*>& pairs, const torch::Tensor& sums /* [rows,S] on the CPU */) {
  const float* row = sums.const_data_ptr<float>();
  for (ForcedPair* pair : pairs) {
    pair->coverage = coverage_of({row, pair->source_pieces.size() + 1});
    row += sums.size(1);
  }
}

}  // namespace

ForcedDecoder::ForcedDecoder(TokenizerPair tokenizers, std::shared_ptr<const ModelEnsemble> models,
                             ForcedOptions options)
    : tokenizers_(std::move(tokenizers)), models_(std::move(models)), options_(options) {
  if (options_.max_pieces < 1) throw UsageError("The maximum length must be at least 1 piece.");
  if (options_.batch_sentences < 1) throw UsageError("A batch must have at least 1 sentence.");
}

std::vector<ForcedPair> ForcedDecoder::decode(const std::vector<LinePair>& lines) const {
  std::vector<ForcedPair> pairs;
  pairs.reserve(lines.size());
  for (const LinePair& line : lines) {
    if (stop_requested()) throw InterruptedError("Interrupted while cutting text into pieces.");
    pairs.push_back(prepare(line));
  }
  decode(pairs);
  return pairs;
}

ForcedPair ForcedDecoder::prepare(const LinePair& line) const {
  ForcedPair pair;
  size_t replaced = 0;
  pair.source = line_text(line.source, &replaced);
  pair.target = line_text(line.target, &replaced);
  pair.replaced_utf8 = static_cast<int64_t>(replaced);
  pair.source_pieces = tokenizers_.source->encode(pair.source);
  pair.target_pieces = tokenizers_.target->encode(pair.target);
  return pair;
}

void ForcedDecoder::decode(std::vector<ForcedPair>& pairs) const {
  std::vector<ForcedPair*> wanted;
  for (ForcedPair& pair : pairs) {
    const size_t longest = std::max(pair.source_pieces.size(), pair.target_pieces.size());
    pair.too_long = static_cast<int64_t>(longest) > options_.max_pieces;
    if (!pair.too_long && !pair.blank()) wanted.push_back(&pair);
  }
  const auto batches = make_batches(std::move(wanted), static_cast<size_t>(options_.batch_sentences));
  for_each_in_parallel(batches.size(), options_.threads, [&](size_t i) { decode_batch(batches[i]); });
}

// Rows are in order of falling target length, so that those that go on are always the first ones.
void ForcedDecoder::decode_batch(std::vector<ForcedPair*> batch) const {
  const c10::InferenceMode no_gradients;
  std::stable_sort(batch.begin(), batch.end(), [](const ForcedPair* a, const ForcedPair* b) {
    return a->target_pieces.size() > b->target_pieces.size();
  });
  const std::unique_ptr<Stepper> stepper = models_->start(sources_of(batch));
  auto rows = static_cast<int64_t>(batch.size());
  torch::Tensor last = torch::full({rows}, static_cast<int64_t>(kBosId), torch::kInt64);
  torch::Tensor attention_sums;  // [B,S]
  for (size_t t = 0; rows > 0; ++t) {
    if (stop_requested()) throw InterruptedError("Interrupted while scoring.");
    const torch::Tensor wanted = predictions_at(batch, rows, t);
    const StepOutput output = stepper->step(last);
    const StepOutput chosen = {
        output.scores.gather(1, wanted.to(output.scores.device()).unsqueeze(1)), output.normalizer, {}};
    keep_log_probs(batch, chosen.log_probs().squeeze(1).to(torch::kCPU, torch::kFloat32));
    if (output.attention.defined() && (options_.attention || options_.coverage)) {
      const auto weights = output.attention.to(torch::kCPU, torch::kFloat32).contiguous();
      if (options_.attention) keep_attention(batch, weights);
      if (!attention_sums.defined()) attention_sums = torch::zeros_like(weights);
      attention_sums.narrow(0, 0, rows).add_(weights);
    }
    const int64_t before = rows;
    while (rows > 0 && batch[static_cast<size_t>(rows) - 1]->target_pieces.size() == t) --rows;
    if (rows < before && rows > 0) stepper->reorder(torch::arange(rows, torch::kInt64));
    last = wanted.narrow(0, 0, rows);
  }
  if (options_.coverage && attention_sums.defined()) keep_coverage(batch, attention_sums);
}

}  // namespace nmt
