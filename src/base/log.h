#pragma once

#include <spdlog/spdlog.h>

namespace nmt::log {

enum class Verbosity { kQuiet, kNormal, kVerbose };

// Sends the log to standard error (results go to standard output, everything else to standard error).
// kQuiet keeps warnings and errors, kVerbose adds debug lines. Called once by main; tests may leave it out.
void configure(Verbosity verbosity);

using spdlog::debug;
using spdlog::error;
using spdlog::info;
using spdlog::warn;

}  // namespace nmt::log
