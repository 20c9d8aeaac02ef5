#include "tensor/warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmt {
namespace {

TEST(Warnings, GoToTheSinkWhileItLivesAndNowhereElse) {
  std::vector<std::string> got;
  testing::internal::CaptureStderr();
  {
    const std::function<void(const std::string&)> sink = [&](const std::string& text) { got.push_back(text); };
    const WarningsTo warnings(sink);
    TORCH_WARN("first");
    {
      const std::function<void(const std::string&)> none;
      const WarningsTo nowhere(none);
      TORCH_WARN("lost");
    }
    TORCH_WARN("second");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  TORCH_WARN("third");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("third"));
  EXPECT_THAT(got, testing::ElementsAre("first", "second"));
}

}  // namespace
}  // namespace nmt
