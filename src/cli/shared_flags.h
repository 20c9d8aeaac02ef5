#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "config/config.h"

namespace nmt {

// --set key.path=value, repeated.
void add_set_flag(CLI::App& verb, std::vector<Override>& overrides);

// --device auto|cpu|cuda|cuda:N and --threads N, 0 for all cores.
void add_device_flags(CLI::App& verb, std::string& device, int64_t& threads);

}  // namespace nmt
