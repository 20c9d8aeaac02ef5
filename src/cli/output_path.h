#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace nmt {

// --output. `type` is what the help calls its value.
CLI::Option* add_output_flag(CLI::App& verb, std::string& output, const std::string& help,
                             const std::string& type = "FILE");

// Throws UsageError where a file that is read would be overwritten: it is `output` too, also by another name or as
// standard input. Empty paths are passed over.
void check_output(const std::string& output, const std::vector<std::string>& inputs);

}  // namespace nmt
