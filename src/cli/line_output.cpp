#include "cli/line_output.h"

#include "cli/standard_streams.h"

namespace nmt {

namespace {

constexpr size_t kBufferBytes = 1 << 16;

}  // namespace

LineOutput::LineOutput(const std::string& path) {
  if (path != "-") file_.emplace(path);
}

void LineOutput::write(std::string_view line) {
  buffer_ += line;
  buffer_ += '\n';
  if (buffer_.size() >= kBufferBytes) flush();
}

void LineOutput::flush() {
  if (file_) {
    file_->write(buffer_);
  } else {
    write_standard_output(buffer_);
  }
  buffer_.clear();
}

void LineOutput::finish() {
  flush();
  if (file_) file_->commit();
}

}  // namespace nmt
