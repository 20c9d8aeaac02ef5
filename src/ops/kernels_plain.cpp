#define NMT_KERNEL_LEVEL plain
#include "ops/kernel_loops.h"
