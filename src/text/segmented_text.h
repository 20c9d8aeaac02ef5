#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nmt {

// Notices text that another program has already cut into subwords: it gives garbage when a tokenizer cuts it again.
class SegmentedTextCheck {
 public:
  void add(std::string_view line);

  // A sentence to warn with where at least a tenth of the lines (and three of them) hold "@@ " or U+2581; else empty.
  std::string warning(std::string_view name) const;

 private:
  int64_t lines_ = 0;
  int64_t with_at_signs_ = 0;
  int64_t with_word_marks_ = 0;
};

}  // namespace nmt
