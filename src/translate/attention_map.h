#pragma once

#include <span>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace nmt {

// What the rows and columns of an attention map stand for.
enum class AttentionLevel {
  kWords,  // what stands between blanks: the columns of a source word's pieces summed, the rows of a target word's
           // averaged
  kPieces  // what the model reads and writes
};

// Where a model looked while it wrote each word, to be shown. Rows sum to 1.
struct AttentionMap {
  std::string model;                        // what it is called
  std::string source;                       // text
  std::string target;                       // text
  std::vector<std::string> source_labels;   // of the columns; the end mark is the last
  std::vector<std::string> target_labels;   // of the rows; the end mark, where it was predicted, is the last
  std::vector<std::vector<float>> weights;  // [target labels][source labels]
};

// A line of text, cut into pieces.
struct PiecedText {
  std::string text;
  std::vector<PieceId> pieces;  // without the end mark
  std::vector<TextSpan> spans;  // of the pieces in the text; see Tokenizer
};

// attention: [target pieces (+1)][source pieces + 1]. An unknown piece is shown as the text that it stands for. Throws
// InternalError where sizes don't agree.
AttentionMap make_attention_map(const TokenizerPair& tokenizers, const PiecedText& source, const PiecedText& target,
                                const std::vector<std::vector<float>>& attention, AttentionLevel level);

// A sentence and what one or several models make of it.
struct AttentionFigure {
  std::string title;               // as "Line 3"; empty for none
  std::string note;                // why there is no map; empty where there are maps
  std::vector<AttentionMap> maps;  // of each model, or of each part of a line that was translated in parts
};

// {"figures": [{"title", "note", "maps": [{"model", "source", "target", "source_labels", "target_labels",
// "weights": [row, ...]}]}]}, a document that ends with a line end. Weights have six decimals.
std::string attention_json(std::span<const AttentionFigure> figures);

}  // namespace nmt
