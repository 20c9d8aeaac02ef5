#include "cli/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

#include "base/error.h"

namespace nmt {

namespace {

[[noreturn]] void throw_output_error(int code) {
  throw ResourceError(std::string("Can't write standard output: ") + std::strerror(code) + ".");
}

void open_if_closed(int descriptor, int flags) {
  if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) return;
  const int opened = ::open("/dev/null", flags);  // the lowest free number, which is this one
  if (opened >= 0 && opened != descriptor) ::close(opened);
}

}  // namespace

void prepare_standard_streams() {
  open_if_closed(STDIN_FILENO, O_WRONLY);   // reading fails
  open_if_closed(STDOUT_FILENO, O_RDONLY);  // writing fails
  open_if_closed(STDERR_FILENO, O_WRONLY);  // writing goes nowhere
  std::signal(SIGPIPE, SIG_DFL);
}

void write_standard_output(std::string_view text) {
  flush_standard_output();
  while (!text.empty()) {
    const ssize_t done = ::write(STDOUT_FILENO, text.data(), text.size());
    if (done >= 0) {
      text.remove_prefix(static_cast<size_t>(done));
    } else if (errno != EINTR) {
      throw_output_error(errno);
    }
  }
}

void flush_standard_output() {
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || std::cout.bad())
    throw_output_error(errno != 0 ? errno : EIO);
}

}  // namespace nmt
