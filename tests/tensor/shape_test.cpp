#include "tensor/shape.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace nmt {
namespace {

TEST(Shape, CheckNamesWhatDiffers) {
  EXPECT_NO_THROW(check_shape(torch::zeros({2, 3}), {2, -1}, "x"));
  for (const auto& wrong : {torch::zeros({2}), torch::zeros({3, 3}), torch::Tensor()}) {
    EXPECT_THROW(check_shape(wrong, {2, -1}, "x"), InternalError);
  }
}

TEST(Shape, LengthMaskIsTrueAtRealPositions) {
  const auto mask = length_mask(torch::tensor({2, 0, 3}, torch::kInt64), 3, torch::kCPU);
  const auto expected = torch::tensor({1, 1, 0, 0, 0, 0, 1, 1, 1}, torch::kInt64).view({3, 3}).to(torch::kBool);
  EXPECT_TRUE(torch::equal(mask, expected));
}

}  // namespace
}  // namespace nmt
