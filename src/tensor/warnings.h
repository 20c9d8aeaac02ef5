#pragma once

#include <c10/util/Exception.h>

#include <functional>
#include <string>

namespace nmt {

// While it lives, LibTorch's warnings of the thread that made it go to `sink` (nowhere where it is empty) and not to
// standard error.
class WarningsTo : private c10::WarningHandler {
 public:
  explicit WarningsTo(const std::function<void(const std::string&)>& sink) : sink_(sink), guard_(this) {}

 private:
  void process(const c10::Warning& warning) override {
    if (sink_) sink_(warning.msg());
  }

  const std::function<void(const std::string&)>& sink_;
  c10::WarningUtils::WarningHandlerGuard guard_;
};

}  // namespace nmt
