#include "tensor/transfer.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "tensor/device.h"

namespace nmt {
namespace {

TEST(Transfer, ToEveryDeviceAndBackNothingChanges) {
  for (const torch::Device& device : available_devices()) {
    const torch::Tensor sent = torch::arange(24, torch::kInt64).view({4, 6}).t();  // not contiguous
    const torch::Tensor there = moved_to(sent, device);
    EXPECT_EQ(there.device(), device);
    const Readback back(there * 2);
    EXPECT_TRUE(back.values().is_cpu());
    EXPECT_TRUE(back.values().equal(sent * 2)) << device;
    EXPECT_TRUE(moved_to(there, torch::kCPU).equal(sent)) << device;
  }
}

TEST(Transfer, WhatIsThereAlreadyIsNotCopied) {
  const torch::Tensor tensor = torch::ones({3});
  EXPECT_TRUE(moved_to(tensor, torch::kCPU).is_same(tensor));
  EXPECT_EQ(Readback(tensor).values().data_ptr(), tensor.data_ptr());
}

}  // namespace
}  // namespace nmt
