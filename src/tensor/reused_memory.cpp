#include "tensor/reused_memory.h"

#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>
#include <c10/util/Exception.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <mutex>
#include <vector>

namespace nmt {

namespace {

constexpr size_t kHeader = 64;      // before each tensor's bytes, so that these stay aligned to a cache line
constexpr size_t kSmallest = 4096;  // smaller requests are the C library's strength

// Eight sizes in each doubling.
struct SizeClass {
  size_t index = 0;  // 0: not kept
  size_t bytes = 0;
};

SizeClass size_class(size_t bytes) {
  if (bytes < kSmallest) return {0, bytes};
  const int shift = std::bit_width(bytes - 1) - 4;
  const size_t steps = ((bytes - 1) >> shift) + 1;  // 9..16
  return {static_cast<size_t>(shift) * 8 + steps - 8, steps << shift};
}

struct Pieces {
  std::vector<void*> waiting;
  uint64_t last_use = 0;
};

class Pool {
 public:
  void* take(const SizeClass& size) {
    {
      const std::lock_guard lock(mutex_);
      Pieces& pieces = classes_[size.index];
      pieces.last_use = ++clock_;
      count_.in_use += static_cast<int64_t>(size.bytes);
      count_.most = std::max(count_.most, count_.in_use);
      if (!pieces.waiting.empty()) {
        void* const piece = pieces.waiting.back();
        pieces.waiting.pop_back();
        count_.kept -= static_cast<int64_t>(size.bytes);
        ++count_.reused;
        return piece;
      }
      ++count_.fresh;
    }
    return from_system(size);
  }

  void give_back(void* piece, const SizeClass& size) {
    const std::lock_guard lock(mutex_);
    const auto bytes = static_cast<int64_t>(size.bytes);
    count_.in_use -= bytes;
    if (bytes > count_.most / 2) return c10::free_cpu(piece);
    while (count_.kept + bytes > count_.most / 2) release_oldest();
    classes_[size.index].waiting.push_back(piece);
    classes_[size.index].last_use = ++clock_;
    count_.kept += bytes;
  }

  ReusedMemory count() {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  void* from_system(const SizeClass& size) {
    try {
      return c10::alloc_cpu(size.bytes);
    } catch (const c10::Error&) {
      const std::lock_guard lock(mutex_);
      while (count_.kept > 0) release_oldest();
    }
    try {
      return c10::alloc_cpu(size.bytes);
    } catch (const c10::Error&) {
      const std::lock_guard lock(mutex_);
      count_.in_use -= static_cast<int64_t>(size.bytes);
      throw;
    }
  }

  // The pieces of the size that wasn't asked for the longest.
  void release_oldest() {
    Pieces* oldest = nullptr;
    for (Pieces& pieces : classes_) {
      if (!pieces.waiting.empty() && (oldest == nullptr || pieces.last_use < oldest->last_use)) oldest = &pieces;
    }
    for (void* piece : oldest->waiting) {
      count_.kept -= static_cast<int64_t>(static_cast<const SizeClass*>(piece)->bytes);
      c10::free_cpu(piece);
    }
    oldest->waiting.clear();
  }

  std::mutex mutex_;
  std::array<Pieces, 512> classes_;
  ReusedMemory count_;
  uint64_t clock_ = 0;
};

Pool& pool() {
  static auto* const pool = new Pool();  // tensors in static storage may outlive it otherwise
  return *pool;
}

void give_back(void* data) {
  if (data == nullptr) return;
  void* const piece = static_cast<std::byte*>(data) - kHeader;
  const SizeClass size = *static_cast<const SizeClass*>(piece);
  size.index == 0 ? c10::free_cpu(piece) : pool().give_back(piece, size);
}

class ReusingAllocator : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    void* data = nullptr;
    if (bytes > 0) {
      const SizeClass size = size_class(bytes + kHeader);
      void* const piece = size.index == 0 ? c10::alloc_cpu(size.bytes) : pool().take(size);
      *static_cast<SizeClass*>(piece) = size;
      data = static_cast<std::byte*>(piece) + kHeader;
    }
    return {data, data, &give_back, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &give_back; }
  void copy_data(void* to, const void* from, size_t bytes) const override { default_copy_data(to, from, bytes); }
};

}  // namespace

void reuse_tensor_memory() {
#if !defined(__SANITIZE_ADDRESS__)  // it would hide the use of freed memory
  static ReusingAllocator allocator;
  constexpr uint8_t kAboveDefault = 1;
  c10::SetCPUAllocator(&allocator, kAboveDefault);
#if defined(__GLIBC__)
  // What libraries below LibTorch allocate for each batch stays in the heap too, instead of being mapped and cleared
  // anew by the kernel.
  constexpr int kMost = 32 << 20;  // the largest threshold that mallopt takes
  mallopt(M_MMAP_THRESHOLD, kMost);
  mallopt(M_TRIM_THRESHOLD, 8 * kMost);
#endif
#endif
}

ReusedMemory reused_memory() { return pool().count(); }

}  // namespace nmt
