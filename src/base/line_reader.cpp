#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/file.h"
#include "base/stop.h"

namespace nmt {

namespace {

constexpr size_t kBufferBytes = 1 << 16;

// Bytes of a descriptor, inflated where they begin as a gzip stream does.
class ByteSource {
 public:
  ByteSource(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
  ~ByteSource() {
    if (gzip_) inflateEnd(&stream_);
    if (descriptor_ > 0) ::close(descriptor_);
  }
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // Appends what one read gives (waiting for it where need be); false at the end.
  bool read_more(std::string& out) {
    if (!started_) start();
    return gzip_ ? inflate_more(out) : copy_more(out);
  }

  bool would_block() const {
    if (raw_begin_ < raw_end_ || ended_) return false;
    pollfd waiting = {descriptor_, POLLIN, 0};
    return ::poll(&waiting, 1, 0) == 0;
  }

 private:
  void start() {
    started_ = true;
    while ((raw_end_ == 0 || (raw_end_ == 1 && raw_[0] == 0x1f)) && fill()) {  // waits for no more than it must
    }
    gzip_ = raw_end_ >= 2 && raw_[0] == 0x1f && raw_[1] == 0x8b;
    if (gzip_ && inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) throw InternalError("zlib can't be initialised");
  }

  // Reads behind raw_end_; false at the end of the file.
  bool fill() {
    if (ended_) return false;
    if (raw_begin_ == raw_end_) raw_begin_ = raw_end_ = 0;
    for (;;) {
      if (!wait()) {
        ended_ = true;
        return false;
      }
      const ssize_t got = ::read(descriptor_, raw_.data() + raw_end_, raw_.size() - raw_end_);
      if (got > 0) {
        raw_end_ += static_cast<size_t>(got);
        return true;
      }
      if (got == 0) {
        ended_ = true;
        return false;
      }
      if (errno != EINTR) throw DataError("Can't read " + name_ + ": " + std::strerror(errno) + ".");
    }
  }

  // False where a stop is requested before anything can be read. A signal that comes just before read() wouldn't
  // interrupt it, so the flag is looked at now and then.
  bool wait() const {
    pollfd waiting = {descriptor_, POLLIN, 0};
    while (::poll(&waiting, 1, 200) <= 0) {
      if (stop_requested()) return false;
    }
    return true;
  }

  bool copy_more(std::string& out) {
    if (raw_begin_ == raw_end_ && !fill()) return false;
    out.append(reinterpret_cast<const char*>(raw_.data()) + raw_begin_, raw_end_ - raw_begin_);
    raw_begin_ = raw_end_;
    return true;
  }

  bool inflate_more(std::string& out) {
    std::array<unsigned char, kBufferBytes> plain;
    for (;;) {
      if (raw_begin_ == raw_end_ && !fill()) {
        if (!member_done_) throw DataError("The gzip file " + name_ + " ends too early (truncated?).");
        return false;
      }
      if (member_done_) {
        inflateReset(&stream_);  // members may follow each other
        member_done_ = false;
      }
      stream_.next_in = raw_.data() + raw_begin_;
      stream_.avail_in = static_cast<uInt>(raw_end_ - raw_begin_);
      stream_.next_out = plain.data();
      stream_.avail_out = static_cast<uInt>(plain.size());
      const int code = inflate(&stream_, Z_NO_FLUSH);
      raw_begin_ = raw_end_ - stream_.avail_in;
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
        throw DataError("The gzip file " + name_ + " is corrupt.");
      }
      member_done_ = code == Z_STREAM_END;
      const size_t made = plain.size() - stream_.avail_out;
      if (made > 0) {
        out.append(reinterpret_cast<const char*>(plain.data()), made);
        return true;
      }
    }
  }

  int descriptor_;
  std::string name_;
  std::array<unsigned char, kBufferBytes> raw_;
  size_t raw_begin_ = 0;
  size_t raw_end_ = 0;
  bool started_ = false;
  bool ended_ = false;
  bool gzip_ = false;
  bool member_done_ = false;
  z_stream stream_ = {};
};

int open_to_read(const std::string& path) {
  if (path == "-") return STDIN_FILENO;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw DataError("Can't open " + path + ": " + std::strerror(errno) + ".");
  return descriptor;
}

}  // namespace

struct LineReader::State {
  explicit State(const std::string& given)
      : path(given == "-" ? "standard input" : given), source(open_to_read(given), path) {}

  std::string path;
  ByteSource source;
  std::string buffer;  // bytes read and not yet given out begin at `at`
  size_t at = 0;
  size_t searched = 0;  // no line end in buffer[at, searched)
  int64_t line_number = 0;
};

LineReader::LineReader(const std::string& path) : state_(std::make_unique<State>(path)) {}
LineReader::~LineReader() = default;
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;

bool LineReader::next(std::string& line) {
  State& s = *state_;
  size_t end;
  while ((end = s.buffer.find('\n', s.searched)) == std::string::npos) {
    s.buffer.erase(0, s.at);
    s.at = 0;
    s.searched = s.buffer.size();
    if (s.source.read_more(s.buffer)) continue;
    if (s.buffer.empty()) return false;
    end = s.buffer.size();
    break;
  }
  size_t length = end - s.at;
  const bool ended_by_newline = end < s.buffer.size();
  if (ended_by_newline && length > 0 && s.buffer[end - 1] == '\r') --length;
  line.assign(s.buffer, s.at, length);
  s.at = s.searched = ended_by_newline ? end + 1 : end;
  if (++s.line_number == 1 && line.compare(0, 3, "\xEF\xBB\xBF") == 0) line.erase(0, 3);
  return true;
}

int64_t LineReader::line_number() const { return state_->line_number; }
const std::string& LineReader::path() const { return state_->path; }

bool LineReader::would_block() const {
  const State& s = *state_;
  return s.buffer.find('\n', s.searched) == std::string::npos && s.source.would_block();
}

std::vector<std::string> read_lines(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) {
    if (stop_requested()) break;
    lines.push_back(line);
  }
  if (stop_requested()) throw InterruptedError("Interrupted while reading " + reader.path() + ".");
  return lines;
}

int64_t count_lines(const std::string& path) {
  LineReader reader(path);
  for (std::string line; reader.next(line);) {
  }
  return reader.line_number();
}

}  // namespace nmt
