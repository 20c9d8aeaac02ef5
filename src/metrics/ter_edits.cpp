#include "metrics/ter_edits.h"

#include <algorithm>
#include <tuple>

namespace nmt::metrics {

size_t TerEdits::count(std::span<const WordId> hypothesis, std::span<const WordId> reference) {
  if (reference.empty()) return hypothesis.size();
  words_.assign(hypothesis.begin(), hypothesis.end());
  size_t done = 0;
  for (size_t tried = 0;;) {
    band_.assign(words_, reference);
    if (band_.distance() == 0) break;
    align();
    find_shifts(reference, kMaxTried - tried);
    tried += shifts_.size();
    if (tried >= kMaxTried || !shift_best()) break;
    ++done;
  }
  return done + static_cast<size_t>(band_.distance());
}

void TerEdits::align() {
  after_aligned_.clear();
  reference_errors_.assign(1, 0);
  hypothesis_errors_.assign(1, 0);
  const auto add_error = [](std::vector<size_t>& errors, bool is_error) { errors.push_back(errors.back() + is_error); };
  size_t passed = 0;  // hypothesis words
  for (const EditBand::Edit edit : band_.edits()) {
    const bool is_error = edit != EditBand::Edit::kKeep;
    if (edit != EditBand::Edit::kInsert) {
      ++passed;
      add_error(hypothesis_errors_, is_error);
    }
    if (edit != EditBand::Edit::kDelete) {
      after_aligned_.push_back(passed);
      add_error(reference_errors_, is_error);
    }
  }
}

// Ends at `most` of them or a few more: a long line of few words would have millions, and from there on none is made.
void TerEdits::find_shifts(std::span<const WordId> reference, size_t most) {
  shifts_.clear();
  for (size_t start = 0; start < words_.size(); ++start) {
    const size_t first = start > kMaxDistance ? start - kMaxDistance : 0;
    const size_t last = std::min(reference.size(), start + kMaxDistance + 1);
    for (size_t other = first; other < last; ++other) {
      const size_t longest = std::min({kMaxRun, words_.size() - start, reference.size() - other});
      for (size_t k = 0; k < longest && words_[start + k] == reference[other + k]; ++k) {
        add_shifts_of_run(start, other, k + 1);
        if (shifts_.size() >= most) return;
      }
    }
  }
}

// A run that is right where it is, or whose place in the reference is served already, stays. The targets are behind
// the words that the run's reference words, and the one before them, are aligned to.
void TerEdits::add_shifts_of_run(size_t start, size_t reference_start, size_t length) {
  if (hypothesis_errors_[start] == hypothesis_errors_[start + length]) return;
  if (reference_errors_[reference_start] == reference_errors_[reference_start + length]) return;
  const size_t aligned = after_aligned_[reference_start];
  if (aligned > start && aligned <= start + length) return;
  if (reference_start == 0) shifts_.push_back({start, length, 0});
  size_t before = reference_start == 0 ? 0 : static_cast<size_t>(-1);
  for (size_t k = reference_start == 0 ? 0 : reference_start - 1; k < reference_start + length; ++k) {
    if (after_aligned_[k] == before) continue;
    before = after_aligned_[k];
    shifts_.push_back({start, length, before});
  }
}

// Makes the shift that gains most; of equal ones the longest, then the earliest, then the one with the earliest target.
// False where none gains.
bool TerEdits::shift_best() {
  const Shift* best = nullptr;
  int best_distance = band_.distance();
  const auto order = [](const Shift& s) { return std::tuple(s.length, ~s.start, ~s.target); };
  for (const Shift& shift : shifts_) {
    const Change change = apply(shift);
    const int distance = band_.distance_with(change.first, change.words);
    const bool is_better =
        distance < best_distance || (best != nullptr && distance == best_distance && order(shift) > order(*best));
    if (!is_better) continue;
    best = &shift;
    best_distance = distance;
  }
  if (best == nullptr) return false;
  const Change change = apply(*best);
  std::copy(change.words.begin(), change.words.end(), words_.begin() + static_cast<std::ptrdiff_t>(change.first));
  return true;
}

TerEdits::Change TerEdits::apply(const Shift& shift) {
  const auto at = [this](size_t i) { return words_.begin() + static_cast<std::ptrdiff_t>(i); };
  const size_t stop = shift.start + shift.length;
  changed_.clear();
  if (shift.target < shift.start) {
    changed_.insert(changed_.end(), at(shift.start), at(stop));
    changed_.insert(changed_.end(), at(shift.target), at(shift.start));
    return {shift.target, changed_};
  }
  // A target inside the run means so many words behind it.
  const size_t end = shift.target > stop ? shift.target : std::min(shift.target + shift.length, words_.size());
  changed_.insert(changed_.end(), at(stop), at(end));
  changed_.insert(changed_.end(), at(shift.start), at(stop));
  return {shift.start, changed_};
}

}  // namespace nmt::metrics
