#include "base/memory.h"

#include <fstream>
#include <string>

namespace nmt {

namespace {

// A line of /proc/self/status, as "VmHWM:     1234 kB".
uint64_t status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::stoull(line.substr(key.size())) << 10;
  }
  return 0;
}

}  // namespace

uint64_t resident_bytes() { return status_bytes("VmRSS:"); }
uint64_t peak_resident_bytes() { return status_bytes("VmHWM:"); }
void reset_peak_resident() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace nmt
