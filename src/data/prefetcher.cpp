#include "data/prefetcher.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

namespace nmt {

struct Prefetcher::State {
  struct Made {
    Batch batch;
    BatcherPosition after;
  };

  State(Batcher given, int64_t wanted_depth)
      : batcher(std::move(given)), depth(static_cast<size_t>(wanted_depth)), position(batcher.position()) {}

  void produce() {
    try {
      for (;;) {
        {
          std::unique_lock lock(mutex);
          changed.wait(lock, [&] { return stopping || ready.size() < depth; });
          if (stopping) return;
        }
        Batch batch = batcher.next();
        const std::lock_guard lock(mutex);
        ready.push_back({std::move(batch), batcher.position()});
        changed.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
      changed.notify_all();
    }
  }

  Batcher batcher;  // of the thread alone, once it runs
  size_t depth;
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<Made> ready;
  std::exception_ptr failure;
  bool stopping = false;
  BatcherPosition position;
  double waited = 0;
  std::thread thread;
};

Prefetcher::Prefetcher(Batcher batcher, int64_t depth) : state_(std::make_unique<State>(std::move(batcher), depth)) {
  state_->thread = std::thread([state = state_.get()] { state->produce(); });
}

Prefetcher::~Prefetcher() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
    state_->changed.notify_all();
  }
  state_->thread.join();
}

Batch Prefetcher::next() {
  const auto begin = std::chrono::steady_clock::now();
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  s.changed.wait(lock, [&] { return !s.ready.empty() || s.failure; });
  s.waited += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (s.ready.empty()) std::rethrow_exception(s.failure);
  Batch batch = std::move(s.ready.front().batch);
  s.position = s.ready.front().after;
  s.ready.pop_front();
  s.changed.notify_all();
  return batch;
}

BatcherPosition Prefetcher::position() const {
  const std::lock_guard lock(state_->mutex);
  return state_->position;
}

double Prefetcher::waited_seconds() const {
  const std::lock_guard lock(state_->mutex);
  return state_->waited;
}

}  // namespace nmt
