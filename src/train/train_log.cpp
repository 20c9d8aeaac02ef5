#include "train/train_log.h"

#include <fcntl.h>
#include <spdlog/fmt/chrono.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/error.h"

namespace nmt {

namespace {

// Length of the file, `end`, without the part after its last line end.
off_t length_of_whole_lines(int descriptor, off_t end) {
  std::array<char, 4096> part;
  while (end > 0) {
    const off_t begin = std::max<off_t>(0, end - static_cast<off_t>(part.size()));
    const ssize_t got = ::pread(descriptor, part.data(), static_cast<size_t>(end - begin), begin);
    if (got <= 0) return end;
    for (ssize_t i = got; i > 0; --i) {
      if (part[static_cast<size_t>(i - 1)] == '\n') return begin + i;
    }
    end = begin;
  }
  return 0;
}

}  // namespace

TrainLog::TrainLog(const std::filesystem::path& file) : file_(file) {
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const auto refuse = [&] { throw ResourceError("Can't write " + file.string() + ": " + std::strerror(errno) + "."); };
  if (descriptor_ < 0) refuse();
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  const off_t whole = length_of_whole_lines(descriptor_, end);
  if (whole != end && ::ftruncate(descriptor_, whole) != 0) refuse();
}

TrainLog::~TrainLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void TrainLog::write(const std::string& event, const nlohmann::ordered_json& fields) {
  const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  nlohmann::ordered_json line = {{"event", event}, {"time", fmt::format("{:%FT%TZ}", fmt::gmtime(now))}};
  line.update(fields);
  const std::string text = line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  const ssize_t done = ::write(descriptor_, text.data(), text.size());
  if (done == static_cast<ssize_t>(text.size())) return;
  throw ResourceError("Can't write " + file_.string() + ": " + std::strerror(done < 0 ? errno : ENOSPC) + ".");
}

}  // namespace nmt
