#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nmt::metrics {

using WordId = uint32_t;

// Edit distance of two word sequences (insertions, deletions and substitutions cost 1), searched in a band about the
// diagonal of the matrix: row i (the first i words of the hypothesis) holds the cells of some 25 words of the reference
// to each side of i * length ratio. Sequences far out of step thus cost more than their true distance: sacreBLEU does
// the same, and a score must not change.
//
// The matrix is kept forwards (cost from the start to a cell) and backwards (from a cell to the end). The distance
// after a local change of the hypothesis, such as a shift, then needs only the rows that changed.
class EditBand {
 public:
  // Fills the forward matrix. The spans must outlive their use.
  void assign(std::span<const WordId> hypothesis, std::span<const WordId> reference);

  int distance() const { return forward_.back(); }

  enum class Edit : unsigned char { kKeep, kReplace, kDelete, kInsert };

  // The edits that turn hypothesis into reference, first to last. Of equally cheap ways the one that, read from the
  // end, keeps or replaces where it can, else deletes, else inserts.
  const std::vector<Edit>& edits();

  // Distance of the hypothesis in which the words [first, first + middle.size()) are replaced by `middle`.
  int distance_with(size_t first, std::span<const WordId> middle);

 private:
  struct Row {
    size_t offset;      // of its first cell, in the matrices
    size_t begin, end;  // its cells, as numbers of reference words
  };

  void lay_out_band();
  void fill_backward();
  int cell(const std::vector<int>& matrix, size_t i, size_t j) const {
    const Row& row = rows_[i];
    return j >= row.begin && j < row.end ? matrix[row.offset + j - row.begin] : kFar;
  }
  void next_row(WordId word, const Row& above_row, const int* above, const Row& row, int* out) const;

  static constexpr int kFar = 1 << 29;  // outside of the band

  std::span<const WordId> hypothesis_;
  std::span<const WordId> reference_;
  std::vector<Row> rows_;
  std::vector<int> forward_;
  std::vector<int> backward_;
  bool has_backward_ = false;
  std::vector<Edit> edits_;
  std::vector<int> scratch_[2];
};

}  // namespace nmt::metrics
