#include "base/shorten.h"

namespace nmt {

std::string shortened(std::string_view text) {
  constexpr size_t kLongest = 60;
  if (text.size() <= kLongest) return std::string(text);
  size_t end = kLongest;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace nmt
