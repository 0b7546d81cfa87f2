// Units of t-SNE but for repulsion, and repulsion of all pairs. See tsne.cuh.
#include "tsne.cuh"

// ---- all pairs

// Blocks of 256 threads for 32 points: 8 warps share the others.
template <int D>
__device__ void exact(int n, const typename Stored<D>::type *y, typename Stored<D>::type *repulsion, double *partial, unsigned *ticket, double *z) {
	const int parts = 8;
	__shared__ double sums[parts][D + 1][32];
	int lane = threadIdx.x % 32, part = threadIdx.x / 32, i = blockIdx.x * 32 + lane;
	int share = (n + parts - 1) / parts, end = min(n, (part + 1) * share);
	Place<D> own = placeOf(y[min(i, n - 1)]);
	double all[D + 1] = {};
	for (int from = part * share; from < end; from += 32) {
		float phi = 0, f[D] = {};
#pragma unroll 4
		for (int j = from; j < min(end, from + 32); j++) {
			float r[D], w = reciprocal(apart(own, placeOf(y[j]), r));
			if (j == i) w = 0;
			phi += w;
			w *= w;
#pragma unroll
			for (int c = 0; c < D; c++) f[c] = fmaf(w, r[c], f[c]);
		}
#pragma unroll
		for (int c = 0; c < D; c++) all[c] += f[c];
		all[D] += phi;
	}
#pragma unroll
	for (int c = 0; c <= D; c++) sums[part][c][lane] = all[c];
	__syncthreads();
	double phi[1] = {0};
	if (part == 0 && i < n) {
		for (int p = 1; p < parts; p++)
#pragma unroll
			for (int c = 0; c <= D; c++) all[c] += sums[p][c][lane];
		Place<D> r;
#pragma unroll
		for (int c = 0; c < D; c++) r.c[c] = (float)all[c];
		put(repulsion + i, r);
		phi[0] = all[D];
	}
	reduce<1, 0, 0>(phi, partial, ticket, z);
}

extern "C" __global__ void __launch_bounds__(256) tsneExact2(int n, const float2 *y, float2 *repulsion, double *partial, unsigned *ticket, double *z) {
	exact<2>(n, y, repulsion, partial, ticket, z);
}
extern "C" __global__ void __launch_bounds__(256) tsneExact3(int n, const float4 *y, float4 *repulsion, double *partial, unsigned *ticket, double *z) {
	exact<3>(n, y, repulsion, partial, ticket, z);
}

// ---- a unit's end

// Points first to n - 1 are moved; a block moves so many rows that follow each other. sums, if not null, are attractions in units of 2^-62, which begin as
// 0 again; else they come from P.
template <int D>
__device__ void move(int n, const typename Stored<D>::type *y, Moving<D> m, const long long *start, const int *column, const float *value, long long *sums,
	const typename Stored<D>::type *repulsion, const double *z, int rows, int first) {
	__shared__ float over;
	if (threadIdx.x == 0) over = *z > 0 ? (float)(1 / *z) : 0;
	long long from = first + (long long)blockIdx.x * rows, end = min(from + rows, (long long)n);
	__syncthreads();
	m.over = over;
	int lane = threadIdx.x % lanes, each = blockDim.x / lanes;
	for (long long base = from; base < end; base += each) {
		long long at = base + threadIdx.x / lanes; // all threads of a warp stay for its sums
		int i = (int)min(at, end - 1);
		Place<D> own = placeOf(y[i]), a;
		if (!sums) {
			a = attraction<D>(y, i, own, start[i], start[i + 1], column, value);
		} else {
			for (int c = 0; c < D; c++) a.c[c] = (float)((double)sums[(long long)i * D + c] * 0x1p-62);
			__syncwarp();
			if (at < end && lane == 0)
				for (int c = 0; c < D; c++) sums[(long long)i * D + c] = 0;
		}
		if (at < end && lane == 0) m.point(i, own, a, placeOf(repulsion[i]));
	}
}

#define MOVE(D, T, blocks)                                                                                                                             \
	extern "C" __global__ void __launch_bounds__(moveThreads, blocks) tsneMove##D(int n, const T *y, T *fresh, T *v, T *gain, const unsigned char *held, \
		const long long *start, const int *column, const float *value, long long *sums, const T *repulsion, const double *z, float e,                      \
		float mu, float eta, float *forces, int rows, int first) {                                                                                         \
		move<D>(n, y, {y, fresh, v, gain, held, e, mu, eta, 0, {-INFINITY, -INFINITY}, {INFINITY, INFINITY}, forces}, start, column, value,                \
			sums, repulsion, z, rows, first);                                                                                                                \
	}
MOVE(2, float2, moveBlocks)
MOVE(3, float4, 2)

