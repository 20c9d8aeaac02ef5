#define NMT_KERNEL_LEVEL avx512
#define NMT_VECTOR_BYTES 64
#define NMT_TILE_ROWS 14
#include "ops/product_loops.h"
