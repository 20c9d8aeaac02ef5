#pragma once

#include <memory>
#include <string>
#include <vector>

#include "search/hypothesis.h"
#include "text/tokenizer.h"
#include "translate/word_alignment.h"
#include "translate/word_dictionary.h"

namespace nmt {

// What stands in a translation where the model gave the unknown piece.
struct UnknownStyle {
  std::string text = "<unk>";                        // where it isn't replaced
  bool replace = false;                              // by the source word that it attends to most,
  std::shared_ptr<const WordDictionary> dictionary;  // translated by this where it can
};

// The text that was translated, with its pieces.
struct SourceWords {
  std::string_view text;
  std::vector<TextSpan> pieces;  // as Tokenizer::piece_spans
  WordGroups groups;

  SourceWords(std::string_view source, std::vector<TextSpan> spans)
      : text(source), pieces(std::move(spans)), groups(group_by_words(text, pieces)) {}
};

// Puts style.text in the place of each unknown piece of a decoded hypothesis.
void show_unknown(DecodedLine& line, const Hypothesis& hypothesis, const UnknownStyle& style);

// Puts words in the place of unknown pieces: the most attended source word as the user wrote it, without punctuation
// around it, or its translation in the dictionary. Letters and digits beside an unknown piece belong to the same word
// and are replaced with it (of scripts that write no blanks, as Chinese or Thai, only the piece is replaced, and only
// the most attended piece of the source is copied).
void replace_unknown(DecodedLine& line, const Hypothesis& hypothesis, const UnknownStyle& style,
                     const SourceWords& source);

}  // namespace nmt
