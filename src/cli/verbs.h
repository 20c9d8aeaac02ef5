#pragma once

#include "cli/command_line.h"

namespace nmt {

// Registers every verb of the program, in the order in which help lists them.
void add_all_verbs(CommandLine& line);

}  // namespace nmt
