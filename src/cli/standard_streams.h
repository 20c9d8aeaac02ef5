#pragma once

#include <string_view>

namespace nmt {

// Makes sure that descriptors 0, 1 and 2 are open, so that no file of ours takes their number, and that a closed pipe
// ends the program quietly. A closed standard output stays one that can't be written to.
void prepare_standard_streams();

// Results. Throws ResourceError where they can't be written ("No space left on device").
void write_standard_output(std::string_view text);

// Sends what printf or std::cout still hold. Throws as write_standard_output.
void flush_standard_output();

}  // namespace nmt
