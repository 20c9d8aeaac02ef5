#include "data/batcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"
#include "data/made_up_corpus.h"
#include "support/shared.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/tokenizer_trainer.h"

namespace nmt {
namespace {

bool same(const Batch& a, const Batch& b) {
  return a.lines == b.lines && a.source.equal(b.source) && a.target_input.equal(b.target_input) &&
         a.target_output.equal(b.target_output);
}

TrainConfig small_batches() {
  TrainConfig config;
  config.batch_tokens = 300;
  config.max_batch_sentences = 16;
  return config;
}

// Batches of one epoch.
std::vector<Batch> epoch_of(Batcher& batcher) {
  std::vector<Batch> out;
  const int64_t epoch = batcher.position().epoch;
  while (batcher.position().epoch == epoch) out.push_back(batcher.next());
  return out;
}

// Share of the positions of both sides that is padding.
double padding_share(const std::vector<Batch>& batches) {
  double tokens = 0;
  double positions = 0;
  for (const Batch& batch : batches) {
    tokens += static_cast<double>(batch.source_tokens + batch.target_tokens);
    positions += static_cast<double>(batch.source.numel() + batch.target_output.numel());
  }
  return 1 - tokens / positions;
}

TEST(CutIntoBatches, SortsByTargetThenSourceThereAndBack) {
  const std::vector<PairLengths> pairs = {{5, 3}, {2, 9}, {1, 3}, {2, 2}, {9, 3}};
  EXPECT_EQ(cut_into_batches(pairs, {8, 100, 10}), (std::vector<std::vector<int64_t>>{{3, 4}, {0, 2}, {1}}));
  EXPECT_EQ(cut_into_batches(pairs, {100, 12, 10}), (std::vector<std::vector<int64_t>>{{3}, {4}, {0, 2}, {1}}));
  EXPECT_EQ(cut_into_batches(pairs, {100, 100, 2}), (std::vector<std::vector<int64_t>>{{3, 4}, {0, 2}, {1}}));
  EXPECT_TRUE(cut_into_batches({}, {100, 100, 2}).empty());
}

TEST(CutIntoBatches, APairTooLongIsABatchOfItsOwn) {
  EXPECT_EQ(cut_into_batches({{1, 50}, {1, 1}, {50, 1}}, {10, 20, 5}),
            (std::vector<std::vector<int64_t>>{{2}, {1}, {0}}));
}

TEST(Batcher, AnEpochGivesEachPairOnceWithinTheLimits) {
  const test::MadeUpCorpus made(3000);
  const auto corpus = made.open();
  const TrainConfig config = small_batches();
  Batcher batcher(corpus, config);
  for (int epoch = 0; epoch < 2; ++epoch) {
    std::map<int64_t, int> seen;
    int64_t pairs = 0;
    for (const Batch& batch : epoch_of(batcher)) {
      for (const int64_t line : batch.lines) ++seen[line];
      pairs += batch.sentences();
      EXPECT_LE(batch.sentences(), config.max_batch_sentences);
      EXPECT_LE(batch.target_output.numel(), config.batch_tokens);
      EXPECT_LE(batch.source.numel(), 2 * config.batch_tokens);
    }
    EXPECT_EQ(pairs, corpus->size());
    EXPECT_EQ(seen.size(), static_cast<size_t>(corpus->size()));
  }
  EXPECT_EQ(batcher.position(), (BatcherPosition{2, 0, 0, 0}));
}

TEST(Batcher, OrderDependsOnSeedAndEpoch) {
  const test::MadeUpCorpus made(500);
  const auto corpus = made.open();
  const auto lines = [&](int64_t seed, int epochs) {
    TrainConfig config = small_batches();
    config.seed = seed;
    Batcher batcher(corpus, config);
    std::vector<Batch> batches;
    for (int i = 0; i < epochs; ++i) batches = epoch_of(batcher);
    std::vector<int64_t> out;
    for (const Batch& batch : batches) out.insert(out.end(), batch.lines.begin(), batch.lines.end());
    return out;
  };
  EXPECT_EQ(lines(1, 1), lines(1, 1));
  EXPECT_NE(lines(1, 1), lines(2, 1));
  EXPECT_NE(lines(1, 1), lines(1, 2));
}

TEST(Batcher, BatchesOfAnEpochComeInNoOrderOfLength) {
  const test::MadeUpCorpus made(3000);
  Batcher batcher(made.open(), small_batches());
  int rises = 0;
  int64_t before = 0;
  const auto batches = epoch_of(batcher);
  for (const Batch& batch : batches) {
    rises += batch.target_output.size(1) > before;
    before = batch.target_output.size(1);
  }
  EXPECT_LT(rises, static_cast<int>(batches.size()) * 2 / 3);
  EXPECT_GT(rises, static_cast<int>(batches.size()) / 4);
}

class ResumedBatcher : public testing::TestWithParam<double> {};

TEST_P(ResumedBatcher, GoesOnBitForBitFromAnyPosition) {
  const test::MadeUpCorpus made(4000, 3);
  const auto corpus = made.open();
  const SubwordSampling sampling = {GetParam(), test::word_tokenizers()};
  Batcher whole(corpus, small_batches(), sampling);
  std::vector<Batch> expected;
  std::vector<BatcherPosition> positions;
  for (int i = 0; i < 900; ++i) {
    positions.push_back(whole.position());
    expected.push_back(whole.next());
  }
  EXPECT_GT(positions.back().epoch, 0);
  EXPECT_GT(positions[250].window_begin, 0);
  for (size_t at = 0; at < expected.size(); at += 37) {
    Batcher resumed(corpus, small_batches(), sampling, positions[at]);
    for (size_t i = at; i < std::min(at + 110, expected.size()); ++i) {
      ASSERT_EQ(resumed.position(), positions[i]);
      ASSERT_TRUE(same(resumed.next(), expected[i])) << at << " " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sampling, ResumedBatcher, testing::Values(0.0, 0.1));

TEST(Batcher, ACopyGoesItsOwnWay) {
  const test::MadeUpCorpus made(500);
  Batcher one(made.open(), small_batches());
  one.next();
  Batcher other = one;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(same(one.next(), other.next()));
}

TEST(Batcher, PositionsThatDontExistAreRefused) {
  const test::MadeUpCorpus made(500);
  const auto corpus = made.open();
  for (const BatcherPosition& bad : {BatcherPosition{0, 0, 100000, 0}, BatcherPosition{0, 7, 0, 0},
                                     BatcherPosition{0, 1 << 30, 0, 0}, BatcherPosition{-1, 0, 0, 0}}) {
    EXPECT_THROW(Batcher(corpus, small_batches(), {}, bad), ModelError);
  }
}

TEST(Batcher, SamplingCutsDifferentlyInEachEpoch) {
  const test::MadeUpCorpus made(200);
  Batcher batcher(made.open(), small_batches(), {0.1, test::word_tokenizers()});
  const auto targets = [&] {
    std::map<int64_t, int64_t> out;
    for (const Batch& batch : epoch_of(batcher)) {
      for (int64_t row = 0; row < batch.sentences(); ++row) {
        out[batch.lines[static_cast<size_t>(row)]] = batch.target_lengths[row].item<int64_t>();
      }
    }
    return out;
  };
  const auto first = targets();
  EXPECT_EQ(first.size(), 200u);
  EXPECT_NE(first, targets());
}

TEST(Batcher, PaddingOfAMadeUpCorpusIsBelowATenth) {
  const test::MadeUpCorpus made(20000, 5, 100);
  TrainConfig config;
  Batcher batcher(made.open(), config);
  EXPECT_LT(padding_share(epoch_of(batcher)), 0.1);
}

TEST(Batcher, PaddingOfMulti30kIsBelowATenth) {
  NMT_SKIP_WITHOUT_SHARED("data/multi30k/train.en");
  const test::TemporaryFolder folder;
  Config config;
  config.data.train.src.value = (test::shared_folder() / "data/multi30k/train.en").string();
  config.data.train.tgt.value = (test::shared_folder() / "data/multi30k/train.de").string();
  TokenizerTraining training;
  training.files = {config.data.train.src.value, config.data.train.tgt.value};
  training.training_lines = 2000;
  training.vocab_size.value = 4000;
  const auto both =
      make_sentencepiece_tokenizer(train_tokenizer(training).model, config.text.normalization, "test tokenizer");
  const auto corpus = EncodedCorpus::open_or_build(folder.path(), config.data, config.text, {both, both}, 2);
  for (const int64_t sentences : {64, 256}) {
    config.train.max_batch_sentences = sentences;
    Batcher batcher(corpus, config.train);
    const double share = padding_share(epoch_of(batcher));
    RecordProperty("padding_" + std::to_string(sentences), std::to_string(share));
    EXPECT_LT(share, 0.1) << sentences;
  }
}

TEST(LargestBatch, BoundsAllThatCome) {
  for (const uint64_t longest : {20, 60, 200}) {
    const test::MadeUpCorpus made(2000, longest, longest);
    for (const int64_t tokens : {50, 300, 2000}) {
      TrainConfig config = small_batches();
      config.batch_tokens = tokens;
      config.max_batch_sentences = 64;
      Batcher batcher(made.open(), config);
      const auto cost = [](const Batch& batch) {
        const auto b = static_cast<double>(batch.sentences());
        const auto s = static_cast<double>(batch.source.size(1));
        const auto t = static_cast<double>(batch.target_output.size(1));
        return b * s * t + 100 * b * (s + t);
      };
      const double largest = cost(batcher.largest_batch());
      for (const Batch& batch : epoch_of(batcher)) EXPECT_LE(cost(batch), largest) << longest << " " << tokens;
    }
  }
}

TEST(LargestBatch, IsTheLongPairWhereOneExceedsTheLimits) {
  const test::MadeUpCorpus made(0);
  std::string words;
  for (int i = 0; i < 150; ++i) words += "5 ";
  made.folder.file("train.src", "4\n" + words + "\n5 6\n");
  made.folder.file("train.tgt", "4\n" + words + "\n5 6\n");
  TrainConfig config;
  config.batch_tokens = 20;
  Batcher batcher(made.open(), config);
  EXPECT_EQ(batcher.largest_batch().target_output.size(1), 151);
}

}  // namespace
}  // namespace nmt
