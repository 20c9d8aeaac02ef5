#pragma once

#include <functional>

namespace nmt {

// Runs the program: the one place where exceptions end. Prints "nmt: error: ..." to standard error and returns the
// exit code of the error's kind; 0 where nothing was thrown.
int run_and_report(const std::function<void()>& body);

}  // namespace nmt
