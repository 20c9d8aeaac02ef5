#include "tensor/cuda_operators.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.h"

namespace nmt {

namespace {

bool wanted() {
  const char* const setting = std::getenv("NMT_CUDA_OPERATORS");
  const std::string word = setting == nullptr ? "" : setting;
  if (word.empty() || word == "off") return false;
  if (word == "on") return true;
  throw UsageError("NMT_CUDA_OPERATORS is '" + word + "'; expected on or off.");
}

}  // namespace

bool load_cuda_operators() {
  if (!wanted()) return false;
  Dl_info here;
  if (dladdr(reinterpret_cast<const void*>(&load_cuda_operators), &here) == 0) {
    throw InternalError("The folder of libnmt_torch.so is unknown.");
  }
  const auto library = std::filesystem::path(here.dli_fname).parent_path() / "libnmt_cuda.so";
  if (!std::filesystem::exists(library)) {
    throw ResourceError("NMT_CUDA_OPERATORS is on, but nmt was built without nvcc: there is no " + library.string() +
                        ". Run scripts/setup --cuda and scripts/build, or leave it off.");
  }
  if (dlopen(library.c_str(), RTLD_NOW) == nullptr) {
    throw ResourceError(std::string("NMT_CUDA_OPERATORS is on, but its library can't be loaded: ") + dlerror() + ".");
  }
  return true;
}

}  // namespace nmt
