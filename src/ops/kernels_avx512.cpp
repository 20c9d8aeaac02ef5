#define NMT_KERNEL_LEVEL avx512
#include "ops/kernel_loops.h"
