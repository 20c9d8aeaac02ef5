#include "cli/library_loader.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "api/library_of_torch.h"

namespace nmt {

namespace {

// Threads of a parallel region wait for the next one by spinning, which starves whatever else runs on the machine, our
// own other threads too. A short spin loses nothing measurable and keeps the cores free. The OpenMP library reads this
// when it is loaded, so it has to be set before.
void limit_spinning() {
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) ::setenv("GOMP_SPINCOUNT", "2000", /*overwrite=*/0);
}

// Beside the program in the build folder, in the folder of libraries where it is installed.
void* load() {
  limit_spinning();
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return open_torch_library({folder, (folder / NMT_LIBRARIES_FROM_PROGRAMS).lexically_normal()}, RTLD_NOW | RTLD_GLOBAL,
                            "This verb");
}

}  // namespace

void* find_torch_function(const char* name) {
  static void* const library = load();
  return function_of_torch_library(library, name);
}

}  // namespace nmt
