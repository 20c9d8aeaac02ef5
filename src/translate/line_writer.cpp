#include "translate/line_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "base/file.h"
#include "base/write_target.h"

namespace nmt {

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw ResourceError("Can't write " + what + ": " + std::strerror(errno) + ".");
}

}  // namespace

LineWriter::LineWriter(const std::string& path) : path_(path), descriptor_(STDOUT_FILENO) {
  if (path_ == "-") return;
  const WriteTarget target(path);
  path_ = target.path.string();
  if (target.replaceable) {
    partial_ = path_ + ".partial";
    descriptor_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  } else {
    descriptor_ = target.open_directly();
  }
  if (descriptor_ < 0) fail(target.replaceable ? partial_ : path_);
}

LineWriter::~LineWriter() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
  if (!partial_.empty() && !written_) ::unlink(partial_.c_str());
}

void LineWriter::write(const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(descriptor_, text.data() + done, text.size() - done);
    if (written >= 0) {
      written_ = true;
      done += static_cast<size_t>(written);
    } else if (errno == EPIPE && partial_.empty()) {
      throw OutputClosed{};
    } else if (errno != EINTR) {
      fail(!partial_.empty() ? partial_ : path_ == "-" ? "standard output" : path_);
    }
  }
}

void LineWriter::finish() {
  if (partial_.empty()) return;
  written_ = true;
  sync_to_disk(partial_);
  if (std::rename(partial_.c_str(), path_.c_str()) != 0) fail(path_);
}

}  // namespace nmt
