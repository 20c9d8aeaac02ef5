#define NMT_KERNEL_LEVEL avx2
#define NMT_VECTOR_BYTES 32
#define NMT_TILE_ROWS 6
#include "ops/product_loops.h"
