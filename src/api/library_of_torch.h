#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nmt {

// Opens libnmt_torch.so in the first of `folders` that holds it; `flags` as for dlopen. Throws ResourceError, whose
// message begins with `who` needs it where it is in none of them.
void* open_torch_library(const std::vector<std::filesystem::path>& folders, int flags, const std::string& who);

// The address of one of its functions. Throws InternalError where it has none of that name.
void* function_of_torch_library(void* library, const char* name);

}  // namespace nmt
