#include "translate/parallel.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace nmt {

namespace {

// Hands out the numbers below `count` and keeps the first exception.
class SharedLoop {
 public:
  SharedLoop(size_t count, const std::function<void(size_t)>& body) : count_(count), body_(body) {}

  void work() {
    try {
      for (size_t i = next_++; i < count_; i = next_++) body_(i);
    } catch (...) {
      next_ = count_;
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  size_t count_;
  const std::function<void(size_t)>& body_;
  std::atomic<size_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

void for_each_in_parallel(size_t count, int threads, const std::function<void(size_t)>& body) {
  SharedLoop loop(count, body);
  const size_t workers = std::min(count, static_cast<size_t>(std::max(threads, 1)));
  if (workers <= 1) {
    loop.work();
  } else {
    const int threads_before = at::get_num_threads();
    std::vector<std::thread> pool;
    for (size_t i = 0; i < workers; ++i) {
      pool.emplace_back([&loop] {
        at::set_num_threads(1);
        loop.work();
      });
    }
    for (std::thread& thread : pool) thread.join();
    at::set_num_threads(threads_before);
  }
  loop.rethrow();
}

}  // namespace nmt
