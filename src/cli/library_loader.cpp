#include "cli/library_loader.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"

namespace nmt {

namespace {

// Threads of a parallel region wait for the next one by spinning, which starves whatever else runs on the machine, our
// own other threads too. A short spin loses nothing measurable and keeps the cores free. The OpenMP library reads this
// when it is loaded, so it has to be set before.
void limit_spinning() {
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) ::setenv("GOMP_SPINCOUNT", "2000", /*overwrite=*/0);
}

void* load() {
  limit_spinning();
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::filesystem::path path = folder / "libnmt_torch.so";
  if (void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
  const std::string reason = ::dlerror();
  if (!std::filesystem::exists(path)) {
    throw ResourceError("This verb needs libnmt_torch.so, which is not in " + folder.string() +
                        ". Build it with scripts/build.");
  }
  throw ResourceError("Can't load " + path.string() + ": " + reason + ". scripts/setup installs what it needs.");
}

}  // namespace

void* find_torch_function(const char* name) {
  static void* const library = load();
  void* function = ::dlsym(library, name);
  if (function == nullptr) {
    throw InternalError(std::string("libnmt_torch.so has no ") + name + "; it is of another build than this program.");
  }
  return function;
}

}  // namespace nmt
