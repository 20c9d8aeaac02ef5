#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace nmt::test {

struct ProcessOptions {
  std::string input = {};              // standard input, whole
  std::string working_directory = {};  // where the program runs; empty for here
  std::string output_file = {};        // standard output goes to this file (as /dev/full) and not into the result
  bool close_output = false;           // the program starts without a standard output
  bool stop_reading = false;           // standard output is a pipe that nobody reads
  uint64_t largest_file = 0;           // bytes that a file may have; writing more fails as on a full disk. 0: any
  double timeout_s = 60;
};

struct ProcessResult {
  int exit_code = -1;  // 128 + N where signal N ended it
  std::string output;
  std::string errors;
  bool timed_out = false;  // and was killed
  double seconds = 0;
};

namespace detail {

struct Pipe {
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(size_t end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
  std::array<int, 2> ends{-1, -1};  // for reading, for writing
};

[[noreturn]] inline void become(const std::vector<std::string>& command, const ProcessOptions& options, int in, int out,
                                int err) {
  ::signal(SIGPIPE, SIG_DFL);
  if (options.largest_file > 0) {
    ::signal(SIGXFSZ, SIG_IGN);  // writing fails with an error instead
    const rlimit limit = {options.largest_file, options.largest_file};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (!options.output_file.empty()) out = ::open(options.output_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  ::dup2(in, STDIN_FILENO);
  ::dup2(err, STDERR_FILENO);
  if (options.close_output) {
    ::close(STDOUT_FILENO);
  } else {
    ::dup2(out, STDOUT_FILENO);
  }
  if (!options.working_directory.empty() && ::chdir(options.working_directory.c_str()) != 0) ::_exit(126);
  std::vector<char*> arguments;
  for (const std::string& part : command) arguments.push_back(const_cast<char*>(part.c_str()));
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

// Appends what can be read; false at the end.
inline bool read_some(int descriptor, std::string& to) {
  std::array<char, 65536> part;
  const ssize_t got = ::read(descriptor, part.data(), part.size());
  if (got > 0) to.append(part.data(), static_cast<size_t>(got));
  return got > 0;
}

// Feeds and reads the three streams until both outputs end or the time is over.
inline bool exchange(Pipe& in, Pipe& out, Pipe& err, const ProcessOptions& options, ProcessResult& result,
                     std::chrono::steady_clock::time_point deadline) {
  ::fcntl(in.ends[1], F_SETFL, O_NONBLOCK);
  size_t written = 0;
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    if (written == options.input.size()) in.close_end(1);
    std::array<pollfd, 3> waiting = {{{in.ends[1], POLLOUT, 0}, {out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}};
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0 || ::poll(waiting.data(), waiting.size(), static_cast<int>(left.count())) == 0) return false;
    if (waiting[0].revents != 0) {
      const ssize_t done = ::write(in.ends[1], options.input.data() + written, options.input.size() - written);
      if (done > 0) written += static_cast<size_t>(done);
      if (done < 0 && errno != EAGAIN) in.close_end(1);
    }
    if (waiting[1].revents != 0 && !read_some(out.ends[0], result.output)) out.close_end(0);
    if (waiting[2].revents != 0 && !read_some(err.ends[0], result.errors)) err.close_end(0);
  }
  return true;
}

}  // namespace detail

// Runs a program (command[0] is its path) to its end and gives all that it wrote.
inline ProcessResult run_process(const std::vector<std::string>& command, const ProcessOptions& options = {}) {
  ::signal(SIGPIPE, SIG_IGN);
  detail::Pipe in, out, err;
  ProcessResult result;
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("can't fork");
  if (child == 0) {
    if (options.stop_reading) out.close_end(0);
    detail::become(command, options, in.ends[0], out.ends[1], err.ends[1]);
  }
  in.close_end(0);
  out.close_end(1);
  err.close_end(1);
  if (options.stop_reading) out.close_end(0);
  const auto limit = std::chrono::duration<double>(options.timeout_s);
  const auto deadline = start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit);
  result.timed_out = !detail::exchange(in, out, err, options, result, deadline);
  if (result.timed_out) ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

// Runs build/nmt.
inline ProcessResult run_nmt(const std::vector<std::string>& arguments, const ProcessOptions& options = {}) {
  std::vector<std::string> command = {std::string(NMT_BINARY_DIR) + "/nmt"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_process(command, options);
}

}  // namespace nmt::test
