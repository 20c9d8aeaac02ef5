#pragma once

#include "cli/command_line.h"

namespace nmt {

// nmt tokenizer train|encode|decode
void add_tokenizer_command(CommandLine& line);

}  // namespace nmt
