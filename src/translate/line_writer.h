#pragma once

#include <string>

namespace nmt {

// Where results go: standard output for "-", else a file. A file is written under the name FILE.partial and gets its
// own name in finish(), so that FILE is always whole; after an error or an interruption FILE.partial holds the results
// so far, if any. Symbolic links, devices and pipes: see WriteTarget.
class LineWriter {
 public:
  explicit LineWriter(const std::string& path);  // throws ResourceError where it can't be made
  ~LineWriter();
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  // Writes and flushes. Throws ResourceError with path and reason, OutputClosed where nobody reads standard output.
  void write(const std::string& text);
  void finish();

  const std::string& partial_path() const { return partial_; }  // empty where the output is no file

 private:
  std::string path_;
  std::string partial_;
  int descriptor_;
  bool written_ = false;
};

// The reader of a pipe that we write to has gone: no error to talk about.
struct OutputClosed {};

}  // namespace nmt
