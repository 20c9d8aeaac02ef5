#include "tensor/device.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <dlfcn.h>

#include <charconv>
#include <filesystem>
#include <thread>

#include "base/error.h"
#include "tensor/cuda_operators.h"

namespace nmt {

namespace {

// What opening the CUDA part of LibTorch said; empty where it worked.
std::string open_cuda_library() {
  Dl_info here;
  if (dladdr(reinterpret_cast<const void*>(&at::get_num_threads), &here) == 0) return "LibTorch's folder is unknown";
  const auto library = std::filesystem::path(here.dli_fname).parent_path() / "libtorch_cuda.so";
  if (!std::filesystem::exists(library)) return "the CUDA part of LibTorch isn't installed (scripts/setup --cuda)";
  if (dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) return dlerror();
  return "";
}

const std::string& cuda_problem() {
  static const std::string problem = open_cuda_library();
  return problem;
}

bool has_own_operators() {
  static const bool loaded = load_cuda_operators();
  return loaded;
}

int gpu_count() {
  if (!cuda_problem().empty() || !at::hasCUDA()) return 0;
  const int count = at::detail::getCUDAHooks().deviceCount();  // NOLINT(bugprone-signed-char-misuse): a number
  if (count > 0) has_own_operators();
  return count;
}

torch::Device cuda_device(const std::string& word) {
  int index = 0;
  if (word != "cuda") {
    const char* end = word.data() + word.size();
    const auto [at, code] = std::from_chars(word.data() + 5, end, index);
    if (code != std::errc() || at != end || index < 0) {
      throw UsageError("Device '" + word + "' isn't known; expected auto, cpu, cuda or cuda:N.");
    }
  }
  const int count = gpu_count();
  if (count == 0) {
    const std::string why = cuda_problem().empty() ? "no NVIDIA GPU or driver was found" : cuda_problem();
    throw ResourceError("Device '" + word + "' can't be used: " + why + ". Use --device cpu to run on the CPU.");
  }
  if (index >= count) {
    throw ResourceError("Device '" + word + "' can't be used: this machine has " + std::to_string(count) +
                        " GPU(s), numbered from 0.");
  }
  return torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(index));
}

}  // namespace

torch::Device select_device(const std::string& word) {
  if (word == "cpu") {
    return torch::kCPU;
  }
  if (word == "auto") return gpu_count() > 0 ? torch::Device(torch::kCUDA, 0) : torch::Device(torch::kCPU);
  if (word == "cuda" || word.rfind("cuda:", 0) == 0) return cuda_device(word);
  throw UsageError("Device '" + word + "' isn't known; expected auto, cpu, cuda or cuda:N.");
}

std::vector<torch::Device> available_devices() {
  std::vector<torch::Device> devices = {torch::kCPU};
  for (int i = 0; i < gpu_count(); ++i) devices.emplace_back(torch::kCUDA, static_cast<c10::DeviceIndex>(i));
  return devices;
}

std::string describe_device(const torch::Device& device) {
  if (device.is_cuda()) return "GPU " + device.str() + (has_own_operators() ? " (nmt's CUDA operators)" : "");
  const int threads = at::get_num_threads();
  return "CPU, " + std::to_string(threads) + (threads == 1 ? " thread (" : " threads (") + at::get_cpu_capability() +
         ")";
}

int set_threads(int count) {
  if (count < 0) throw UsageError("The number of threads can't be negative.");
  if (count == 0) count = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  at::set_num_threads(count);
  return at::get_num_threads();
}

}  // namespace nmt
