#pragma once

#include <stdexcept>
#include <string>

namespace nmt {

// What went wrong, seen from the user; the number is the exit code of the program.
enum class ErrorKind {
  kInternal = 1,      // a defect of ours, or training that diverged
  kUsage = 2,         // command line or configuration; output already taken; corpus too small for the vocabulary
  kData = 3,          // text and corpora
  kModel = 4,         // model or checkpoint files
  kResource = 5,      // device missing, out of memory, disk full
  kInterrupted = 130  // SIGINT or SIGTERM
};

// The one exception type of the project. The message is one or two sentences for the user: what, where
// (file:line or JSON path), what was expected, the nearest valid choice. Nothing is appended when it is printed.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }
  int exit_code() const { return static_cast<int>(kind_); }

 private:
  ErrorKind kind_;
};

struct InternalError : Error {
  explicit InternalError(const std::string& message) : Error(ErrorKind::kInternal, message) {}
};
struct UsageError : Error {
  explicit UsageError(const std::string& message) : Error(ErrorKind::kUsage, message) {}
};
struct DataError : Error {
  explicit DataError(const std::string& message) : Error(ErrorKind::kData, message) {}
};
struct ModelError : Error {
  explicit ModelError(const std::string& message) : Error(ErrorKind::kModel, message) {}
};
struct ResourceError : Error {
  explicit ResourceError(const std::string& message) : Error(ErrorKind::kResource, message) {}
};
struct InterruptedError : Error {
  explicit InterruptedError(const std::string& message) : Error(ErrorKind::kInterrupted, message) {}
};

}  // namespace nmt
