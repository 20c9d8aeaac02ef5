#include "api/library_of_torch.h"

#include <dlfcn.h>

#include "base/error.h"

namespace nmt {

void* open_torch_library(const std::vector<std::filesystem::path>& folders, int flags, const std::string& who) {
  std::string searched;
  for (const std::filesystem::path& folder : folders) {
    const std::filesystem::path path = folder / "libnmt_torch.so";
    searched += (searched.empty() ? "" : " or ") + folder.string();
    if (!std::filesystem::exists(path)) continue;
    if (void* library = ::dlopen(path.c_str(), flags)) return library;
    throw ResourceError("Can't load " + path.string() + ": " + ::dlerror() + ". scripts/setup installs what it needs.");
  }
  throw ResourceError(who + " needs libnmt_torch.so, which is not in " + searched + ". Build it with scripts/build.");
}

void* function_of_torch_library(void* library, const char* name) {
  void* function = ::dlsym(library, name);
  if (function == nullptr) {
    throw InternalError(std::string("libnmt_torch.so has no ") + name + "; it is of another build than this program.");
  }
  return function;
}

}  // namespace nmt
