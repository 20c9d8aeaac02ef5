#include "tensor/device.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.h"

namespace nmt {
namespace {

TEST(Device, WordsMeanDevices) {
  EXPECT_EQ(select_device("cpu"), torch::Device(torch::kCPU));
  EXPECT_NO_THROW(select_device("auto"));
}

TEST(Device, UnknownWordsAreUsageErrors) {
  for (const char* word : {"", "gpu", "CPU", "cuda0", "cudaX"}) {
    EXPECT_THROW(select_device(word), UsageError) << word;
  }
  if (available_devices().size() > 1) {
    for (const char* word : {"cuda:", "cuda:-1", "cuda:x", "cuda:1x"}) EXPECT_THROW(select_device(word), UsageError);
  }
}

TEST(Device, CudaWithoutGpuIsResourceErrorThatSaysWhatToDo) {
  if (available_devices().size() > 1) GTEST_SKIP() << "this machine has a GPU";
  for (const char* word : {"cuda", "cuda:0", "cuda:7"}) {
    try {
      select_device(word);
      FAIL() << word;
    } catch (const ResourceError& error) {
      EXPECT_EQ(error.exit_code(), 5);
      EXPECT_NE(std::string(error.what()).find("--device cpu"), std::string::npos) << error.what();
    }
  }
}

// scripts/gpu_check says that a GPU is there, so that the tests on every device can't pass without having used it.
TEST(Device, AGpuThatIsExpectedIsFound) {
  if (std::getenv("NMT_EXPECT_CUDA") == nullptr) GTEST_SKIP() << "NMT_EXPECT_CUDA isn't set";
  EXPECT_GT(available_devices().size(), 1u);
}

TEST(Device, DescriptionNamesThreads) {
  set_threads(1);
  EXPECT_EQ(describe_device(torch::kCPU).rfind("CPU, 1 thread (", 0), 0u) << describe_device(torch::kCPU);
  EXPECT_THROW(set_threads(-1), UsageError);
}

}  // namespace
}  // namespace nmt
