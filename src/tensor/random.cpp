#include "tensor/random.h"

#include <ATen/Context.h>
#include <ATen/core/Generator.h>

#include <mutex>

#include "base/error.h"

namespace nmt {

namespace {

at::Generator default_generator(const torch::Device& device) { return at::globalContext().defaultGenerator(device); }

}  // namespace

void seed_random(uint64_t seed) { at::manual_seed(seed); }

torch::Tensor random_state(const torch::Device& device) {
  at::Generator generator = default_generator(device);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  return generator.get_state().clone();
}

void set_random_state(const torch::Device& device, const torch::Tensor& state) {
  at::Generator generator = default_generator(device);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  try {
    generator.set_state(state.to(torch::kCPU, torch::kUInt8));
  } catch (const c10::Error&) {
    throw ModelError("The saved random state isn't one of this device type (" + device.str() + ").");
  }
}

}  // namespace nmt
