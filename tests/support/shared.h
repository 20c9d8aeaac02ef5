#pragma once

#include <cstdlib>
#include <filesystem>

namespace nmt::test {

// The folder of corpora that aren't part of the project: $NMT_SHARED, or `shared` beside the source directory.
inline std::filesystem::path shared_folder() {
  const char* given = std::getenv("NMT_SHARED");
  if (given != nullptr && *given != '\0') return given;
  return std::filesystem::path(NMT_SOURCE_DIR).parent_path() / "shared";
}

}  // namespace nmt::test

// Ends the test as skipped where `path` (below the shared folder) doesn't exist.
#define NMT_SKIP_WITHOUT_SHARED(path)                                \
  if (!std::filesystem::exists(nmt::test::shared_folder() / (path))) \
  GTEST_SKIP() << "no " << (nmt::test::shared_folder() / (path)) << " (set NMT_SHARED to where it is)"
