#include "base/progress.h"

#include <spdlog/fmt/fmt.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/log.h"

namespace nmt {

namespace {

constexpr int kBarWidth = 24;
constexpr int kDefaultColumns = 80;
constexpr const char* kClearLine = "\r\x1b[K";

bool is_capable_terminal(int descriptor) {
  const char* term = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

int columns_of(int descriptor) {
  struct winsize size = {};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kDefaultColumns;
}

// Progress is a courtesy: what can't be shown is let go.
void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = ::write(descriptor, text.data(), text.size());
    if (done <= 0) return;
    text.remove_prefix(static_cast<size_t>(done));
  }
}

}  // namespace

std::string progress_line(std::optional<double> part, std::string_view text, int columns) {
  std::string line;
  if (part) {
    const double done = std::clamp(*part, 0.0, 1.0);
    const int filled = static_cast<int>(done * kBarWidth);
    line = "[" + std::string(static_cast<size_t>(filled), '=');
    if (filled < kBarWidth) line += ">" + std::string(static_cast<size_t>(kBarWidth - filled - 1), ' ');
    line += fmt::format("] {:3.0f}% ", std::floor(100 * done));
  }
  line += text;
  // The last column stays free: a terminal may wrap there.
  return line.substr(0, static_cast<size_t>(std::max(0, columns - 1)));
}

Progress::Progress(int descriptor)
    : descriptor_(descriptor), visible_(is_capable_terminal(descriptor) && spdlog::should_log(spdlog::level::info)) {}

Progress::~Progress() { clear(); }

void Progress::show(std::optional<double> part, std::string_view text) {
  if (!visible_) return;
  const auto now = std::chrono::steady_clock::now();
  if (shown_ && now - last_shown_ < std::chrono::milliseconds(100)) return;
  write_all(descriptor_, kClearLine + progress_line(part, text, columns_of(descriptor_)));
  last_shown_ = now;
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  write_all(descriptor_, kClearLine);
  shown_ = false;
}

}  // namespace nmt
