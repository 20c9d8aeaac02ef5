#include "base/write_target.h"

#include <fcntl.h>

#include "base/error.h"

namespace nmt {

namespace fs = std::filesystem;

namespace {

constexpr int kMostLinks = 40;  // as the kernel

// /dev/stdout and /proc/self/fd/1 look like links to files.
bool is_descriptor(const fs::path& link) {
  std::error_code none;
  return fs::weakly_canonical(link.parent_path(), none).string().starts_with("/proc/");
}

}  // namespace

WriteTarget::WriteTarget(const fs::path& given) : path(given) {
  std::error_code none;
  if (fs::exists(given, none) && !fs::is_regular_file(given, none)) {
    replaceable = false;
    return;
  }
  for (int links = 0; fs::is_symlink(path, none); ++links) {
    if (is_descriptor(path)) {
      replaceable = false;
      return;
    }
    if (links == kMostLinks) {
      throw ResourceError("Can't write " + given.string() + ": too many symbolic links follow each other.");
    }
    path = path.parent_path() / fs::read_symlink(path);
  }
}

int WriteTarget::open_directly() const { return ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC); }

}  // namespace nmt
