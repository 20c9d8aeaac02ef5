#pragma once

#include "text/tokenizer.h"
#include "translate/translation.h"
#include "translate/unknown_words.h"

namespace nmt {

enum class AlignmentKind {
  kNone,
  kHard,  // Translation::alignments
  kSoft   // and TranslatedSegment::word_attention
};

// What is made of the pieces that search found.
struct OutputOptions {
  UnknownStyle unknown = {};
  AlignmentKind alignment = AlignmentKind::kNone;

  bool needs_attention() const { return unknown.replace || alignment != AlignmentKind::kNone; }
};

// Makes texts, scores and alignments of the hypotheses of a line's segments. The i-th text is made of the i-th
// hypothesis of each segment, or of its last where it has fewer; a line without segments has one empty text. Hypotheses
// without attention have no hard alignments.
void assemble(Translation& translation, const TokenizerPair& tokenizers, const OutputOptions& options);

}  // namespace nmt
