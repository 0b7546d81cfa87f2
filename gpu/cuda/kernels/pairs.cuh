// Scores of 64 points and 64 others, and distances that decide. Points lie in panels: 64 side by side for each column.
#pragma once
#include "host.cuh"

namespace pairs {

enum { side = 64, threads = 128, slice = 8 }; // of a tile; columns that are in shared memory at a time

__device__ inline int rowOf(int i) { return threadIdx.x / 16 * 8 + i; }
__device__ inline int columnOf(int j) { return threadIdx.x % 16 * 4 + j; }

struct Room {
	__align__(16) float rows[2][slice][side];
	__align__(16) float columns[2][slice][side];
};

__device__ inline float4 part(const float *panel, int c0, int d) {
	int c = c0 + threadIdx.x / 16;
	return c < d ? *(const float4 *)(panel + (size_t)c0 * side + 4 * threadIdx.x) : make_float4(0, 0, 0, 0);
}
__device__ inline void put(float (*to)[side], float4 v) { *(float4 *)((float *)to + 4 * threadIdx.x) = v; }

// scores gives thread t those of rows rowOf(0..7) with columns columnOf(0..3): what is the larger the nearer they are,
// x.y - |y|^2/2, or with CITY -sum |x-y|. The sum begins with -half, ascends, and rounds once a column. All threads of
// a block of 128, after a barrier; those of a warp that needs none do not compute them.
template <bool CITY>
__device__ __forceinline__ void scores(const float *rows, const float *columns, const float *half, int d, Room &room, float (&acc)[8][4], bool needed = true) {
	float4 h = *(const float4 *)(half + columnOf(0));
	float start[4] = {-h.x, -h.y, -h.z, -h.w};
#pragma unroll
	for (int i = 0; i < 8; i++)
#pragma unroll
		for (int j = 0; j < 4; j++) acc[i][j] = start[j];
	put(room.rows[0], part(rows, 0, d));
	put(room.columns[0], part(columns, 0, d));
	for (int c0 = 0, at = 0; c0 < d; c0 += slice, at ^= 1) {
		__syncthreads(); // this slice is there, and nobody reads the other one
		float4 x, y;
		bool more = c0 + slice < d;
		if (more) x = part(rows, c0 + slice, d), y = part(columns, c0 + slice, d);
		if (needed)
#pragma unroll
		for (int c = 0; c < slice; c++) {
			float4 u = *(const float4 *)&room.rows[at][c][rowOf(0)], v = *(const float4 *)&room.rows[at][c][rowOf(4)];
			float4 w = *(const float4 *)&room.columns[at][c][columnOf(0)];
			float a[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w}, b[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
			for (int i = 0; i < 8; i++)
#pragma unroll
				for (int j = 0; j < 4; j++) acc[i][j] = CITY ? acc[i][j] - fabsf(a[i] - b[j]) : fmaf(a[i], b[j], acc[i][j]);
		}
		if (more) put(room.rows[at ^ 1], x), put(room.columns[at ^ 1], y);
	}
}

// squared decides: every difference, product and sum rounded to float64, columns ascending.
__device__ inline double squared(const float *x, const float *y, int d) {
	double s = 0;
	for (int c = 0; c < d; c++) {
		double t = __dadd_rn((double)x[c], -(double)y[c]);
		s = __dadd_rn(s, __dmul_rn(t, t));
	}
	return s;
}

// sumWarp adds the values of a warp up.
__device__ inline int sumWarp(int v) {
#if defined(__CUDACC__) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800)
	for (int w = 16; w >= 1; w /= 2) v += __shfl_xor_sync(0xffffffffu, v, w);
	return v;
#else
	return __reduce_add_sync(0xffffffffu, v);
#endif
}

// up is the least float not below x.
__device__ inline float up(double x) {
	float f = (float)x;
	return f < x ? nextafterf(f, INFINITY) : f;
}

// ordered is a number that is the larger the larger f is.
__device__ inline unsigned ordered(float f) {
	unsigned u = __float_as_uint(f + 0.0f);
	return u >> 31 ? ~u : u | 0x80000000u;
}
__device__ inline float disordered(unsigned u) { return __uint_as_float(u >> 31 ? u & 0x7fffffffu : ~u); }

} // namespace pairs
