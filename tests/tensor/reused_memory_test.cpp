#include "tensor/reused_memory.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <thread>
#include <vector>

namespace nmt {
namespace {

class ReusedMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "memory isn't reused under the address sanitizer";
#endif
    reuse_tensor_memory();
  }
};

TEST_F(ReusedMemoryTest, ANearSizeTakesThePieceThatWasGivenBack) {
  void* first = nullptr;
  {
    const auto other = torch::empty({3000, 1000});
    const auto tensor = torch::empty({1000, 1000});
    first = tensor.data_ptr();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 64, 0U);
  }
  EXPECT_EQ(torch::empty({1001, 1000}).data_ptr(), first);
  EXPECT_NE(torch::empty({3000, 1000}).data_ptr(), first);
}

TEST_F(ReusedMemoryTest, SizesAreRoundedUpByAnEighthAtMost) {
  for (const int64_t count : {1L, 1000L, 1024L, 1100L, 4097L, 70000L, 262144L, 262145L, 1000003L}) {
    const int64_t before = reused_memory().in_use;
    const auto tensor = torch::empty({count});
    const int64_t taken = reused_memory().in_use - before;
    if (count <= 1000) {
      EXPECT_EQ(taken, 0) << "small ones go elsewhere";
    } else {
      EXPECT_GE(taken, 4 * count + 64);
      EXPECT_LE(taken, (4 * count + 64) * 9 / 8) << count;
    }
    tensor.data_ptr<float>()[count - 1] = 1;
  }
}

// The same request again and again, each a little different, as training's batches.
TEST_F(ReusedMemoryTest, AfterAWhileNothingIsAskedOfTheSystem) {
  { const auto most = torch::empty({8 << 20}); }
  const auto round = [](int64_t i) {
    const auto a = torch::empty({1000 + i % 7, 512});
    const auto b = torch::empty({2000 - i % 5, 512});
    return torch::empty({500 + i % 3, 512});
  };
  for (int64_t i = 0; i < 105; ++i) round(i);
  const ReusedMemory before = reused_memory();
  for (int64_t i = 0; i < 105; ++i) round(i);
  EXPECT_EQ(reused_memory().fresh, before.fresh);
  EXPECT_EQ(reused_memory().reused, before.reused + int64_t{3} * 105);
}

TEST_F(ReusedMemoryTest, KeepsHalfOfWhatWasInUseAtMost) {
  {
    const auto large = torch::empty({10 << 20});
    EXPECT_GE(reused_memory().most, 40 << 20);
  }
  for (int64_t size = 1 << 12; size < 10 << 20; size += size / 3) {
    { const auto tensor = torch::empty({size}); }
    EXPECT_LE(reused_memory().kept, reused_memory().most / 2) << size;
  }
  EXPECT_GT(reused_memory().kept, reused_memory().most / 8);
}

TEST_F(ReusedMemoryTest, TensorsMadeBeforeAndNothingAtAllAreFine) {
  EXPECT_EQ(torch::empty({0}).numel(), 0);
  auto grown = torch::ones({2048});
  grown.resize_({1 << 20});
  EXPECT_EQ(grown[2047].item<float>(), 1);
}

TEST_F(ReusedMemoryTest, ThreadsDontGetEachOthersPieces) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&wrong, thread] {
      for (int i = 0; i < 300; ++i) {
        const auto tensor = torch::full({2000 + i % 50}, thread);
        wrong[thread] += tensor.ne(thread).any().item<bool>();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

}  // namespace
}  // namespace nmt