// look says how the map lies.
template <int D> __device__ void look(int n, const typename Stored<D>::type *y, const typename Stored<D>::type *v, double *partial, unsigned *ticket, double *out) {
	Look l;
	for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) l.add(placeOf(y[i]), placeOf(v[i]));
	l.finish(partial, ticket, out);
}
extern "C" __global__ void tsneLook2(int n, const float2 *y, const float2 *v, double *partial, unsigned *ticket, double *look) {
	::look<2>(n, y, v, partial, ticket, look);
}
extern "C" __global__ void tsneLook3(int n, const float4 *y, const float4 *v, double *partial, unsigned *ticket, double *look) {
	::look<3>(n, y, v, partial, ticket, look);
}

// settle scales a map up whose rms radius is below least, y and v, and then takes the mean away if centre is 1. look is
// that of before.
template <int D> __device__ void settle(int n, const double *look, typename Stored<D>::type *y, typename Stored<D>::type *v, double least, int centre) {
	double rms = sqrt(look[statRadius] / n), grow = rms > 0 && rms < least ? least / rms : 1;
	if (grow == 1 && !centre) return;
	float f = (float)grow, mean[D];
	for (int c = 0; c < D; c++) mean[c] = centre ? (float)(look[statMean + c] / n * grow) : 0;
	for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
		Place<D> at = placeOf(y[i]), speed = placeOf(v[i]);
		for (int c = 0; c < D; c++) at.c[c] = at.c[c] * f - mean[c], speed.c[c] *= f;
		put(y + i, at);
		put(v + i, speed);
	}
}
extern "C" __global__ void tsneSettle2(int n, const double *look, float2 *y, float2 *v, double least, int centre) { settle<2>(n, look, y, v, least, centre); }
extern "C" __global__ void tsneSettle3(int n, const double *look, float4 *y, float4 *v, double least, int centre) { settle<3>(n, look, y, v, least, centre); }

// ---- what is asked for now and then

// loss adds up p ln(1 + |r|^2). Blocks of 256 threads.
template <int D>
__device__ void loss(int n, const typename Stored<D>::type *y, const long long *start, const int *column, const float *value, double *partial, unsigned *ticket,
	double *out) {
	double sum[1] = {0};
	int lane = threadIdx.x % lanes;
	for (long long i = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / lanes; i < n; i += (long long)gridDim.x * (blockDim.x / lanes)) {
		Place<D> own = placeOf(y[i]);
		for (long long e = start[i] + lane; e < start[i + 1]; e += lanes) {
			float r[D], d = 0;
			apart(own, placeOf(y[column[e]]), r);
			for (int c = 0; c < D; c++) d = fmaf(r[c], r[c], d);
			sum[0] += (double)value[e] * log1pf(d);
		}
	}
	reduce<1, 0, 0>(sum, partial, ticket, out);
}
extern "C" __global__ void __launch_bounds__(256) tsneLoss2(int n, const float2 *y, const long long *start, const int *column, const float *value, double *partial,
	unsigned *ticket, double *out) {
	loss<2>(n, y, start, column, value, partial, ticket, out);
}
extern "C" __global__ void __launch_bounds__(256) tsneLoss3(int n, const float4 *y, const long long *start, const int *column, const float *value, double *partial,
	unsigned *ticket, double *out) {
	loss<3>(n, y, start, column, value, partial, ticket, out);
}

// pin holds points (hold 1) at places, as stored, or lets them go. ids are different.
template <class T> __device__ void pin(int count, const int *ids, const int *back, const T *places, int hold, T *y, T *v, T *gain, unsigned char *held) {
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k >= count) return;
	int i = back ? back[ids[k]] : ids[k]; // back: see tsne_slots.cu
	v[i] = {};
	held[i] = (unsigned char)hold;
	if (hold) {
		y[i] = places[k];
	} else {
		T one = {};
		one.x = one.y = 1;
		if constexpr (sizeof(T) == 16) one.z = 1;
		gain[i] = one;
	}
}
extern "C" __global__ void tsnePin2(int count, const int *ids, const int *back, const float2 *places, int hold, float2 *y, float2 *v, float2 *gain, unsigned char *held) {
	pin(count, ids, back, places, hold, y, v, gain, held);
}
extern "C" __global__ void tsnePin3(int count, const int *ids, const int *back, const float4 *places, int hold, float4 *y, float4 *v, float4 *gain, unsigned char *held) {
	pin(count, ids, back, places, hold, y, v, gain, held);
}

// unpack makes positions in space of three numbers each, pack does the reverse.
extern "C" __global__ void tsneUnpack(int n, const float *from, float4 *to) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) to[i] = make_float4(from[3LL * i], from[3LL * i + 1], from[3LL * i + 2], 0);
}
extern "C" __global__ void tsnePack(int n, const float4 *from, float *to) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) packPlace(i, from, to);
}
