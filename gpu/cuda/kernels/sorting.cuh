// Sorting in registers, for threads and for groups of threads.
#pragma once
#include "host.cuh"

// One step of Batcher's odd-even merge sort of N values: sorted runs of P, at distance K. Templates rather
// than loops, so that no compiler leaves the values in an array in memory.
template <int N, int P, int K, typename T> HOST_DEVICE inline void mergeStep(T (&v)[N]) {
#pragma unroll
	for (int i = 0; i < N - K; i++)
		if (i >= K % P && ((i - K % P) & (2 * K - 1)) < K && i / (2 * P) == (i + K) / (2 * P)) {
			T a = v[i], b = v[i + K];
			v[i] = a < b ? a : b;
			v[i + K] = a < b ? b : a;
		}
	if constexpr (K > 1) mergeStep<N, P, K / 2>(v);
}

// sortRegisters sorts N (a power of two) values.
template <int N, int P = 1, typename T> HOST_DEVICE inline void sortRegisters(T (&v)[N]) {
	mergeStep<N, P, P>(v);
	if constexpr (2 * P < N) sortRegisters<N, 2 * P>(v);
}

// mergeRegisters sorts N values that are bitonic (rising then falling, or any rotation of that).
template <int N, int K = N / 2, typename T> HOST_DEVICE inline void mergeRegisters(T (&v)[N]) {
#pragma unroll
	for (int i = 0; i < N; i++)
		if ((i & K) == 0) {
			T a = v[i], b = v[i | K];
			v[i] = a < b ? a : b;
			v[i | K] = a < b ? b : a;
		}
	if constexpr (K > 1) mergeRegisters<N, K / 2>(v);
}

// mergeQuad makes sorted runs of WIDTH lanes out of those of WIDTH/2.
template <int N, int WIDTH, typename T> __device__ inline void mergeQuad(T (&v)[N]) {
	// the partner's values from the far end: lower half here, upper half there
	T other[N];
	bool low = (threadIdx.x & WIDTH / 2) == 0;
#pragma unroll
	for (int i = 0; i < N; i++) other[i] = __shfl_xor_sync(0xffffffffu, v[N - 1 - i], WIDTH - 1);
#pragma unroll
	for (int i = 0; i < N; i++) v[i] = (v[i] < other[i]) == low ? v[i] : other[i];
	if constexpr (WIDTH == 4) {
		bool first = (threadIdx.x & 1) == 0;
#pragma unroll
		for (int i = 0; i < N; i++) {
			T b = __shfl_xor_sync(0xffffffffu, v[i], 1);
			v[i] = (v[i] < b) == first ? v[i] : b;
		}
	}
	mergeRegisters(v);
}

// sortQuads sorts the 4 N values of four neighbouring lanes: lane q gets ranks q*N ... q*N+N-1.
template <int N, typename T> __device__ inline void sortQuads(T (&v)[N]) {
	sortRegisters(v);
	mergeQuad<N, 2>(v);
	mergeQuad<N, 4>(v);
}

// sortQuads sorts two sets of the 4 N values of four neighbouring lanes, side by side.
template <int N, typename T> __device__ inline void sortQuads(T (&v)[N], T (&w)[N]) {
	sortRegisters(v);
	sortRegisters(w);
	mergeQuad<N, 2>(v);
	mergeQuad<N, 2>(w);
	mergeQuad<N, 4>(v);
	mergeQuad<N, 4>(w);
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
