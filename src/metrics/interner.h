#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace nmt::metrics {

// Numbers the distinct words of one segment from 0, so that everything after it compares integers. Words are compared
// byte by byte: a hash collision can't change a score. clear() is O(1), which matters with one segment a microsecond.
// The words must outlive their use.
class Interner {
 public:
  static constexpr uint32_t kUnknown = 0xFFFFFFFF;

  Interner() : slots_(256) {}

  void clear() {
    ++stamp_;
    size_ = 0;
  }

  uint32_t size() const { return size_; }

  // The word's number, a new one where it wasn't seen.
  uint32_t add(std::string_view word) {
    if (size_ >= slots_.size() / 2) grow();
    Slot& slot = slots_[probe(word, hash(word))];
    if (slot.stamp != stamp_) slot = {word, hash(word), stamp_, size_++};
    return slot.id;
  }

  // The word's number, or kUnknown.
  uint32_t find(std::string_view word) const {
    const Slot& slot = slots_[probe(word, hash(word))];
    return slot.stamp == stamp_ ? slot.id : kUnknown;
  }

 private:
  struct Slot {
    std::string_view word;
    uint64_t hash = 0;
    uint64_t stamp = 0;  // the slot is in use where this is the present one
    uint32_t id = 0;
  };

  static uint64_t hash(std::string_view word) {
    uint64_t h = 0x9E3779B97F4A7C15u ^ word.size();
    const char* at = word.data();
    size_t left = word.size();
    for (; left >= 8; left -= 8, at += 8) {
      uint64_t part;
      std::memcpy(&part, at, 8);
      h = (h ^ part) * 0xFF51AFD7ED558CCDu;
      h ^= h >> 32;
    }
    uint64_t part = 0;
    for (size_t i = 0; i < left; ++i) part |= static_cast<uint64_t>(static_cast<unsigned char>(at[i])) << (8 * i);
    h = (h ^ part) * 0xC4CEB9FE1A85EC53u;
    return h ^ (h >> 29);
  }

  size_t probe(std::string_view word, uint64_t h) const {
    size_t at = h & (slots_.size() - 1);
    while (slots_[at].stamp == stamp_ && (slots_[at].hash != h || slots_[at].word != word)) {
      at = (at + 1) & (slots_.size() - 1);
    }
    return at;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.stamp == stamp_) slots_[probe(slot.word, slot.hash)] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two
  uint64_t stamp_ = 1;
  uint32_t size_ = 0;
};

}  // namespace nmt::metrics
