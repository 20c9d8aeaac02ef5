#include "data/batcher.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/error.h"
#include "base/random.h"

namespace nmt {

namespace {

constexpr int64_t kWindowBatches = 200;

// Random streams of one seed, told apart by these.
enum Stream : uint64_t { kPairOrder = 1, kBatchOrder = 2, kSubwords = 3 };

uint64_t stream_seed(uint64_t seed, Stream stream, int64_t epoch, int64_t number) {
  return mix_seed(mix_seed(mix_seed(seed, stream), static_cast<uint64_t>(epoch)), static_cast<uint64_t>(number));
}

template <class T>
void shuffle(std::vector<T>& items, uint64_t seed) {  // Fisher and Yates
  SplitMix64 random(seed);
  for (size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[random.below(left)]);
}

// Pairs of about two hundred batches, from the mean lengths.
int64_t pairs_in_window(const EncodedCorpus& corpus, const BatchLimits& limits) {
  const CorpusSummary& summary = corpus.summary();
  const int64_t source_mean = summary.source_pieces / summary.kept + 1;
  const int64_t target_mean = summary.target_pieces / summary.kept + 1;
  const int64_t in_batch =
      std::min({limits.sentences, limits.target_tokens / target_mean, limits.source_tokens / source_mean});
  return kWindowBatches * std::max<int64_t>(in_batch, 1);
}

// `length` pieces, those of `pattern` again and again.
std::vector<PieceId> repeat_to(const std::vector<PieceId>& pattern, int64_t length) {
  std::vector<PieceId> out(static_cast<size_t>(length));
  for (size_t i = 0; i < out.size(); ++i) out[i] = pattern[i % pattern.size()];
  return out;
}

struct Rectangle {
  int64_t sentences = 1;
  int64_t source = 1;
  int64_t target = 1;
  // Attention weights are B x S x T; a position of a recurrent layer keeps some hundred times as much.
  double cost() const {
    const auto b = static_cast<double>(sentences);
    const auto s = static_cast<double>(source);
    const auto t = static_cast<double>(target);
    return b * s * t + 100 * b * (s + t);
  }
};

}  // namespace

std::vector<std::vector<int64_t>> cut_into_batches(const std::vector<PairLengths>& pairs, const BatchLimits& limits) {
  std::vector<int64_t> order(pairs.size());
  std::iota(order.begin(), order.end(), 0);
  // Sources rise where the target length is even and fall where it is odd, so that a batch over the border between two
  // target lengths has sources of like length too.
  const auto key = [&](int64_t i) {
    const PairLengths& pair = pairs[static_cast<size_t>(i)];
    return std::tuple(pair.target, pair.target % 2 == 0 ? pair.source : -pair.source, i);
  };
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return key(a) < key(b); });

  std::vector<std::vector<int64_t>> batches;
  int64_t longest_source = 0;
  for (const int64_t index : order) {
    const auto& [source, target] = pairs[static_cast<size_t>(index)];
    longest_source = std::max(longest_source, source);
    const auto sentences = batches.empty() ? 0 : static_cast<int64_t>(batches.back().size()) + 1;
    const bool fits = !batches.empty() && sentences <= limits.sentences &&
                      sentences * (target + 1) <= limits.target_tokens &&
                      sentences * (longest_source + 1) <= limits.source_tokens;
    if (!fits) {
      batches.emplace_back();
      longest_source = source;
    }
    batches.back().push_back(index);
  }
  return batches;
}

