#include "translate/assemble.h"

#include <algorithm>

#include "translate/line_text.h"

namespace nmt {

namespace {

// What a segment's hypotheses became.
struct Parts {
  std::vector<WordGroups> targets;  // of the hypotheses; none where no alignment is asked for
  WordGroups source;
};

bool has_unknown(const TranslatedSegment& segment) {
  return std::any_of(segment.hypotheses.begin(), segment.hypotheses.end(), [](const Hypothesis& one) {
    return std::find(one.pieces.begin(), one.pieces.end(), kUnkId) != one.pieces.end();
  });
}

Parts assemble_segment(TranslatedSegment& segment, const TokenizerPair& tokenizers, const OutputOptions& options) {
  const bool aligned = options.alignment != AlignmentKind::kNone;
  const bool replaced = options.unknown.replace && has_unknown(segment);
  SourceWords source(segment.source, {});
  if (aligned || replaced) source = SourceWords(segment.source, tokenizers.source->piece_spans(segment.source));
  Parts parts;
  for (const Hypothesis& one : segment.hypotheses) {
    DecodedLine line = tokenizers.target->decode_spans(one.pieces);
    if (replaced) {
      replace_unknown(line, one, options.unknown, source);
    } else {
      show_unknown(line, one, options.unknown);
    }
    line.text = without_line_ends(std::move(line.text));
    if (aligned) parts.targets.push_back(group_by_words(line.text, line.spans));
    if (options.alignment == AlignmentKind::kSoft) {
      WordAttention attention;
      attention.add(one.attention, parts.targets.back(), 0, source.groups, 0);
      segment.word_attention.push_back(attention.matrix(source.groups.words.size()));
    }
    segment.texts.push_back(std::move(line.text));
  }
  parts.source = std::move(source.groups);
  return parts;
}

// Joins the i-th hypotheses of all segments.
void join(Translation& translation, size_t i, const std::vector<Parts>& parts) {
  std::string& whole = translation.texts[i];
  WordAttention attention;
  size_t words = 0;
  for (size_t k = 0; k < parts.size(); ++k) {
    const TranslatedSegment& segment = translation.segments[k];
    const size_t hypothesis = Translation::hypothesis_of(segment, i);
    const std::string& text = segment.texts[hypothesis];
    const bool joins = !whole.empty() && !text.empty();
    if (joins && segment.space_before) whole += ' ';
    whole += text;
    translation.scores[i] += segment.hypotheses[hypothesis].score;
    translation.log_probs[i] += segment.hypotheses[hypothesis].log_prob;
    if (parts[k].targets.empty()) continue;
    const size_t first = joins && !segment.space_before ? words - 1 : words;
    translation.first_words[i].push_back(first);
    const WordGroups& target = parts[k].targets[hypothesis];
    if (const auto& weights = segment.hypotheses[hypothesis].attention; !weights.empty()) {
      attention.add(weights, target, first, parts[k].source, segment.first_word);
    }
    words = first + target.words.size();
  }
  if (!translation.alignments.empty()) translation.alignments[i] = attention.links();
}

}  // namespace

void assemble(Translation& translation, const TokenizerPair& tokenizers, const OutputOptions& options) {
  size_t count = 1;
  std::vector<Parts> parts;
  for (TranslatedSegment& segment : translation.segments) {
    count = std::max(count, segment.hypotheses.size());
    parts.push_back(assemble_segment(segment, tokenizers, options));
  }
  translation.texts.resize(count);
  translation.scores.resize(count);
  translation.log_probs.resize(count);
  if (options.alignment != AlignmentKind::kNone) {
    translation.alignments.resize(count);
    translation.first_words.resize(count);
  }
  for (size_t i = 0; i < count; ++i) join(translation, i, parts);
}

}  // namespace nmt
