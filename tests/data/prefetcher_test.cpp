#include "data/prefetcher.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "data/made_up_corpus.h"

namespace nmt {
namespace {

TrainConfig small_batches() {
  TrainConfig config;
  config.batch_tokens = 200;
  return config;
}

TEST(Prefetcher, GivesWhatTheBatcherGives) {
  const test::MadeUpCorpus made(1000);
  const auto corpus = made.open();
  Batcher plain(corpus, small_batches());
  Prefetcher ahead(Batcher(corpus, small_batches()), 3);
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(ahead.position(), plain.position()) << i;
    const Batch expected = plain.next();
    const Batch batch = ahead.next();
    ASSERT_EQ(batch.lines, expected.lines) << i;
    ASSERT_TRUE(batch.target_output.equal(expected.target_output)) << i;
  }
  EXPECT_GE(ahead.waited_seconds(), 0);
}

TEST(Prefetcher, AStepThatTakesTimeNeverWaits) {
  const test::MadeUpCorpus made(1000);
  Prefetcher ahead(Batcher(made.open(), small_batches()));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  ahead.next();
  const double before = ahead.waited_seconds();
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ahead.next();
  }
  EXPECT_LT(ahead.waited_seconds() - before, 0.2 * 0.5);  // a loaded machine may delay the thread
}

TEST(Prefetcher, AnExceptionIsThrownWhereItsBatchWouldCome) {
  const test::MadeUpCorpus made(200);
  const auto failing = std::make_shared<test::FailingTokenizer>();
  EXPECT_THROW(Batcher(made.open(), small_batches(), {0.1, {failing, failing}}), std::runtime_error);

  // Fails when the second window is opened, after the batches of the first.
  class FailsLater : public test::WordTokenizer {
   public:
    std::vector<PieceId> resample(std::span<const PieceId> ids, double, uint64_t) const override {
      if (++calls_ > 450) throw std::runtime_error("no more");
      return {ids.begin(), ids.end()};
    }

   private:
    mutable int calls_ = 0;
  };
  const auto later = std::make_shared<FailsLater>();
  Batcher batcher(made.open(), small_batches(), {0.1, {later, later}});
  Prefetcher ahead(std::move(batcher));
  int64_t pairs = 0;
  EXPECT_THROW(for (;;) pairs += ahead.next().sentences(), std::runtime_error);
  EXPECT_EQ(pairs, 200);
  EXPECT_THROW(ahead.next(), std::runtime_error);
}

TEST(Prefetcher, StopsWhileFullAndWhileMaking) {
  const test::MadeUpCorpus made(1000);
  const auto corpus = made.open();
  for (int i = 0; i < 20; ++i) {
    Prefetcher ahead(Batcher(corpus, small_batches()), 2);
    if (i % 2 == 0) ahead.next();
    std::this_thread::sleep_for(std::chrono::microseconds(100 * i));
  }
}

}  // namespace
}  // namespace nmt