Batcher::Batcher(std::shared_ptr<const EncodedCorpus> corpus, const TrainConfig& config, SubwordSampling sampling,
                 BatcherPosition start)
    : corpus_(std::move(corpus)),
      limits_(BatchLimits::of(config)),
      seed_(static_cast<uint64_t>(config.seed)),
      sampling_(std::move(sampling)),
      position_(start),
      window_pairs_(pairs_in_window(*corpus_, limits_)) {
  const bool possible = start.epoch >= 0 && start.window_begin >= 0 && start.window_begin < corpus_->size() &&
                        start.window_begin % window_pairs_ == 0 && start.batch >= 0;
  if (possible) open_window();
  if (!possible || start.batch >= static_cast<int64_t>(batches_.size())) {
    throw ModelError(
        "The place in the data that the checkpoint names doesn't exist in this corpus; the corpus or the "
        "batch size is another one.");
  }
}

Example Batcher::example(int64_t index) const {
  Example example = corpus_->example(index);
  if (sampling_.alpha <= 0) return example;
  const uint64_t seed = stream_seed(seed_, kSubwords, position_.epoch, example.line);
  auto source = sampling_.tokenizers.source->resample(example.source, sampling_.alpha, mix_seed(seed, 0));
  auto target = sampling_.tokenizers.target->resample(example.target, sampling_.alpha, mix_seed(seed, 1));
  // No longer than any the corpus has, so that largest_batch() stays an upper bound.
  if (static_cast<int64_t>(source.size()) <= corpus_->longest_source()) example.source = std::move(source);
  if (static_cast<int64_t>(target.size()) <= corpus_->longest_target()) example.target = std::move(target);
  return example;
}

void Batcher::open_window() {
  if (permuted_epoch_ != position_.epoch) {
    permutation_.resize(static_cast<size_t>(corpus_->size()));
    std::iota(permutation_.begin(), permutation_.end(), 0);
    shuffle(permutation_, stream_seed(seed_, kPairOrder, position_.epoch, 0));
    permuted_epoch_ = position_.epoch;
  }
  const int64_t end = std::min(position_.window_begin + window_pairs_, corpus_->size());
  examples_.clear();
  std::vector<PairLengths> lengths;
  for (int64_t i = position_.window_begin; i < end; ++i) {
    examples_.push_back(example(static_cast<int64_t>(permutation_[static_cast<size_t>(i)])));
    lengths.push_back(
        {static_cast<int64_t>(examples_.back().source.size()), static_cast<int64_t>(examples_.back().target.size())});
  }
  batches_ = cut_into_batches(lengths, limits_);
  shuffle(batches_, stream_seed(seed_, kBatchOrder, position_.epoch, position_.window_begin));
}

Batch Batcher::next() {
  if (batches_.empty()) open_window();
  std::vector<Example> chosen;
  for (const int64_t i : batches_[static_cast<size_t>(position_.batch)]) {
    chosen.push_back(examples_[static_cast<size_t>(i)]);
  }
  position_.pairs += static_cast<int64_t>(chosen.size());
  if (++position_.batch == static_cast<int64_t>(batches_.size())) {
    position_.window_begin += window_pairs_;
    position_.batch = 0;
    if (position_.window_begin >= corpus_->size()) position_ = {position_.epoch + 1, 0, 0, 0};
    batches_.clear();
  }
  return make_batch(chosen);
}

Batch Batcher::largest_batch() const {
  const int64_t longest_source = corpus_->longest_source() + 1;
  const int64_t longest_target = corpus_->longest_target() + 1;
  Rectangle largest = {1, longest_source, longest_target};  // a pair may be longer than the limits
  for (int64_t sentences = 2; sentences <= std::min(limits_.sentences, corpus_->size()); ++sentences) {
    const Rectangle next = {sentences, std::min(longest_source, limits_.source_tokens / sentences),
                            std::min(longest_target, limits_.target_tokens / sentences)};
    if (next.source < 2 || next.target < 2) break;
    if (next.cost() > largest.cost()) largest = next;
  }
  const Example some = corpus_->example(0);
  const Example longest = {repeat_to(some.source, largest.source - 1), repeat_to(some.target, largest.target - 1),
                           some.line};
  return make_batch(std::vector<Example>(static_cast<size_t>(largest.sentences), longest));
}

}  // namespace nmt
