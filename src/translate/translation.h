#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "search/hypothesis.h"
#include "translate/word_alignment.h"

namespace nmt {

// A part of a line that was searched for by itself; nearly always the whole line.
struct TranslatedSegment {
  std::string source;                         // as the tokenizer got it
  std::vector<PieceId> source_pieces;         // without the end mark
  std::vector<Hypothesis> hypotheses;         // best first
  std::vector<std::string> texts;             // of the hypotheses
  bool space_before = false;                  // white space stood between it and the segment before
  size_t first_word = 0;                      // number in the line of its first word (see words_of)
  std::vector<std::string> constraints = {};  // phrases that must appear; Hypothesis::missing counts them
  std::vector<std::vector<std::vector<float>>> word_attention =
      {};  // [hypotheses][target words][source words], if asked
};

// What became of one line. A blank line has no segments and one empty text.
struct Translation {
  std::vector<std::string> texts;           // best first; several where n-best was asked for; none holds a line end
  std::vector<double> scores;               // of the texts; sums over segments
  std::vector<double> log_probs;            // natural log of the texts' probabilities; sums over segments
  std::vector<TranslatedSegment> segments;  // several where the line was translated in parts
  bool too_long = false;                    // for one search
  std::vector<std::vector<WordLink>> alignments;  // of the texts, between words of the whole line; where asked for
  std::vector<std::vector<size_t>> first_words;   // likewise: [texts][segments] number of the first word of a part
  int64_t replaced_utf8 = 0;                      // ill-formed parts of the line replaced by U+FFFD
  std::string id;                                 // JSON that the user knows the line by; empty where none was given

  const std::string& text() const { return texts.front(); }
  bool split() const { return segments.size() > 1; }
  bool cut() const;                                      // the best hypothesis of a segment hit the length limit
  std::vector<std::string> missing(size_t i = 0) const;  // phrases that must appear and that the i-th text lacks

  // The number of the hypothesis of `segment` that the i-th text is made of.
  static size_t hypothesis_of(const TranslatedSegment& segment, size_t i) {
    return std::min(i, segment.hypotheses.size() - 1);
  }
  int64_t source_pieces() const;
  int64_t target_pieces() const;  // of the best hypotheses
};

}  // namespace nmt
