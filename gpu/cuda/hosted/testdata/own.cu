// Kernels that test the emulator itself.
#include "host.cuh"

// ownSum: out[block] = sum of the block's part of x, by shared memory and warps; any grid-stride.
extern "C" __global__ void __launch_bounds__(256) ownSum(const float *x, long long n, float *out) {
  __shared__ float parts[32];
  float s = 0;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) s += x[i];
  for (int w = 16; w > 0; w /= 2) s += __shfl_down_sync(0xffffffffu, s, w);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0;
    for (int w = 16; w > 0; w /= 2) s += __shfl_xor_sync(0xffffffffu, s, w);
    if (threadIdx.x == 0) out[blockIdx.x] = s;
  }
}

// ownReverse turns each block's part around; without a barrier when careless is set.
extern "C" __global__ void ownReverse(int *x, int careless) {
  DYNAMIC_SHARED(int, s);
  int *mine = x + blockIdx.x * blockDim.x;
  s[threadIdx.x] = mine[threadIdx.x];
  if (!careless) __syncthreads();
  mine[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void ownStuck() {
  if (threadIdx.x < 32) __syncwarp();
  if (threadIdx.x == 3) __ballot_sync(0xffffffffu, true);
}

extern "C" __global__ void ownSplit(int *x) {
  if (threadIdx.x < 16) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

extern "C" __global__ void ownBeyond(int n) {
  DYNAMIC_SHARED(int, s);
  if ((int)threadIdx.x < n) s[threadIdx.x] = 1;
}

// ownCount counts into bins, with votes, and a rank among the threads by ballot.
extern "C" __global__ void ownCount(const unsigned *bin, unsigned *counts, unsigned *rank, float scale, float *scaled) {
  unsigned i = threadIdx.x, b = bin[i];
  atomicAdd(&counts[b], 1u);
  unsigned same = __ballot_sync(0xffffffffu, b == 0);
  rank[i] = __popc(same & ((1u << (i % 32)) - 1));
  int zeros = __syncthreads_count(b == 0);
  if (i == 0) counts[8] = zeros;
  scaled[i] = scale * b;
}
