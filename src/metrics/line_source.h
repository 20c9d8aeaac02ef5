#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"

namespace nmt::metrics {

// Where lines to be scored come from, in order: a file, or the output of a translator in memory.
class LineSource {
 public:
  virtual ~LineSource() = default;
  virtual bool next(std::string& line) = 0;  // false at the end; throws DataError
  virtual std::string name() const = 0;      // for messages
};

// A file, "-" for standard input; plain or gzip (see LineReader).
class FileLines : public LineSource {
 public:
  explicit FileLines(const std::string& path) : reader_(path) {}  // throws DataError
  bool next(std::string& line) override { return reader_.next(line); }
  std::string name() const override { return reader_.path(); }

 private:
  LineReader reader_;
};

class MemoryLines : public LineSource {
 public:
  MemoryLines(std::vector<std::string> lines, std::string name) : lines_(std::move(lines)), name_(std::move(name)) {}
  bool next(std::string& line) override;
  std::string name() const override { return name_; }

 private:
  std::vector<std::string> lines_;
  std::string name_;
  size_t at_ = 0;
};

// What becomes of bytes that are not UTF-8.
enum class InvalidUtf8 {
  kError,   // DataError that names file and line
  kReplace  // U+FFFD for each ill-formed part, and a count
};

// Consecutive lines of several sources, line i of each belonging together. White space at the end of lines, which
// sacreBLEU's command drops too, is kept here.
struct LineBlock {
  size_t index = 0;       // of the block
  size_t first_line = 0;  // from 0
  size_t lines = 0;
  std::vector<std::vector<std::string>> texts;  // [source][line]; only the first `lines` are valid
};

// Reads sources in step.
class BlockReader {
 public:
  explicit BlockReader(std::vector<std::unique_ptr<LineSource>> sources) : sources_(std::move(sources)) {}

  // Fills `block`, whose memory is used again; false at the end. Throws DataError where one source ends before another,
  // naming both and their numbers of lines, and where there is no line at all.
  bool next(LineBlock& block);

  const LineSource& source(size_t i) const { return *sources_[i]; }

  static constexpr size_t kBlockLines = 512;

 private:
  [[noreturn]] void throw_unequal(const std::vector<size_t>& read);

  std::vector<std::unique_ptr<LineSource>> sources_;
  size_t blocks_ = 0;
  size_t lines_ = 0;
};

}  // namespace nmt::metrics
