#pragma once

#include <cstdint>

namespace nmt {

// SplitMix64 (Steele, Lea, Flood 2014): a small generator whose numbers are the same on every platform and library,
// for draws that must be reproducible from plain numbers (data order, sampling of lines and subwords).
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }

  // Uniform in [0, bound); bound > 0. The bias of the multiplication method is below bound / 2^64.
  uint64_t below(uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<uint64_t>((static_cast<Wide>(next()) * bound) >> 64);
  }

  // Uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

// One seed from several numbers, so that neighbouring numbers give unrelated streams.
inline uint64_t mix_seed(uint64_t a, uint64_t b) {
  return SplitMix64(SplitMix64(a).next() ^ (b * 0xD1342543DE82EF95ull)).next();
}

}  // namespace nmt
