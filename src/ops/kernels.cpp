#include "ops/kernels.h"

#include <atomic>
#include <cstdlib>

#include "base/error.h"

namespace nmt {

namespace plain {
extern const Kernels kKernels;
}
namespace avx2 {
extern const Kernels kKernels;
}
namespace avx512 {
extern const Kernels kKernels;
}

namespace {

CpuLevel highest_level() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return CpuLevel::kAvx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return CpuLevel::kAvx2;
#endif
  return CpuLevel::kPlain;
}

CpuLevel level_at_start() {
  const char* wish = std::getenv("NMT_CPU_LEVEL");
  if (wish == nullptr || *wish == '\0') return highest_level();
  for (const CpuLevel level : available_cpu_levels()) {
    if (name_of(level) == wish) return level;
  }
  throw UsageError(std::string("NMT_CPU_LEVEL is '") + wish + "'; this processor has plain up to " +
                   std::string(name_of(highest_level())) + ".");
}

std::atomic<CpuLevel>& current_level() {
  static std::atomic<CpuLevel> level = level_at_start();
  return level;
}

}  // namespace

const Kernels& kernels() {
  switch (cpu_level()) {
#if defined(__x86_64__)
    case CpuLevel::kAvx512: return avx512::kKernels;
    case CpuLevel::kAvx2: return avx2::kKernels;
#endif
    default: return plain::kKernels;
  }
}

CpuLevel cpu_level() { return current_level().load(std::memory_order_relaxed); }

#if defined(__x86_64__)
bool cpu_has_bfloat16() { return __builtin_cpu_supports("avx512bf16"); }
bool cpu_has_amx_bfloat16() { return __builtin_cpu_supports("amx-bf16"); }
bool cpu_has_int8_dot_products() { return __builtin_cpu_supports("avx512vnni"); }
#else
bool cpu_has_bfloat16() { return false; }
bool cpu_has_amx_bfloat16() { return false; }
bool cpu_has_int8_dot_products() { return false; }
#endif

std::vector<CpuLevel> available_cpu_levels() {
  std::vector<CpuLevel> levels = {CpuLevel::kPlain};
  if (highest_level() >= CpuLevel::kAvx2) levels.push_back(CpuLevel::kAvx2);
  if (highest_level() >= CpuLevel::kAvx512) levels.push_back(CpuLevel::kAvx512);
  return levels;
}

void cap_cpu_level(CpuLevel level) { current_level() = std::min(level, highest_level()); }

std::string_view name_of(CpuLevel level) {
  switch (level) {
    case CpuLevel::kAvx512: return "avx512";
    case CpuLevel::kAvx2: return "avx2";
    case CpuLevel::kPlain: return "plain";
  }
  return "";
}

}  // namespace nmt
