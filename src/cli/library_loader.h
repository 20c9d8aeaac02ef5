#pragma once

#include <string>

namespace nmt {

// The address of a function of libnmt_torch.so, which is loaded on the first call, from beside the program or from
// where libraries are installed. Throws ResourceError where the library can't be loaded.
void* find_torch_function(const char* name);

// Runs a verb of cli/torch_verbs.h: call_torch_verb<decltype(nmt_train)>("nmt_train", options).
template <class Function, class Options>
void call_torch_verb(const char* name, const Options& options) {
  reinterpret_cast<Function*>(find_torch_function(name))(options);
}

}  // namespace nmt
