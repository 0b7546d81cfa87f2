// Products of a tile of 64 rows and 64 columns on tensor cores, and which of them are above a threshold.
//
// Fragments: of a block of 64 points, of each 16 columns (halves) or 32 (bytes), of eight points, of each lane, what
// m16n8k16 and m16n8k32 want of the second factor; two of them are the first. Lane 4 q + p has of point q the columns
// 2p, 2p+1, 2p+8, 2p+9 or 4p..4p+3, 4p+16..4p+19.
#pragma once
#include "light.cuh"
#include "products.cuh"

namespace {

// runOf is how many tiles that follow each other a block of threads takes.
__device__ inline int runOf(unsigned long long tiles) { return (int)max(1ull, min(16ull, tiles / (4 * gridDim.x))); }

// Products of four warps, 32 rows and 32 columns each.
template <typename T> struct Products {
	int lane, quad, p, r0, c0;
	T acc[2][4][4];
	bool needs[2];

	__device__ Products() {
		int warp = threadIdx.x / 32;
		lane = threadIdx.x & 31, quad = lane >> 2, p = lane & 3, r0 = warp / 2 * 32, c0 = warp % 2 * 32;
	}
	// of is where the fragments of a block begin that are the lane's, of 32 of its points.
	__device__ const uint2 *of(const uint2 *all, int steps, int block, int from) const { return all + (size_t)block * steps * 256 + from / 8 * 32 + lane; }

	__device__ void add(const uint2 (&f)[4], const uint2 (&g)[4]) {
#pragma unroll
		for (int i = 0; i < 2; i++) {
			if (!needs[i]) continue;
			unsigned rows[4] = {f[2 * i].x, f[2 * i + 1].x, f[2 * i].y, f[2 * i + 1].y};
#pragma unroll
			for (int j = 0; j < 4; j++) multiply(acc[i][j], rows, g[j]);
		}
	}

	// run computes the products; of its 32 rows those of rows alone are wanted.
	__device__ void run(const uint2 *all, int steps, int a, int b, unsigned rows) {
#pragma unroll
		for (int i = 0; i < 2; i++)
#pragma unroll
			for (int j = 0; j < 4; j++)
#pragma unroll
				for (int k = 0; k < 4; k++) acc[i][j][k] = 0;
		needs[0] = (rows & 0xffff) != 0, needs[1] = rows >> 16 != 0;
		if (!rows) return;
		const uint2 *x = of(all, steps, a, r0), *y = of(all, steps, b, c0);
#pragma unroll 2
		for (int step = 0; step < steps; step++, x += 256, y += 256) {
			uint2 f[4], g[4];
#pragma unroll
			for (int i = 0; i < 4; i++) f[i] = x[32 * i], g[i] = y[32 * i];
			add(f, g);
		}
	}

	// above marks in the masks of rows which columns have a product (of bytes twice that) that is above the lesser of the
	// row's first and the column's, added, and of the seconds; alike: the first are the lesser. Columns are behind rows.
	__device__ bool above(const T *first, const T *second, bool alike, unsigned long long *mask) {
		bool any = false;
		T high[4][2], low[4][2];
#pragma unroll
		for (int j = 0; j < 4; j++)
#pragma unroll
			for (int e = 0; e < 2; e++) {
				int c = side + c0 + 8 * j + 2 * p + e;
				high[j][e] = first[c], low[j][e] = second[c];
			}
#pragma unroll
		for (int i = 0; i < 2; i++)
#pragma unroll
			for (int h = 0; h < 2; h++) {
				if (!needs[i]) continue;
				int r = r0 + 16 * i + 8 * h + quad;
				T near = first[r], far = second[r];
				bool some = false;
#pragma unroll
				for (int j = 0; j < 4; j++)
#pragma unroll
					for (int e = 0; e < 2; e++) {
						T at = near + high[j][e], &v = acc[i][j][2 * h + e];
						if (!alike) at = min(at, far + low[j][e]);
						v = twice(v) - at;
						some |= v > 0;
					}
				if (!some) continue;
				unsigned bits = 0;
#pragma unroll
				for (int j = 0; j < 4; j++)
#pragma unroll
					for (int e = 0; e < 2; e++) bits |= (unsigned)(acc[i][j][2 * h + e] > 0) << (8 * j + 2 * p + e);
				atomicOr(&mask[r], (unsigned long long)bits << c0);
				any = true;
			}
		return any;
	}
	__device__ static float twice(float v) { return v; }
	__device__ static int twice(int v) { return 2 * v; }
};

} // namespace
