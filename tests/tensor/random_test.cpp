#include "tensor/random.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tensor/device.h"

namespace nmt {
namespace {

TEST(Random, RestoredStateGivesTheSameNumbers) {
  for (const torch::Device& device : available_devices()) {
    seed_random(7);
    torch::rand({3}, device);
    const auto state = random_state(device);
    const auto first = torch::rand({5}, device);
    set_random_state(device, state);
    EXPECT_TRUE(torch::equal(first, torch::rand({5}, device)));
    EXPECT_FALSE(torch::equal(first, torch::rand({5}, device)));
  }
}

TEST(Random, GarbageStateIsModelError) {
  EXPECT_THROW(set_random_state(torch::kCPU, torch::zeros({3}, torch::kUInt8)), ModelError);
}

}  // namespace
}  // namespace nmt
