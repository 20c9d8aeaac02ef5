#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/write_target.h"

namespace nmt {

// The whole file as bytes. Throws DataError that names the path and the reason.
std::string read_file(const std::filesystem::path& path);

// Writes `path` so that it holds either its old content or all of the new: temporary name beside it, write, flush to
// disk (file and folder), rename. Symbolic links, devices and pipes: see WriteTarget. Throws ResourceError that names
// the path and the reason ("No space left on device").
void write_file_atomic(const std::filesystem::path& path, std::string_view content);

// Flushes a file or a folder to disk. Throws ResourceError.
void sync_to_disk(const std::filesystem::path& path);

// A file of large binary parts, written piece by piece with the promise of write_file_atomic: the final name appears
// at commit(); without it the temporary file is removed.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, size_t bytes);  // throws ResourceError
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();  // flush, close, rename; throws ResourceError

 private:
  const std::filesystem::path& path() const { return target_.path; }

  WriteTarget target_;
  std::filesystem::path temporary_;  // empty where the target is written to directly
  int descriptor_ = -1;
};

// Lines of a text file. LF and CRLF end a line; a CR elsewhere is part of the text, as are U+0085, U+2028 and NUL.
// A byte order mark at the start is dropped. gzip files are recognised by content, whatever their name. "-" reads
// standard input. A last line without its end counts as a line. UTF-8 is not checked here (see base/utf8.h).
class LineReader {
 public:
  explicit LineReader(const std::string& path);  // throws DataError where it can't be opened
  ~LineReader();
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) noexcept;

  // Reads the next line without its end; false at the end of the file. Throws DataError on a read error or a
  // truncated or corrupt gzip stream, naming the path.
  bool next(std::string& line);

  int64_t line_number() const;      // of the line last read, from 1
  const std::string& path() const;  // "standard input" for "-"

  // True where next() would have to wait for more input: nothing is buffered and the descriptor isn't readable.
  bool would_block() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// All lines of a file. Throws as LineReader.
std::vector<std::string> read_lines(const std::string& path);

// Number of lines as LineReader counts them. Throws as LineReader.
int64_t count_lines(const std::string& path);

// SHA-256 of a file or of bytes, as 64 lower-case hex digits.
std::string sha256_of_file(const std::filesystem::path& path);
std::string sha256(std::string_view bytes);

// Bytes that the file system of `path` (or of its nearest existing parent) has free for us.
uint64_t free_disk_bytes(const std::filesystem::path& path);

}  // namespace nmt
