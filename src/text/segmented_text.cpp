#include "text/segmented_text.h"

#include "base/strings.h"

namespace nmt {

void SegmentedTextCheck::add(std::string_view line) {
  ++lines_;
  with_at_signs_ += line.find("@@ ") != std::string_view::npos;
  with_word_marks_ += line.find("\u2581") != std::string_view::npos;
}

std::string SegmentedTextCheck::warning(std::string_view name) const {
  const bool at_signs = with_at_signs_ >= with_word_marks_;
  const int64_t found = at_signs ? with_at_signs_ : with_word_marks_;
  if (found < 3 || found * 10 < lines_) return "";
  return std::string(name) + " looks as if it were already cut into subwords: " + with_thousands(found) + " of " +
         with_thousands(lines_) + " lines hold " + (at_signs ? "\"@@ \"" : "\"\u2581\" (U+2581)") +
         ". nmt wants plain text and does the cutting itself.";
}

}  // namespace nmt
