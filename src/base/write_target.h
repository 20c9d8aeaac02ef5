#pragma once

#include <filesystem>

namespace nmt {

// What is written to when results are to have the name `path`. A regular file, or one that isn't there yet, is written
// under another name and renamed; through a symbolic link that happens to what the link names in the end, so that the
// link stays. What can't be replaced so (a device, a named pipe, an open descriptor as /dev/stdout) is written to
// directly.
struct WriteTarget {
  explicit WriteTarget(const std::filesystem::path& given);  // throws ResourceError for links that go round in a circle

  std::filesystem::path path;
  bool replaceable = true;

  // Opens it for writing directly; negative, with errno, where that can't be.
  int open_directly() const;
};

}  // namespace nmt
