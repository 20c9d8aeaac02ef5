#pragma once

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdint>

namespace nmt {

// How products [M,N] by our own kernels (ops/product_kernels.h) are cut, and run on several
// threads.

inline int64_t divided_up(int64_t count, int64_t by) { return (count + by - 1) / by; }

// M rows in tiles of nearly the same number of rows, at most `most_rows`; each tile but the last has a multiple of
// `unit` rows.
class RowTiles {
 public:
  RowTiles(int64_t rows, int64_t most_rows, int64_t unit = 1)
      : rows_(rows), unit_(unit), units_(divided_up(rows, unit)), count_(divided_up(units_, most_rows / unit)) {}

  int64_t count() const { return count_; }
  int64_t first_row(int64_t tile) const { return std::min(rows_, units_ * tile / count_ * unit_); }
  int64_t rows_of(int64_t tile) const { return first_row(tile + 1) - first_row(tile); }

  // Runs work(tile) for each, some at a time on one thread.
  template <class Work>
  void for_each(const Work& work) const {
    at::parallel_for(0, count_, kTilesPerBlock, [&](int64_t begin, int64_t end) {
      for (int64_t tile = begin; tile < end; ++tile) work(tile);
    });
  }

  // Runs work(first_tile, end_tile, panel) for every panel and all tiles. A block of tiles stays in the second level of
  // the cache while the panels pass by: 18 of 14 rows, 1024 groups of 4 bytes deep, are 1 MB, of which a tile and a
  // panel are in use at a time. Blocks have nearly the same number of tiles, so that threads have the same to do.
  template <class Work>
  void for_each_block(int64_t panels, const Work& work) const {
    const int64_t blocks = divided_up(count_, kTilesPerBlock);
    at::parallel_for(0, blocks * panels, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t block = i / panels;
        work(count_ * block / blocks, count_ * (block + 1) / blocks, i % panels);
      }
    });
  }

 private:
  static constexpr int64_t kTilesPerBlock = 18;

  int64_t rows_, unit_, units_, count_;
};

// Of a tile that is wider than the matrix: rows of `columns` numbers from one place to another.
inline void copy_rows(const float* from, int64_t from_stride, float* to, int64_t to_stride, int64_t rows,
                      int64_t columns) {
  for (int64_t i = 0; i < rows; ++i) std::copy_n(from + i * from_stride, columns, to + i * to_stride);
}

}  // namespace nmt
