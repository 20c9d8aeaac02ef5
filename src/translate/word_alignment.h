#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"

namespace nmt {

// Words [begin, end) of a text, by number from 0.
struct WordRange {
  size_t begin = 0;
  size_t end = 0;
  bool operator==(const WordRange&) const = default;
};

// The words of a text and those that each of its pieces belongs to: the words that it has characters of; for one that
// has none (a blank alone, a byte) the word that follows, or the last.
struct WordGroups {
  std::vector<TextSpan> words;
  std::vector<WordRange> of_piece;
};

// `pieces`: the parts of `text`, as Tokenizer::piece_spans and decode_spans give them.
WordGroups group_by_words(std::string_view text, std::span<const TextSpan> pieces);

// A target word and the source word that it attends to.
struct WordLink {
  size_t source = 0;
  size_t target = 0;
  bool operator==(const WordLink&) const = default;
};

// Attention between the words of a line and of its translation, made from attention between pieces: the columns of a
// source word's pieces are summed (shared equally where a piece belongs to several words), the rows of a target word's
// pieces averaged. What went to the end mark is left out, so a row sums to at most 1. Rows only hold the source words
// of the parts of the line that they were translated with: memory doesn't grow with the square of a line.
class WordAttention {
 public:
  // The attention of one part of a line ([T][S] or more: end marks come last and are ignored). The first words of the
  // part have these numbers in the line; a number already there continues the last word of the part before.
  void add(const std::vector<std::vector<float>>& attention, const WordGroups& target, size_t first_target,
           const WordGroups& source, size_t first_source);

  // The most attended source word of each target word (see most_attended), in order of source, then target words.
  std::vector<WordLink> links() const;

  // [target words][source_words]
  std::vector<std::vector<float>> matrix(size_t source_words) const;

 private:
  struct Row {
    size_t first_source = 0;
    std::vector<double> sums;  // of the pieces' weights, by source word from first_source
    size_t pieces = 0;
  };
  std::vector<Row> rows_;  // by target word
};

// The attention of one piece on each source word: [S or more] -> [source words].
std::vector<double> attention_on_words(const std::vector<float>& attention, const WordGroups& source);

// The largest of some weights (not none of them), the first where several are equal to within 1e-5.
size_t most_attended(const std::vector<double>& weights);

// "0-0 1-2": source and target word of each link, from 0 (the form of the Pharaoh decoder).
std::string pharaoh(const std::vector<WordLink>& links);

}  // namespace nmt
