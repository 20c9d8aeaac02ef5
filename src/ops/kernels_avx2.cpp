#define NMT_KERNEL_LEVEL avx2
#include "ops/kernel_loops.h"
