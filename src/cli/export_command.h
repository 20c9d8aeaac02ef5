#pragma once

#include "cli/command_line.h"

namespace nmt {

void add_export_command(CommandLine& line);

}  // namespace nmt
