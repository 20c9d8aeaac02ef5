#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "config/train_config.h"
#include "data/batch.h"
#include "data/encoded_corpus.h"

namespace nmt {

// How large a batch may be. Lengths count the end mark, padding counts.
struct BatchLimits {
  int64_t target_tokens = 2048;  // sentences x longest target
  int64_t source_tokens = 4096;  // sentences x longest source
  int64_t sentences = 256;

  static BatchLimits of(const TrainConfig& config) {
    return {config.batch_tokens, 2 * config.batch_tokens, config.max_batch_sentences};
  }
};

// Lengths of a pair in pieces, end marks not counted.
struct PairLengths {
  int64_t source = 0;
  int64_t target = 0;
};

// Groups the pairs into batches of similar length: the indices of each, in order of target length, then source length,
// ties in the order given. A pair too long for the limits is a batch of its own.
std::vector<std::vector<int64_t>> cut_into_batches(const std::vector<PairLengths>& pairs, const BatchLimits& limits);

// Where a Batcher stands: plain numbers, kept in a checkpoint.
struct BatcherPosition {
  int64_t epoch = 0;         // from 0
  int64_t window_begin = 0;  // pairs of the epoch in the windows before this one
  int64_t batch = 0;         // batches of this window that were given out
  int64_t pairs = 0;         // pairs of this epoch that were given out
  bool operator==(const BatcherPosition&) const = default;
};

// Subword regularisation: each pair is cut anew in each epoch. Off where alpha is 0.
struct SubwordSampling {
  double alpha = 0;
  TokenizerPair tokenizers;
};

// Endless batches: each epoch is a seeded permutation of the corpus, taken in windows of about two hundred batches; the
// pairs of a window are sorted by length and cut into batches, and the batches come in random order. What is given
// depends on corpus, configuration, seed and position only, so that a run resumed at a position goes on bit for bit.
class Batcher {
 public:
  Batcher(std::shared_ptr<const EncodedCorpus> corpus, const TrainConfig& config, SubwordSampling sampling = {},
          BatcherPosition start = {});

  Batch next();  // moves on to the next epoch by itself

  // Of the next batch: after the last batch of an epoch it is {epoch + 1, 0, 0, 0}.
  const BatcherPosition& position() const { return position_; }

  int64_t pairs_in_epoch() const { return corpus_->size(); }

  // The largest batch that limits and longest sentences allow, to be run before training: none that comes needs more
  // memory. Its sentences are made up.
  Batch largest_batch() const;

 private:
  void open_window();
  Example example(int64_t index) const;

  std::shared_ptr<const EncodedCorpus> corpus_;
  BatchLimits limits_;
  uint64_t seed_;
  SubwordSampling sampling_;
  BatcherPosition position_;
  int64_t window_pairs_;               // in a full window
  std::vector<uint64_t> permutation_;  // of the epoch permuted_epoch_
  int64_t permuted_epoch_ = -1;
  std::vector<Example> examples_;              // of the window
  std::vector<std::vector<int64_t>> batches_;  // of the window: positions in examples_, in the order they are given
};

}  // namespace nmt
