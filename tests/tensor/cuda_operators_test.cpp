#include "tensor/cuda_operators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"

namespace nmt {
namespace {

class CudaOperators : public testing::Test {
 protected:
  ~CudaOperators() override { unsetenv("NMT_CUDA_OPERATORS"); }
  static bool load(const char* setting) {
    setenv("NMT_CUDA_OPERATORS", setting, 1);
    return load_cuda_operators();
  }
};

TEST_F(CudaOperators, AreOffUnlessAskedFor) {
  unsetenv("NMT_CUDA_OPERATORS");
  EXPECT_FALSE(load_cuda_operators());
  EXPECT_FALSE(load(""));
  EXPECT_FALSE(load("off"));
}

TEST_F(CudaOperators, OtherWordsAreUsageErrors) {
  for (const char* word : {"On", "1", "yes", "on "}) EXPECT_THROW(load(word), UsageError) << word;
}

// What they are once loaded: tests/ops/operators_test.cpp.
TEST_F(CudaOperators, AreLoadedOrItSaysWhyNot) {
  if (std::filesystem::exists(std::filesystem::path(NMT_BINARY_DIR) / "libnmt_cuda.so")) {
    EXPECT_TRUE(load("on"));
    return;
  }
  try {
    load("on");
    FAIL();
  } catch (const ResourceError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("scripts/setup --cuda"));
  }
}

}  // namespace
}  // namespace nmt
