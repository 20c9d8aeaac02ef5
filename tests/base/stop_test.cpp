#include "base/stop.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/error.h"

namespace nmt {
namespace {

// The exit code of `body`, run in a process of its own.
template <class Body>
int exit_code_of(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    install_stop_handler();
    ::_exit(body());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

constexpr int kFinished = 7;

TEST(Stop, ASignalAsksAndDoesNotEnd) {
  for (const int signal : {SIGINT, SIGTERM}) {
    EXPECT_EQ(exit_code_of([signal] {
                const bool before = stop_requested();
                std::raise(signal);
                return !before && stop_requested() ? kFinished : 1;
              }),
              kFinished);
  }
}

// As timeout(1) does it: to the process, then to its group.
TEST(Stop, ASignalThatComesTwiceAtOnceIsOneRequest) {
  EXPECT_EQ(exit_code_of([] {
              std::raise(SIGTERM);
              ::usleep(20'000);
              std::raise(SIGTERM);
              std::raise(SIGINT);
              return stop_requested() ? kFinished : 1;
            }),
            kFinished);
}

TEST(Stop, ALaterSignalEndsAtOnce) {
  EXPECT_EQ(exit_code_of([] {
              std::raise(SIGINT);
              ::usleep(600'000);
              std::raise(SIGINT);
              return kFinished;
            }),
            130);
}

TEST(Stop, WithoutTheHandlerASignalEndsAndAnEarlierOneIsNotForgotten) {
  EXPECT_EQ(exit_code_of([] {
              remove_stop_handler();
              std::raise(SIGINT);
              return kFinished;
            }),
            128 + SIGINT);
  EXPECT_EQ(exit_code_of([] {
              std::raise(SIGINT);
              try {
                remove_stop_handler();
              } catch (const InterruptedError&) {
                return kFinished;
              }
              return 1;
            }),
            kFinished);
}

}  // namespace
}  // namespace nmt
