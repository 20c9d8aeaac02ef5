#pragma once

#include <cstddef>
#include <functional>

namespace nmt {

// Calls body(0) to body(count - 1), each once, in `threads` threads at most; inside each of several threads tensor
// operations use one thread. The first exception ends the rest early and is thrown again here.
void for_each_in_parallel(size_t count, int threads, const std::function<void(size_t)>& body);

}  // namespace nmt
