#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/file.h"

namespace nmt::test {

// A running `nmt`; its standard output and error go to the files `out` and `err` of a folder. `prepare` runs in the new
// process before the program does.
class RunningNmt {
 public:
  RunningNmt(const std::filesystem::path& folder, std::vector<std::string> arguments,
             const std::function<void()>& prepare = {})
      : folder_(folder) {
    arguments.insert(arguments.begin(), std::string(NMT_BINARY_DIR) + "/nmt");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    child_ = ::fork();
    if (child_ != 0) return;
    ::dup2(::open((folder / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), 1);
    ::dup2(::open((folder / "err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), 2);
    if (prepare) prepare();
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  void signal(int number) const { ::kill(child_, number); }

  // The exit code; 128 and the signal's number where one ended it.
  int wait() {
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  // Whether it has ended by itself.
  bool ended() const {
    siginfo_t info = {};
    return ::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
  }
  std::string out() const { return read_file(folder_ / "out"); }
  std::string err() const { return read_file(folder_ / "err"); }

 private:
  std::filesystem::path folder_;
  pid_t child_ = -1;
};

}  // namespace nmt::test
