#pragma once

#include <string>

#include "base/error.h"

namespace nmt {

// Throws an error of the same class with more to its message.
[[noreturn]] inline void rethrow_with(const Error& error, const std::string& addition) {
  const std::string message = error.what() + addition;
  switch (error.kind()) {
    case ErrorKind::kUsage: throw UsageError(message);
    case ErrorKind::kData: throw DataError(message);
    case ErrorKind::kModel: throw ModelError(message);
    case ErrorKind::kResource: throw ResourceError(message);
    case ErrorKind::kInterrupted: throw InterruptedError(message);
    case ErrorKind::kInternal: break;
  }
  throw InternalError(message);
}

}  // namespace nmt
