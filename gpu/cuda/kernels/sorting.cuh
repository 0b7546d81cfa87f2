// Sorting in registers, for threads and for groups of threads.
#pragma once
#include "host.cuh"

// sortRegisters sorts N (a power of two) values by Batcher's odd-even merge.
template <int N, typename T> HOST_DEVICE inline void sortRegisters(T (&v)[N]) {
#pragma unroll
	for (int p = 1; p < N; p <<= 1)
#pragma unroll
		for (int k = p; k >= 1; k >>= 1)
#pragma unroll
			for (int i = 0; i < N - k; i++)
				if (i >= k % p && ((i - k % p) & (2 * k - 1)) < k && i / (2 * p) == (i + k) / (2 * p)) {
					T a = v[i], b = v[i + k];
					v[i] = a < b ? a : b;
					v[i + k] = a < b ? b : a;
				}
}

// mergeRegisters sorts N values that are bitonic (rising then falling, or any rotation of that).
template <int N, typename T> HOST_DEVICE inline void mergeRegisters(T (&v)[N]) {
#pragma unroll
	for (int k = N / 2; k >= 1; k >>= 1)
#pragma unroll
		for (int i = 0; i < N; i++)
			if ((i & k) == 0) {
				T a = v[i], b = v[i | k];
				v[i] = a < b ? a : b;
				v[i | k] = a < b ? b : a;
			}
}

// sortQuad sorts the 4 N values of four neighbouring lanes: lane q gets ranks q*N ... q*N+N-1.
template <int N, typename T> __device__ inline void sortQuad(T (&v)[N]) {
	int lane = threadIdx.x & 3;
	sortRegisters(v);
#pragma unroll
	for (int width = 2; width <= 4; width <<= 1) {
		// the partner's values from the far end: lower half here, upper half there
		T other[N];
#pragma unroll
		for (int i = 0; i < N; i++) other[i] = __shfl_xor_sync(0xffffffffu, v[N - 1 - i], width - 1);
		bool low = (lane & width / 2) == 0;
#pragma unroll
		for (int i = 0; i < N; i++) {
			T a = v[i], b = other[i];
			v[i] = low ? (a < b ? a : b) : (a < b ? b : a);
		}
#pragma unroll
		for (int step = width / 4; step >= 1; step >>= 1) {
			bool first = (lane & step) == 0;
#pragma unroll
			for (int i = 0; i < N; i++) {
				T a = v[i], b = __shfl_xor_sync(0xffffffffu, v[i], step);
				v[i] = first ? (a < b ? a : b) : (a < b ? b : a);
			}
		}
		mergeRegisters(v);
	}
}

// sortWarp sorts one value per lane.
template <typename T> __device__ inline T sortWarp(T v) {
	int lane = threadIdx.x & 31;
#pragma unroll
	for (int size = 2; size <= 32; size <<= 1)
#pragma unroll
		for (int step = size / 2; step >= 1; step >>= 1) {
			T b = __shfl_xor_sync(0xffffffffu, v, step);
			bool up = (lane & size) == 0 || size == 32, first = (lane & step) == 0;
			v = (v < b) == (first == up) ? v : b;
		}
	return v;
}

// mergeWarp sorts 32 values that are bitonic across the lanes.
template <typename T> __device__ inline T mergeWarp(T v) {
	int lane = threadIdx.x & 31;
#pragma unroll
	for (int step = 16; step >= 1; step >>= 1) {
		T b = __shfl_xor_sync(0xffffffffu, v, step);
		v = (v < b) == ((lane & step) == 0) ? v : b;
	}
	return v;
}

// insertSorted merges 32 sorted values (one per lane) into a sorted list of 32 N (register i of lane l
// holds rank 32 i + l) and keeps the lowest 32 N.
template <int N, typename T> __device__ inline void insertSorted(T (&list)[N], T v) {
#pragma unroll
	for (int i = 0; i < N; i++) {
		// of the 64, the lower 32 stay here and the upper go on
		T b = __shfl_xor_sync(0xffffffffu, v, 31);
		T low = list[i] < b ? list[i] : b, high = list[i] < b ? b : list[i];
		list[i] = mergeWarp(low);
		if (i + 1 < N) v = mergeWarp(high);
	}
}
