#pragma once

namespace nmt {

// Called inside a catch block at the edge of libnmt_torch.so: throws the current exception on as nmt::Error. Out of
// memory, on the device too, becomes ResourceError; anything else that isn't ours InternalError with the first sentence
// of what LibTorch says.
[[noreturn]] void rethrow_as_nmt_error();

template <class Body>
void with_torch_errors(Body body) {
  try {
    body();
  } catch (...) {
    rethrow_as_nmt_error();
  }
}

}  // namespace nmt
