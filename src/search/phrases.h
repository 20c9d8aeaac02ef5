#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/piece_id.h"

namespace nmt {

// A phrase that must appear in a translation: its pieces, side by side.
struct RequiredPhrase {
  std::vector<PieceId> pieces;         // empty: it can't be spelt, so no translation has it
  std::vector<PieceId> at_start = {};  // its other form where the translation begins with it, as "Green tea"; or empty
  bool ends_word = false;              // a piece that continues a word makes it another word: "green", "greenery"
};

// The phrases that one translation must have, and how far a prefix has come with them: an automaton over pieces (Aho
// and Corasick 1975) finds all their occurrences, overlapping ones too. A phrase given n times must occur n times.
class PhraseSet {
 public:
  // continues_word[piece]: the piece continues the word before it; pieces beyond its end don't. It is kept by
  // reference.
  PhraseSet(const std::vector<RequiredPhrase>& phrases, const std::vector<bool>& continues_word);

  struct Progress {
    int32_t node = 0;              // of the automaton
    std::vector<int32_t> settled;  // occurrences of each phrase that no further piece can undo
    std::vector<int32_t> met;      // these, and those that end here unless the next piece continues their last word
  };

  bool empty() const { return phrases_.empty(); }
  int64_t pieces() const { return pieces_; }  // of all phrases that can be spelt: the bank of what is complete

  Progress start() const;
  void advance(Progress& progress, PieceId piece) const;
  Progress follow(std::span<const PieceId> pieces) const;  // from the start

  // How many of pieces() are there: those of all phrases met, and those of the one that is farthest on its way.
  int64_t bank(const Progress& progress) const;
  bool complete(const Progress& progress) const;
  // Where true, what comes next decides whether a phrase is met.
  bool undecided(const Progress& progress) const { return progress.met != progress.settled; }
  // The pieces with which a phrase that is or may still be wanted begins or goes on, each once, in ascending order.
  std::vector<PieceId> next_pieces(const Progress& progress) const;
  // The phrases that the pieces of a whole translation lack, by their places in what was given.
  std::vector<int32_t> missing(std::span<const PieceId> pieces) const;

  bool continues_word(PieceId piece) const;

 private:
  struct Edge {
    PieceId piece;
    int32_t node;
  };
  struct Node {
    std::vector<Edge> edges;
    std::vector<int32_t> begun;  // phrases that this node is a proper beginning of
    std::vector<int32_t> ended;  // phrases that this node is
    int32_t shorter = 0;         // the longest proper ending of this node that is a node
    int64_t depth = 0;           // pieces
  };
  struct Phrase {
    int64_t length;
    int32_t wanted;  // occurrences
    bool ends_word;
  };

  void add(const std::vector<PieceId>& pieces, int32_t phrase, int32_t from);
  void link_shorter();
  int32_t child(int32_t node, PieceId piece) const;  // -1 where there is none
  int32_t next(int32_t node, PieceId piece) const;
  bool wanted(const Progress& progress, int32_t phrase) const;

  const std::vector<bool>* continues_word_;
  std::vector<int32_t> phrase_of_;  // of each phrase given; -1 where it can't be spelt
  std::vector<Phrase> phrases_;     // different ones
  std::vector<Node> nodes_;
  int32_t start_ = 0;
  int64_t pieces_ = 0;
};

}  // namespace nmt
