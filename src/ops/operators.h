#pragma once

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/types.h>

#include <utility>

namespace nmt {

// What this folder has kernels for are PyTorch operators of the library `nmt`, so that each device's implementation is
// found by the dispatcher: the CPU's is part of libnmt_torch.so, CUDA's (ops/cuda/) is a library of its own. Calls are
// one for a whole sequence, batch or step of a search; backward passes are ours, above the operators. Everywhere else
// the plain form by LibTorch's operators runs, which is the reference.

// An operator as a function of that type: finds it once, and calls it below autograd.
template <class Function>
class Operator;
template <class Result, class... Parameters>
class Operator<Result(Parameters...)> {
 public:
  // name: "nmt::<name>"
  explicit Operator(const char* name)
      : handle_(c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Result(Parameters...)>()) {}

  Result operator()(Parameters... parameters) const {
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    return handle_.call(std::forward<Parameters>(parameters)...);
  }

 private:
  c10::TypedOperatorHandle<Result(Parameters...)> handle_;
};

// True where the device has an implementation of its own of "nmt::<name>".
bool has_operator(const char* name, const torch::Device& device);

}  // namespace nmt
