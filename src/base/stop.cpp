#include "base/stop.h"

#include <unistd.h>

#include <csignal>

#include "base/error.h"

namespace nmt {

namespace {

volatile std::sig_atomic_t stop_flag = 0;

void on_signal(int) {
  if (stop_flag != 0) _exit(130);
  stop_flag = 1;
}

}  // namespace

void install_stop_handler() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0;  // no SA_RESTART: a blocking read returns, so that its loop sees the flag
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void remove_stop_handler() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (stop_requested()) throw InterruptedError("Interrupted.");
}

bool stop_requested() { return stop_flag != 0; }
void request_stop() { stop_flag = 1; }
void clear_stop_request() { stop_flag = 0; }

}  // namespace nmt
