#pragma once

#include <memory>

#include "data/batcher.h"

namespace nmt {

// Makes the batches of a Batcher ahead in a thread of its own, so that training doesn't wait for them. The order is
// the batcher's. An exception in that thread is thrown by next(). The destructor stops the thread.
class Prefetcher {
 public:
  explicit Prefetcher(Batcher batcher, int64_t depth = 8);
  ~Prefetcher();
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  Batch next();

  BatcherPosition position() const;  // of the batch that next() gives: what a checkpoint keeps
  double waited_seconds() const;     // spent inside next() waiting, in all

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace nmt
