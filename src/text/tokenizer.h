#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/piece_id.h"
#include "base/words.h"

namespace nmt {

// A line spelt by pieces, and the part that each of them spells (empty for a special piece; the same one where several
// pieces spell a character together).
struct DecodedLine {
  std::string text;
  std::vector<TextSpan> spans;
};

// Turns a line into pieces and back. Ids are in [0, vocab_size()). Safe to share between threads.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // Pieces of a line, without begin and end marks; normalises the line first (see text/normalize.h). `text` must be
  // well-formed UTF-8. A blank line has no pieces.
  virtual std::vector<PieceId> encode(std::string_view text) const = 0;

  // The part of `text` (as given, not as normalised) that each piece of encode(text) comes from, blanks before a word
  // included. Empty for a piece that has no text of its own, as all but one of the bytes of a character.
  virtual std::vector<TextSpan> piece_spans(std::string_view text) const = 0;

  // Another segmentation of the same text, drawn at random: BPE-dropout with rate `alpha` (Provilkov et al. 2020,
  // arXiv 1910.13267) or a draw from the unigram model's lattice with exponent `alpha` (Kudo 2018, arXiv 1804.10959).
  // The same `seed` gives the same pieces. Unknown pieces stay as they are.
  virtual std::vector<PieceId> resample(std::span<const PieceId> ids, double alpha, uint64_t seed) const = 0;

  // The line that the pieces spell, without white space at its ends. Special pieces and ids outside the vocabulary give
  // nothing, an unknown piece gives U+2047, bytes that are not UTF-8 give U+FFFD, a line feed gives a blank.
  virtual std::string decode(std::span<const PieceId> ids) const = 0;
  virtual DecodedLine decode_spans(std::span<const PieceId> ids) const = 0;  // the same with the part of each piece

  virtual int64_t vocab_size() const = 0;
  virtual std::string piece(PieceId id) const = 0;  // as "▁the"

  // The bytes it was made from, to be kept with a model, and their SHA-256. With the same normalisation, equal digests
  // mean equal pieces.
  virtual const std::string& serialized() const = 0;
  virtual const std::string& digest() const = 0;
};

// The tokenizers of a translator; one object twice where the vocabulary is joint.
struct TokenizerPair {
  std::shared_ptr<const Tokenizer> source;
  std::shared_ptr<const Tokenizer> target;
  bool joint() const { return source == target; }
};

}  // namespace nmt
