#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "config/config.h"

namespace nmt {

namespace {

// Visits every path of a configuration.
struct MissingFileVisitor {
  std::vector<std::string>& out;
  std::string prefix;

  template <class T>
  void operator()(const char* key, const T& member, const Range&, const char*) {
    if constexpr (std::is_same_v<T, PathField>) check(prefix + key, member.value);
  }
  template <class Section>
  void section(const char* key, const Section& part, const char*) {
    MissingFileVisitor inner{out, prefix + key + "."};
    Section::fields(part, inner);
  }
  void check(const std::string& key, const std::string& path) {
    if (path.empty()) return;
    if (::access(path.c_str(), R_OK) != 0) {
      out.push_back(key + ": can't read " + path + ": " + std::strerror(errno) + ".");
    } else if (std::filesystem::is_directory(path)) {
      out.push_back(key + ": expected a file, but " + path + " is a folder.");
    }
  }
};

}  // namespace

std::vector<std::string> missing_files(const Config& config) {
  std::vector<std::string> out;
  MissingFileVisitor visit{out, ""};
  Config::fields(config, visit);
  return out;
}

}  // namespace nmt
