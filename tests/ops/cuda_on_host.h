#pragma once

#include <ucontext.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

// Stands in for a GPU, so that the kernels of src/ops/cuda/*.cu can be tested where there is none: include this before
// the .cu file. The threads of a block are fibers that take turns, each running until it waits for others; blocks run
// one after another. What only a GPU shows (races between blocks, warps that run apart, speed) isn't tested by it.

// NOLINTBEGIN(bugprone-reserved-identifier): these are CUDA's names
#define __global__
#define __device__
#define __shared__ static

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};
inline dim3 threadIdx, blockIdx, blockDim;  // of the fiber that runs

namespace nmt::cuda_on_host {

constexpr unsigned kLanes = 32;

struct Barrier {
  unsigned arrived = 0, generation = 0;
};

class Block {
 public:
  void run(unsigned threads, const std::function<void()>& body) {
    fibers_ = std::vector<Fiber>(threads);
    warps_ = std::vector<Warp>((threads + kLanes - 1) / kLanes);
    all_ = {};
    body_ = &body;
    if (stacks_.size() < threads * kStack) stacks_.resize(threads * kStack);
    for (unsigned i = 0; i < threads; ++i) {
      getcontext(&fibers_[i].context);
      fibers_[i].context.uc_stack.ss_sp = stacks_.data() + i * kStack;
      fibers_[i].context.uc_stack.ss_size = kStack;
      fibers_[i].context.uc_link = &main_;
      makecontext(&fibers_[i].context, &Block::enter, 0);
    }
    current_block = this;
    for (unsigned left = threads; left > 0;) {
      progress_ = false;
      for (current_ = 0; current_ < threads; ++current_) {
        if (fibers_[current_].done) continue;
        threadIdx = {current_, 0, 0};
        swapcontext(&main_, &fibers_[current_].context);
        if (fibers_[current_].done) --left;
      }
      if (!progress_) throw std::logic_error("threads of a block wait for others that never come");
    }
  }

  void wait_for_block() { wait(all_, static_cast<unsigned>(fibers_.size())); }

  // The value that the lane `distance` away (by exclusive or) gave.
  template <class T>
  T exchange(T value, int distance) {
    const unsigned lane = current_ % kLanes;
    Warp& warp = warps_[current_ / kLanes];
    std::memcpy(warp.values[lane], &value, sizeof value);
    wait(warp.barrier, kLanes);
    std::memcpy(&value, warp.values[lane ^ static_cast<unsigned>(distance)], sizeof value);
    wait(warp.barrier, kLanes);
    return value;
  }

  static inline Block* current_block = nullptr;

 private:
  static constexpr size_t kStack = 64 << 10;
  struct Fiber {
    ucontext_t context = {};
    bool done = false;
  };
  struct Warp {
    Barrier barrier;
    char values[kLanes][8];
  };

  static void enter() {
    Block& block = *current_block;
    (*block.body_)();
    block.fibers_[block.current_].done = true;
    block.progress_ = true;
  }

  void wait(Barrier& barrier, unsigned size) {
    const unsigned generation = barrier.generation;
    if (++barrier.arrived == size) {
      barrier.arrived = 0;
      ++barrier.generation;
      progress_ = true;
      return;
    }
    const unsigned self = current_;
    while (barrier.generation == generation) {
      swapcontext(&fibers_[self].context, &main_);
    }
  }

  std::vector<Fiber> fibers_;
  std::vector<Warp> warps_;
  Barrier all_;
  const std::function<void()>* body_ = nullptr;
  std::vector<char> stacks_;
  ucontext_t main_ = {};
  unsigned current_ = 0;
  bool progress_ = false;
};

}  // namespace nmt::cuda_on_host

inline void __syncthreads() { nmt::cuda_on_host::Block::current_block->wait_for_block(); }

template <class T>
T __shfl_xor_sync(unsigned, T value, int distance) {
  return nmt::cuda_on_host::Block::current_block->exchange(value, distance);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace nmt {

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 blocks, unsigned threads, void*, const Arguments&... arguments) {
  static cuda_on_host::Block block;
  if (blocks.x == 0 || blocks.y == 0 || blocks.y > 65535 || threads == 0 || threads > 1024) {
    throw std::logic_error("CUDA refuses such a launch");
  }
  blockDim = {threads, 1, 1};
  for (unsigned y = 0; y < blocks.y; ++y) {
    for (unsigned x = 0; x < blocks.x; ++x) {
      blockIdx = {x, y, 0};
      block.run(threads, [&] { kernel(arguments...); });
    }
  }
}

}  // namespace nmt
