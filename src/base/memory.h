#pragma once

#include <cstdint>

namespace nmt {

uint64_t resident_bytes();       // physical memory that this process holds
uint64_t peak_resident_bytes();  // the most it held since the start, or since reset_peak_resident
void reset_peak_resident();      // where the kernel allows it

}  // namespace nmt
