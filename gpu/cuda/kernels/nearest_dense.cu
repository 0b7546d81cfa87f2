// Lists of what may be among the nearest of rows, as nearestSweep of nearest.cu, by products of halves on tensor cores
// (compute capability 8.0 on). Scores are off by more, and Margin says by how much; nearestDecide does not care.
//
// Coordinates are those of panels times a power of two, scale, which brings the longest point to 2^13 to 2^14, rounded
// to halves: to 2^-11 of themselves, or 2^-25 where they are subnormal. Products are exact. A sum of a step's products
// and what was there before loses 2^-23 of the largest for each of them at most, 2^-22 of the sum of the absolute ones
// for each column. With s = |x| + |y|, |x||y| <= s^2/4, |y|^2/2 <= s^2/2, in units of 1/scale, a score is off by
//
//	(2^-10 (1 + 2^-10) / 4 + (d + 16) 2^-22 * 3/4) s^2 + sqrt(d) 2^-25 (1 + 2^-10) s + d 2^-50
//
// at most, and denseMargin of nearest_dense.go is above that: (1.0625 2^-12 + (d + 32) 2^-22) s^2 + (d + 1) (2^-25 s + 2^-49).
//
// Fragments: of a panel, of each 16 columns, of each 16 points, of each lane 4 q + p, the columns 2p, 2p+1, 2p+8, 2p+9
// of point q (x, y) and of point q + 8 (z, w): the first factor of m16n8k16, and the second of two.
#include "nearest.cuh"
#include "products.cuh"

