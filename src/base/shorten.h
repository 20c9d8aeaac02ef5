#pragma once

#include <string>
#include <string_view>

namespace nmt {

// `text` for a message: whole where it has at most 60 bytes, else its beginning (whole code points) and "...".
std::string shortened(std::string_view text);

}  // namespace nmt
