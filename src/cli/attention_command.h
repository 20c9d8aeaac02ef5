#pragma once

#include "cli/command_line.h"

namespace nmt {

void add_attention_command(CommandLine& line);

}  // namespace nmt