// nearestFragments makes the fragments of panels, and what sums begin with (or null); a block of 256 threads a panel.
extern "C" __global__ void __launch_bounds__(256) nearestFragments(const float *panels, const float *half, int d, int steps, float scale, uint4 *fragments,
	float *begins) {
	const float *panel = panels + (size_t)blockIdx.x * d * side;
	for (int i = threadIdx.x; i < steps * 128; i += 256) {
		int step = i / 128, quad = i % 32 / 4, p = i % 4, point = i % 128 / 32 * 16 + quad;
		unsigned w[4];
		for (int j = 0; j < 4; j++) {
			int c = 16 * step + j % 2 * 8 + 2 * p, at = point + j / 2 * 8;
			w[j] = packed(c < d ? panel[(size_t)c * side + at] * scale : 0, c + 1 < d ? panel[(size_t)(c + 1) * side + at] * scale : 0);
		}
		fragments[(size_t)blockIdx.x * steps * 128 + i] = make_uint4(w[0], w[1], w[2], w[3]);
	}
	long long slot = (long long)blockIdx.x * side + threadIdx.x;
	if (begins && threadIdx.x < side) begins[slot] = -(half[slot] * scale * scale);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
namespace {

enum { warps = 4, tall = 32 }; // of a block; rows of a warp

// State is what a warp knows of its rows.
struct State {
	float limit[tall], own[tall];
	int size[tall], self[tall];
};

// Strip is 32 rows, which a warp compares with panels; KS: steps, whose first factors stay in registers, or 0, which is any.
template <int KS> struct Strip {
	State &s;
	const uint4 *rows;
	int lane, quad, p, k, cap;
	Margin by;
	const float *longest;
	Entry *entries; // of the first row
	float limit[4], own[4];

	__device__ void know() {
#pragma unroll
		for (int i = 0; i < 4; i++) limit[i] = s.limit[8 * i + quad], own[i] = s.own[8 * i + quad];
	}

	// products computes the scores of the rows 16 i + 8 h + quad with columns 8 j + 2 p + e: acc[i][j][2 h + e].
	__device__ void products(const uint4 *columns, const float2 *begins, const uint4 (&held)[KS ? KS : 1][2], int steps, float (&acc)[2][8][4]) {
#pragma unroll
		for (int j = 0; j < 8; j++) {
			float2 b = begins[4 * j + p];
#pragma unroll
			for (int i = 0; i < 2; i++) acc[i][j][0] = acc[i][j][2] = b.x, acc[i][j][1] = acc[i][j][3] = b.y;
		}
		if (KS) {
#pragma unroll
			for (int step = 0; step < KS; step++) add(columns + 128 * step, held[step], acc);
		} else {
			for (int step = 0; step < steps; step++) {
				uint4 f[2] = {rows[128 * step], rows[128 * step + 32]};
				add(columns + 128 * step, f, acc);
			}
		}
	}
	__device__ void add(const uint4 *columns, const uint4 (&f)[2], float (&acc)[2][8][4]) {
		uint4 g[4];
#pragma unroll
		for (int j = 0; j < 4; j++) g[j] = columns[32 * j];
#pragma unroll
		for (int i = 0; i < 2; i++) {
			unsigned a[4] = {f[i].x, f[i].z, f[i].y, f[i].w};
#pragma unroll
			for (int j = 0; j < 4; j++) multiply(acc[i][2 * j], a, make_uint2(g[j].x, g[j].y)), multiply(acc[i][2 * j + 1], a, make_uint2(g[j].z, g[j].w));
		}
	}

	// offer lists what reaches the limits of its row, and says whether a list of this lane must be cut before the next panel.
	__device__ bool offer(const float (&acc)[2][8][4], int panel, const int *id) {
		float far = longest[panel], least[4];
		bool some[4], any = false, full = false;
#pragma unroll
		for (int i = 0; i < 4; i++) {
			least[i] = limit[i] - by.of(own[i] + far);
			some[i] = false;
#pragma unroll
			for (int j = 0; j < 8; j++) some[i] |= acc[i / 2][j][i % 2 * 2] >= least[i] || acc[i / 2][j][i % 2 * 2 + 1] >= least[i];
			any |= some[i];
		}
		if (!any) return false;
#pragma unroll
		for (int i = 0; i < 4; i++) {
			if (!some[i]) continue;
			int r = 8 * i + quad;
#pragma unroll
			for (int j = 0; j < 8; j++)
#pragma unroll
				for (int e = 0; e < 2; e++) {
					float v = acc[i / 2][j][i % 2 * 2 + e];
					if (!(v >= least[i])) continue;
					int slot = panel * side + 8 * j + 2 * p + e;
					if (id[slot] == s.self[r]) continue;
					int at = atomicAdd(&s.size[r], 1);
					entries[(size_t)r * cap + at] = entryOf(v, slot);
					full |= at + 1 > cap - side;
				}
		}
		return full;
	}

	// cut drops from lists that are full what cannot be among the k nearest.
	__device__ void cut() {
		for (int r = 0; r < tall; r++) {
			int n = s.size[r];
			if (n <= cap - side || n == tooMany) continue;
			float least = s.limit[r];
			int left = keepBest<true>(entries + (size_t)r * cap, n, k, {by, s.own[r], longest}, least);
			__syncwarp();
			if (lane == 0) {
				bool over = left > cap - side;
				s.size[r] = over ? tooMany : left;
				s.limit[r] = over ? INFINITY : fmaxf(least, s.limit[r]);
			}
		}
		__syncwarp();
		know();
	}
};

// dense is sweep: a warp has half a panel of rows, of so many panels. Rows that halves do not hold are left to
// nearestExact. Warps know nothing of each other.
template <int KS>
__device__ void dense(const uint4 *rows, const float *length, const int *self, int steps, const uint4 *fragments, const float *begins,
	const float *longest, const int *id, const long long *start, const int *list, long long count, long long from, long long to, long long panels,
	float scale, Margin by, int k, int cap, int begin, unsigned long long *entries, int *counts, float *limits) {
	__shared__ State states[warps];
	int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
	long long strip = (long long)blockIdx.x * warps + warp, panel = strip / 2, row = strip * tall + lane;
	if (panel >= panels) return;
	if (KS) steps = KS;
	rows += (size_t)panel * steps * 128 + strip % 2 * 64 + lane;
	if (start) list += start[2 * panel], count = start[2 * panel + 1] - start[2 * panel];
	Strip<KS> s{states[warp], rows, lane, lane >> 2, lane & 3, k, cap, by, longest, (Entry *)entries + strip * tall * cap};
	s.s.own[lane] = length[row], s.s.self[lane] = self[row];
	if (begin) {
		bool off = s.s.self[lane] < -1, over = !off && !(length[row] * scale < 0x1p15f);
		s.s.size[lane] = over ? tooMany : 0;
		s.s.limit[lane] = off || over ? INFINITY : -3e38f;
	} else s.s.size[lane] = counts[row], s.s.limit[lane] = limits[row];
	__syncwarp();
	s.know();
	uint4 held[KS ? KS : 1][2];
	if (KS) {
#pragma unroll
		for (int step = 0; step < KS; step++) held[step][0] = rows[128 * step], held[step][1] = rows[128 * step + 32];
	}
	if (to > count) to = count;
	int next = from < to ? list ? list[from] : (int)from : 0; // panels are named one ahead, as their names are waited for
	for (long long at = from; at < to; at++) {
		int other = next;
		if (at + 1 < to) next = list ? list[at + 1] : (int)at + 1;
		float acc[2][8][4];
		s.products(fragments + (size_t)other * steps * 128 + lane, (const float2 *)(begins + (size_t)other * side), held, steps, acc);
		bool full = s.offer(acc, other, id);
		if (__any_sync(0xffffffffu, full)) s.cut();
	}
	__syncwarp();
	counts[row] = s.s.size[lane], limits[row] = s.s.limit[lane];
}

} // namespace
#define SWEEP(KS, ...) dense<KS>(__VA_ARGS__)
#else
#define SWEEP(...)
#endif

#define DENSE(KS, name)                                                                                                                    \
	extern "C" __global__ void __launch_bounds__(128) name(const uint4 *rows, const float *length, const int *self, int steps,               \
		const uint4 *fragments, const float *begins, const float *longest, const int *id, const long long *start, const int *list,             \
		long long count, long long from, long long to, long long panels, float scale, float unit, float flat, float least, int k, int cap,     \
		int begin, unsigned long long *entries, int *counts, float *limits) {                                                                  \
		SWEEP(KS, rows, length, self, steps, fragments, begins, longest, id, start, list, count, from, to, panels, scale,                      \
			Margin{unit, flat, least}, k, cap, begin, entries, counts, limits);                                                                  \
	}
DENSE(0, nearestDenseAny)
DENSE(1, nearestDense1)
DENSE(2, nearestDense2)
DENSE(3, nearestDense3)
DENSE(4, nearestDense4)
