#include "base/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace nmt {
namespace {

using testing::HasSubstr;

TEST(ProgressLine, ShowsTheShareAndFitsTheTerminal) {
  EXPECT_EQ(progress_line(0.0, "x", 80), "[>                       ]   0% x");
  EXPECT_EQ(progress_line(0.5, "x", 80), "[============>           ]  50% x");
  EXPECT_EQ(progress_line(0.999, "x", 80), "[=======================>]  99% x");
  EXPECT_EQ(progress_line(1.0, "x", 80), "[========================] 100% x");
  EXPECT_EQ(progress_line(7.0, "x", 80), "[========================] 100% x");
  EXPECT_EQ(progress_line(std::nullopt, "reading", 80), "reading");
  EXPECT_EQ(progress_line(std::nullopt, "reading", 5), "read");
  EXPECT_EQ(progress_line(0.5, "x", 0), "");
}

// A pair of descriptors: what is written to `terminal` is read from `screen`.
struct PseudoTerminal {
  int screen = -1, terminal = -1;
  PseudoTerminal() {
    struct winsize size = {24, 40, 0, 0};
    EXPECT_EQ(::openpty(&screen, &terminal, nullptr, nullptr, &size), 0);
  }
  ~PseudoTerminal() {
    ::close(screen);
    ::close(terminal);
  }
  std::string shown() const {
    std::array<char, 4096> part;
    const ssize_t got = ::read(screen, part.data(), part.size());
    return std::string(part.data(), got > 0 ? static_cast<size_t>(got) : 0);
  }
};

TEST(Progress, IsShownOnATerminalAndCleared) {
  ::setenv("TERM", "xterm", 1);
  const PseudoTerminal pty;
  Progress progress(pty.terminal);
  EXPECT_TRUE(progress.visible());
  progress.show(0.25, "a text much too long for this terminal");
  const std::string shown = pty.shown();
  EXPECT_THAT(shown, HasSubstr("[======>"));
  EXPECT_EQ(shown.size(), std::string("\r\x1b[K").size() + 39);
  progress.show(0.26, "too soon");
  progress.clear();
  EXPECT_EQ(pty.shown(), "\r\x1b[K");
}

TEST(Progress, IsSilentElsewhere) {
  std::array<int, 2> ends;
  ASSERT_EQ(::pipe(ends.data()), 0);
  {
    Progress progress(ends[1]);
    EXPECT_FALSE(progress.visible());
    progress.show(0.5, "x");
  }
  ::setenv("TERM", "dumb", 1);
  const PseudoTerminal pty;
  EXPECT_FALSE(Progress(pty.terminal).visible());
  ::close(ends[1]);
  char byte;
  EXPECT_EQ(::read(ends[0], &byte, 1), 0);
  ::close(ends[0]);
}

}  // namespace
}  // namespace nmt
