// A stable sort of keys with indices, 8 bits at a time: tiles of 4096 count their digits, the counts are summed by
// digit, and tiles put their keys where they belong. Blocks have 256 threads; sortScan has 32 of them.
#include "host.cuh"

namespace sorting {

enum { tile = 4096, digits = 256, threads = 256, rounds = tile / threads };

// peers are the lanes with the same digit as this one, none for a lane that is not there.
__device__ inline unsigned peers(unsigned digit, bool there) {
	unsigned same = __ballot_sync(0xffffffffu, there);
	for (int b = 0; b < 8; b++) {
		unsigned set = __ballot_sync(0xffffffffu, digit >> b & 1);
		same &= digit >> b & 1 ? set : ~set;
	}
	return there ? same : 0;
}

// count writes how often digit d is in tile t to counts[d * tiles + t]. A block a tile.
template <class K> __device__ void count(int n, int shift, const K *key, unsigned *counts) {
	__shared__ unsigned sum[digits];
	sum[threadIdx.x] = 0;
	__syncthreads();
	long long base = (long long)blockIdx.x * tile;
	for (int k = threadIdx.x; k < tile; k += threads)
		if (base + k < n) atomicAdd(&sum[(unsigned)(key[base + k] >> shift) & 255], 1u);
	__syncthreads();
	counts[(long long)threadIdx.x * gridDim.x + blockIdx.x] = sum[threadIdx.x];
}

// inclusive is the sum of v up to this lane.
template <class T> __device__ T inclusive(T v) {
	for (int w = 1; w < 32; w *= 2) {
		T u = __shfl_up_sync(0xffffffffu, v, w);
		if ((int)threadIdx.x % 32 >= w) v += u;
	}
	return v;
}

// scan makes the counts of a digit (a warp) sums of those before, and writes their total.
__device__ inline void scan(int tiles, unsigned *counts, unsigned *totals) {
	int lane = threadIdx.x % 32, digit = (blockIdx.x * threads + threadIdx.x) / 32;
	unsigned *row = counts + (long long)digit * tiles, before = 0;
	for (int from = 0; from < tiles; from += 32) {
		int t = from + lane;
		unsigned own = t < tiles ? row[t] : 0, upto = inclusive(own);
		if (t < tiles) row[t] = before + upto - own;
		before += __shfl_sync(0xffffffffu, upto, 31);
	}
	if (lane == 0) totals[digit] = before;
}

// scatter: a warp does 512 keys of the tile, in order.
template <class K>
__device__ void scatter(int n, int shift, const K *key, const int *order, const unsigned *counts, const unsigned *totals, K *toKey, int *toOrder) {
	__shared__ unsigned start[threads / 32][digits], sums[threads / 32];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	unsigned total = totals[threadIdx.x], upto = inclusive(total), at = upto - total + counts[(long long)threadIdx.x * gridDim.x + blockIdx.x];
	if (lane == 31) sums[warp] = upto;
	for (int w = 0; w < threads / 32; w++) start[w][threadIdx.x] = 0;
	__syncthreads();
	for (int w = 0; w < warp; w++) at += sums[w];
	long long base = (long long)blockIdx.x * tile + warp * (tile * 32 / threads);
	for (int r = 0; r < rounds; r++) {
		long long k = base + r * 32 + lane;
		unsigned digit = k < n ? (unsigned)(key[k] >> shift) & 255 : 0, same = peers(digit, k < n);
		if (same && __ffs(same) - 1 == lane) start[warp][digit] += __popc(same);
		__syncwarp();
	}
	__syncthreads();
	for (int w = 0; w < threads / 32; w++) {
		unsigned own = start[w][threadIdx.x];
		start[w][threadIdx.x] = at;
		at += own;
	}
	__syncthreads();
	for (int r = 0; r < rounds; r++) {
		long long k = base + r * 32 + lane;
		K one = k < n ? key[k] : 0;
		unsigned digit = (unsigned)(one >> shift) & 255, same = peers(digit, k < n), to = 0;
		if (same) to = start[warp][digit] + __popc(same & ((1u << lane) - 1));
		__syncwarp();
		if (same) {
			toKey[to] = one, toOrder[to] = order[k];
			if (__ffs(same) - 1 == lane) start[warp][digit] += __popc(same);
		}
		__syncwarp();
	}
}

} // namespace sorting

extern "C" __global__ void __launch_bounds__(256) sortCount32(int n, int shift, const unsigned *key, unsigned *counts) { sorting::count(n, shift, key, counts); }
extern "C" __global__ void __launch_bounds__(256) sortCount64(int n, int shift, const unsigned long long *key, unsigned *counts) {
	sorting::count(n, shift, key, counts);
}
extern "C" __global__ void __launch_bounds__(256) sortScan(int tiles, unsigned *counts, unsigned *totals) { sorting::scan(tiles, counts, totals); }
extern "C" __global__ void __launch_bounds__(256) sortScatter32(int n, int shift, const unsigned *key, const int *order, const unsigned *counts,
	const unsigned *totals, unsigned *toKey, int *toOrder) {
	sorting::scatter(n, shift, key, order, counts, totals, toKey, toOrder);
}
extern "C" __global__ void __launch_bounds__(256) sortScatter64(int n, int shift, const unsigned long long *key, const int *order, const unsigned *counts,
	const unsigned *totals, unsigned long long *toKey, int *toOrder) {
	sorting::scatter(n, shift, key, order, counts, totals, toKey, toOrder);
}
