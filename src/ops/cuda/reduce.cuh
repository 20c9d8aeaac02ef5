#pragma once

namespace nmt {

// Sums and maxima over the 32 threads of a warp or all threads of a block (whole warps). All of them call it and all
// get the result. The order depends on the block's size only.
constexpr int kWarpSize = 32;
constexpr unsigned kWholeWarp = 0xffffffffu;

struct Sum {
  template <class T>
  __device__ static T of(T a, T b) {
    return a + b;
  }
};
struct Maximum {
  __device__ static float of(float a, float b) { return fmaxf(a, b); }
};

template <class Operation, class T>
__device__ T reduce_warp(T value) {
  for (int distance = kWarpSize / 2; distance > 0; distance /= 2) {
    value = Operation::of(value, __shfl_xor_sync(kWholeWarp, value, distance));
  }
  return value;
}

template <class Operation, class T>
__device__ T reduce_block(T value, T identity) {
  __shared__ T partial[kWarpSize];
  const int lane = static_cast<int>(threadIdx.x) % kWarpSize;
  const int warp = static_cast<int>(threadIdx.x) / kWarpSize;
  const int warps = static_cast<int>(blockDim.x) / kWarpSize;
  value = reduce_warp<Operation>(value);
  __syncthreads();  // an earlier reduction may still read `partial`
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  return reduce_warp<Operation>(lane < warps ? partial[lane] : identity);
}

}  // namespace nmt
