#pragma once

#include <span>
#include <vector>

#include "metrics/edit_band.h"

namespace nmt::metrics {

// Counts the edits of TER between one hypothesis and one reference, by greedy search: of all runs of words that occur
// in both at different places, the one is shifted that lowers the edit distance most, until none does (Snover et al.,
// section 3.2). Limits: a run has at most 10 words, its places are at most 50 words apart, at most 1000 shifts are
// tried for a line; the round in which the 1000th is reached is not used. Holds scratch memory: one for each thread.
class TerEdits {
 public:
  // Edits and shifts together. Without a word in the reference: the words of the hypothesis.
  size_t count(std::span<const WordId> hypothesis, std::span<const WordId> reference);

 private:
  struct Shift {
    size_t start, length, target;  // words [start, start + length) move before the word at `target`
    friend bool operator==(const Shift&, const Shift&) = default;
  };
  // The part of the hypothesis that a shift changes, and what it becomes.
  struct Change {
    size_t first;
    std::span<const WordId> words;
  };

  void align();
  void find_shifts(std::span<const WordId> reference, size_t most);
  void add_shifts_of_run(size_t start, size_t reference_start, size_t length);
  bool shift_best();
  Change apply(const Shift& shift);

  static constexpr size_t kMaxRun = 10;
  static constexpr size_t kMaxDistance = 50;
  static constexpr size_t kMaxTried = 1000;

  EditBand band_;
  std::vector<WordId> words_;  // the hypothesis, shifted so far
  std::vector<WordId> changed_;
  std::vector<Shift> shifts_;  // candidates of this round
  // The alignment of reference to hypothesis: for each reference word one past the hypothesis word that it is aligned
  // to; and running counts of words in error.
  std::vector<size_t> after_aligned_;
  std::vector<size_t> reference_errors_;
  std::vector<size_t> hypothesis_errors_;
};

}  // namespace nmt::metrics
