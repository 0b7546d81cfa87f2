// What the kernels of t-SNE share. Points have indices from 0; positions, velocities, gains and forces are places: see
// places.cuh. No sum depends on the order in which threads run: sums are taken in
// the order of indices, by trees of a fixed shape, or of integers.
#pragma once
#include "places.cuh"

// apart is r = a - b, and returns 1 + |r|^2.
template <int D> __device__ inline float apart(const Place<D> &a, const Place<D> &b, float (&r)[D]) {
	float d = 1;
#pragma unroll
	for (int c = 0; c < D; c++) r[c] = a.c[c] - b.c[c], d = fmaf(r[c], r[c], d);
	return d;
}

// Kinds of values in a reduction: first so many sums, then minima, then maxima.
template <int sums, int minima> __device__ inline double joined(int k, double a, double b) {
	return k < sums ? a + b : k < sums + minima ? fmin(a, b) : fmax(a, b);
}

// reduceBlock leaves value k of the whole block in v[0] of thread k. At most 32 warps, all of whose threads call it.
template <int sums, int minima, int maxima> __device__ void reduceBlock(double (&v)[sums + minima + maxima]) {
	const int K = sums + minima + maxima;
	__shared__ double part[32][K];
	int warps = (blockDim.x + 31) / 32;
#pragma unroll
	for (int k = 0; k < K; k++) {
#pragma unroll
		for (int w = 16; w > 0; w /= 2) v[k] = joined<sums, minima>(k, v[k], __shfl_xor_sync(0xffffffffu, v[k], w));
		if (threadIdx.x % 32 == 0) part[threadIdx.x / 32][k] = v[k];
	}
	__syncthreads();
	if (threadIdx.x < K) {
		double all = part[0][threadIdx.x];
		for (int w = 1; w < warps; w++) all = joined<sums, minima>(threadIdx.x, all, part[w][threadIdx.x]);
		v[0] = all;
	}
	__syncthreads();
}

// reduce writes what all threads of the grid have together to out; neither has a value that is not given. partial has
// room for the values of every block, ticket is 0 before and after. Blocks have 32 threads or more and K is 32 at most.
template <int sums, int minima, int maxima>
__device__ void reduce(double (&v)[sums + minima + maxima], double *partial, unsigned *ticket, double *out) {
	const int K = sums + minima + maxima;
	__shared__ bool last;
	reduceBlock<sums, minima, maxima>(v);
	if (threadIdx.x < K) partial[(long long)blockIdx.x * K + threadIdx.x] = v[0];
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0) last = atomicAdd(ticket, 1u) == gridDim.x - 1;
	__syncthreads();
	if (!last) return;
	__threadfence();
#pragma unroll
	for (int k = 0; k < K; k++) v[k] = k < sums ? 0 : k < sums + minima ? INFINITY : -INFINITY;
	for (long long b = threadIdx.x; b < gridDim.x; b += blockDim.x)
#pragma unroll
		for (int k = 0; k < K; k++) v[k] = joined<sums, minima>(k, v[k], __ldcg(partial + b * K + k));
	reduceBlock<sums, minima, maxima>(v);
	if (threadIdx.x < K) out[threadIdx.x] = v[0];
	if (threadIdx.x == 0) *ticket = 0;
}

// How a map lies, as reduce finds it: sums of the coordinates, of |y|^2 and |v|^2, and its box.
enum { statMean = 0, statRadius = 3, statSpeed, statLow, statHigh = statLow + 3, stats = statHigh + 3 };

struct Look {
	double v[stats];
	__device__ Look() {
		for (int k = 0; k < stats; k++) v[k] = k < statLow ? 0 : k < statHigh ? INFINITY : -INFINITY;
	}
	template <int D> __device__ void add(const Place<D> &y, const Place<D> &speed) {
#pragma unroll
		for (int c = 0; c < D; c++) {
			double at = y.c[c], by = speed.c[c];
			v[statMean + c] += at;
			v[statRadius] += at * at;
			v[statSpeed] += by * by;
			v[statLow + c] = fmin(v[statLow + c], at);
			v[statHigh + c] = fmax(v[statHigh + c], at);
		}
	}
	__device__ void finish(double *partial, unsigned *ticket, double *out) {
		reduce<statLow, 3, 3>(v, partial, ticket, out);
	}
};

// ---- attraction and motion

// So many threads have a row of P, which end with the same sums.
enum { lanes = 8 };

// What moves points has so many threads a block, and so many blocks of a multiprocessor go on at once on the plane, which
// takes the registers that this leaves them.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
enum { moveThreads = 512, moveBlocks = 2 };
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 860
enum { moveThreads = 512, moveBlocks = 3 };
#else
enum { moveThreads = 512, moveBlocks = 4 };
#endif

