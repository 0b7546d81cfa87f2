// What kernels that join parts by edges share: light_tree.cu and forest.cu.
#pragma once
#include "pairs.cuh"

struct Pair {
	int u, v;
	double w;
};

namespace {

__device__ inline void lower(unsigned long long *at, unsigned long long v) {
	if (v < __ldcg(at)) atomicMin(at, v);
}
__device__ inline unsigned long long bits(double w) { return (unsigned long long)__double_as_longlong(w); } // w is not negative
__device__ inline long long thread() { return (long long)blockIdx.x * blockDim.x + threadIdx.x; }

// place gives those threads of a block of 256 that want one a number of their own, side by side.
__device__ inline unsigned long long place(bool wants, unsigned long long *count) {
	__shared__ unsigned warps[8];
	__shared__ unsigned long long first;
	unsigned mask = __ballot_sync(0xffffffffu, wants), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	__syncthreads(); // nobody is at the last one any more
	if (lane == 0) warps[warp] = __popc(mask);
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned all = 0;
		for (int w = 0; w < 8; w++) {
			unsigned own = warps[w];
			warps[w] = all;
			all += own;
		}
		first = all ? atomicAdd(count, all) : 0;
	}
	__syncthreads();
	return first + warps[warp] + __popc(mask & ((1u << lane) - 1));
}

} // namespace
