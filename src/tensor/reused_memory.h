#pragma once

#include <cstdint>

namespace nmt {

// From now on tensors on the CPU take memory that earlier ones gave back, in the whole process. Training asks for the
// same large sizes at every update, a little different each time; the C library keeps free pieces sorted by size and
// walks through them at every request, which was seen to take 15% of the time after a thousand updates, and more later.
// Here a size is rounded up by at most an eighth and each has a list of its own. What is kept is at most half of what
// was ever in use at once; the least recently used sizes go back to the system first, and all where memory is short.
void reuse_tensor_memory();

struct ReusedMemory {
  int64_t in_use = 0;  // bytes, rounded sizes
  int64_t most = 0;    // that were ever in use at once
  int64_t kept = 0;    // bytes given back and waiting
  int64_t reused = 0;  // requests that found a piece waiting
  int64_t fresh = 0;   // requests that went to the system
};
ReusedMemory reused_memory();

}  // namespace nmt
