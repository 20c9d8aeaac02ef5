#include "ops/operators.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "ops/bidirectional_gru.h"
#include "ops/gru_attention.h"

namespace nmt {
namespace {

const std::vector<const char*> kNames = {"gru_attention", "gru_attention_backward", "additive_attention", "loss_rows_"};

TEST(Operators, TheCpuHasAllOfThem) {
  for (const char* name : kNames) EXPECT_TRUE(has_operator(name, torch::kCPU)) << name;
  EXPECT_TRUE(has_attention_kernels(torch::kCPU));
  EXPECT_TRUE(has_bidirectional_gru(torch::kCPU));
}

TEST(Operators, OtherDevicesAndNamesHaveNone) {
  EXPECT_FALSE(has_operator("gru", torch::kCPU));
  EXPECT_FALSE(has_operator("", torch::kCPU));
  for (const char* name : kNames) EXPECT_FALSE(has_operator(name, torch::kXPU)) << name;
  EXPECT_FALSE(has_attention_kernels(torch::kXPU));
}

// The library that adds CUDA's can be loaded without a GPU, and needs of CUDA nothing but its runtime.
TEST(Operators, TheCudaLibraryAddsCudas) {
  const auto library = std::filesystem::path(NMT_BINARY_DIR) / "libnmt_cuda.so";
  if (!std::filesystem::exists(library)) GTEST_SKIP() << "built without nvcc";
  ASSERT_NE(dlopen(library.c_str(), RTLD_NOW), nullptr) << dlerror();
  for (const char* name : kNames) EXPECT_TRUE(has_operator(name, torch::kCUDA)) << name;
  EXPECT_TRUE(has_attention_kernels(torch::kCUDA));
}

}  // namespace
}  // namespace nmt
