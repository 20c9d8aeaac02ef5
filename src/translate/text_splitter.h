#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace nmt {

// A part of a longer text.
struct TextPart {
  std::string_view text;      // without white space at its ends
  bool space_before = false;  // white space stood between it and the part before
};

// Whether sentences that fit into one part together stay together.
enum class Sentences { kTogether, kApart };

// Cuts a text into parts of about `limit` pieces at most: between sentences (text/sentences.h) where that is enough,
// else after other punctuation, else where a line may be broken, else between characters (Unicode annexes 29 and 14, by
// ICU). `text` must be well-formed UTF-8; the parts view it. Nothing but white space is lost. Throws InterruptedError
// after request_stop().
std::vector<TextPart> split_text(std::string_view text, int64_t limit,
                                 const std::function<int64_t(std::string_view)>& count_pieces,
                                 Sentences sentences = Sentences::kTogether);

}  // namespace nmt
