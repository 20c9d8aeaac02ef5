#include "tensor/torch_guard.h"

#include <c10/util/Exception.h>

#include <filesystem>
#include <new>
#include <string>

#include "base/error.h"

namespace nmt {

namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// LibTorch reports exhausted memory in several ways; only CUDA's allocator has a type of its own for it.
bool tells_of_exhausted_memory(const std::string& text) {
  return contains(text, "out of memory") || contains(text, "not enough memory") || contains(text, "allocate memory");
}

[[noreturn]] void throw_torch_error(const std::string& text) {
  if (tells_of_exhausted_memory(text)) {
    const bool device = contains(text, "CUDA");
    throw ResourceError(std::string("Out of ") + (device ? "GPU memory" : "memory") +
                        "; smaller batches need less (train.batch_tokens, --batch-sentences).");
  }
  throw InternalError("LibTorch failed: " + first_line(text));
}

}  // namespace

void rethrow_as_nmt_error() {
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const c10::OutOfMemoryError& error) {
    throw_torch_error(std::string("CUDA out of memory: ") + error.what_without_backtrace());
  } catch (const c10::Error& error) {
    throw_torch_error(error.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    throw ResourceError("Out of memory; smaller batches need less (train.batch_tokens, --batch-sentences).");
  } catch (const std::filesystem::filesystem_error& error) {
    throw ResourceError(error.path1().string() + ": " + error.code().message() + ".");
  } catch (const std::exception& error) {
    throw_torch_error(error.what());
  } catch (...) {
    throw InternalError("An exception of unknown kind reached the end of a verb.");
  }
}

}  // namespace nmt
