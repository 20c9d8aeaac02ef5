// What all tests of this program run under.

#include <gtest/gtest.h>

#include "tensor/device.h"

namespace nmt {
namespace {

// The models are so small that a second thread only waits, and on a busy machine waits for long.
struct OneThread : testing::Environment {
  void SetUp() override { set_threads(1); }
};
const testing::Environment* const kOneThread = testing::AddGlobalTestEnvironment(new OneThread);

}  // namespace
}  // namespace nmt