// attraction is that of the rows of a warp, each the affinities from start to end of point i at own. All threads of the warp take
// one row after the other, as rows may be of very different lengths, and what they read lies side by side then.
template <int D>
__device__ inline Place<D> attraction(const typename Stored<D>::type *y, int i, const Place<D> &own, long long start, long long end, const int *column, const float *value) {
	const int rows = 32 / lanes, deep = 4;
	int lane = threadIdx.x % 32;
	float a[rows][D];
#pragma unroll
	for (int q = 0; q < rows; q++) {
		Place<D> at;
#pragma unroll
		for (int c = 0; c < D; c++) at.c[c] = __shfl_sync(0xffffffffu, own.c[c], q * lanes), a[q][c] = 0;
		long long from = __shfl_sync(0xffffffffu, start, q * lanes);
		int count = (int)(__shfl_sync(0xffffffffu, end, q * lanes) - from), self = __shfl_sync(0xffffffffu, i, q * lanes);
		const int *to = column + from + lane;
		const float *by = value + from + lane;
		for (int k = 0; k < count; k += 32 * deep) {
			int j[deep];
			float p[deep];
#pragma unroll
			for (int u = 0; u < deep; u++) {
				bool there = k + 32 * u + lane < count;
				j[u] = there ? __ldcs(to + k + 32 * u) : self;
				p[u] = there ? __ldcs(by + k + 32 * u) : 0;
			}
#pragma unroll
			for (int u = 0; u < deep; u++) {
				float r[D], w = p[u] * reciprocal(apart(at, placeOf(y[j[u]]), r));
#pragma unroll
				for (int c = 0; c < D; c++) a[q][c] = fmaf(w, r[c], a[q][c]);
			}
		}
	}
	// A half of the warp goes on with a half of the rows, until the threads of a row have its sums.
	bool upper = lane & 16, odd = lane & 8;
	Place<D> sum;
#pragma unroll
	for (int c = 0; c < D; c++) {
		float low = (upper ? a[2][c] : a[0][c]) + __shfl_xor_sync(0xffffffffu, upper ? a[0][c] : a[2][c], 16);
		float high = (upper ? a[3][c] : a[1][c]) + __shfl_xor_sync(0xffffffffu, upper ? a[1][c] : a[3][c], 16);
		float all = (odd ? high : low) + __shfl_xor_sync(0xffffffffu, odd ? low : high, 8);
#pragma unroll
		for (int w = lanes / 2; w > 0; w /= 2) all += __shfl_xor_sync(0xffffffffu, all, w);
		sum.c[c] = all;
	}
	return sum;
}

// Moving is what a unit does to a point whose forces are known.
template <int D> struct Moving {
	typedef typename Stored<D>::type T;
	const T *y;
	T *fresh, *v, *gain;       // fresh: where y of after the unit goes
	const unsigned char *held; // 1 for points that are held, 0 for others
	float e, mu, eta, over;    // over: 1/Z
	float low[2], high[2];     // the box that points stay in, of the field
	float *forces;             // where A and R go instead, if not null: D and D of each point

	__device__ void point(int i, const Place<D> &own, const Place<D> &a, const Place<D> &r) const {
		if (forces) {
			for (int c = 0; c < D; c++) forces[(long long)i * 2 * D + c] = a.c[c], forces[(long long)i * 2 * D + D + c] = r.c[c];
			return;
		}
		Place<D> at = own, speed = placeOf(v[i]);
		if (held[i]) {
			for (int c = 0; c < D; c++) speed.c[c] = 0;
		} else {
			Place<D> k = placeOf(gain[i]);
			float length = 0;
#pragma unroll
			for (int c = 0; c < D; c++) {
				float g = fmaf(e, a.c[c], -(r.c[c] * over)), was = speed.c[c];
				bool turns = (g > 0) - (g < 0) != (was > 0) - (was < 0);
				k.c[c] = turns ? k.c[c] + 0.2f : fmaxf(0.01f, 0.8f * k.c[c]);
				speed.c[c] = fmaf(mu, was, -(eta * k.c[c] * g));
				length = fmaf(speed.c[c], speed.c[c], length);
			}
			if (length > 25) {
				float f = 5 / sqrtf(length);
				for (int c = 0; c < D; c++) speed.c[c] *= f;
			}
#pragma unroll
			for (int c = 0; c < D; c++) {
				at.c[c] += speed.c[c];
				if (c < 2) at.c[c] = fminf(fmaxf(at.c[c], low[c]), high[c]);
			}
			put(gain + i, k);
		}
		put(v + i, speed);
		put(fresh + i, at);
	}
};
