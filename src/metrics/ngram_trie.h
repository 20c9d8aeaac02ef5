#pragma once

#include <cstdint>
#include <vector>

namespace nmt::metrics {

// Numbers the n-grams of one segment: an n-gram is its first n-1 symbols (an n-gram again) and one symbol more, so
// that one lookup of a pair of integers serves any order, with no string and no collision. Node 0 is the empty n-gram.
// Symbols are word numbers (see Interner) or code points. A hypothesis is only looked up: where an n-gram isn't in the
// reference, no longer one that begins with it is. clear() is O(1).
class NgramTrie {
 public:
  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kMissing = 0xFFFFFFFF;

  NgramTrie() : slots_(2048) {}

  void clear() {
    size_ = 1;
    if (++stamp_ != 0) return;
    for (Slot& slot : slots_) slot = {};  // once in four billion
    stamp_ = 1;
  }

  // Nodes, the root among them: node numbers are below it.
  uint32_t size() const { return size_; }

  uint32_t add(uint32_t prefix, uint32_t symbol) {
    if (size_ >= slots_.size() / 2) grow();
    const uint64_t key = (static_cast<uint64_t>(prefix) << 32) | symbol;
    Slot& slot = slots_[probe(key)];
    if (slot.stamp != stamp_) slot = {key, stamp_, size_++};
    return slot.node;
  }

  uint32_t find(uint32_t prefix, uint32_t symbol) const {
    const Slot& slot = slots_[probe((static_cast<uint64_t>(prefix) << 32) | symbol)];
    return slot.stamp == stamp_ ? slot.node : kMissing;
  }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t stamp = 0;  // the slot is in use where this is the present one
    uint32_t node = 0;
  };

  size_t probe(uint64_t key) const {
    uint64_t h = key * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
    size_t at = h & (slots_.size() - 1);
    while (slots_[at].stamp == stamp_ && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.stamp == stamp_) slots_[probe(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two
  uint32_t stamp_ = 1;
  uint32_t size_ = 1;
};

}  // namespace nmt::metrics
