// Rows of tiles with pairs that may be light, as light.cu, with products on tensor cores (compute capability 8.0 on): of
// halves, whose margin says how far they may be off, or, where all values are integers within 255 of each other, of bytes,
// whose sums are exact.
//
// Fragments: of a block of 64 points, of each 16 columns (halves) or 32 (bytes), of eight points, of each lane, what
// m16n8k16 and m16n8k32 want of the second factor; two of them are the first. Lane 4 q + p has of point q the columns
// 2p, 2p+1, 2p+8, 2p+9 or 4p..4p+3, 4p+16..4p+19.
#include "light.cuh"
#include "products.cuh"

// lightRange finds the least value of all points and the most, and whether one is no integer. A warp a row.
extern "C" __global__ void __launch_bounds__(128) lightRange(BY_VALUE LightArgs l) {
	unsigned low = ~0u, high = 0, broken = 0;
	for (int u = blockIdx.x * 4 + threadIdx.x / 32; u < l.n; u += gridDim.x * 4) {
		const float *x = values(l, u);
		for (int c = threadIdx.x % 32; c < l.d; c += 32) {
			float v = x[c];
			low = min(low, ordered(v)), high = max(high, ordered(v));
			broken |= floorf(v) != v || fabsf(v) > 0x1p24f;
		}
	}
	if (low < __ldcg(&l.ranges[0])) atomicMin(&l.ranges[0], low);
	if (high > __ldcg(&l.ranges[1])) atomicMax(&l.ranges[1], high);
	if (broken) l.ranges[2] = 1;
}

namespace {

// A block of 256 threads a block of points.
template <bool B8> __device__ void fragments(const LightArgs &l) {
	int block = blockIdx.x, least = (int)disordered(l.ranges[0]);
	uint2 *to = l.fragments + (size_t)block * l.steps * 256;
	const float *panel = l.packed + (size_t)block * side * l.d;
	for (int i = threadIdx.x; i < l.steps * 256; i += 256) {
		int step = i / 256, point = i % 256 / 4, p = i % 4, place = block * side + point;
		unsigned w[2] = {0, 0};
		if (place < l.n) {
			for (int h = 0; h < 2; h++)
				if (B8) {
					const float *x = values(l, place);
					for (int e = 0; e < 4; e++) {
						int c = 32 * step + 16 * h + 4 * p + e;
						if (c < l.d) w[h] |= (unsigned)((int)x[c] - least) << 8 * e;
					}
				} else {
					int c = 16 * step + 8 * h + 2 * p;
					w[h] = packed(c < l.d ? panel[(size_t)c * side + point] : 0, c + 1 < l.d ? panel[(size_t)(c + 1) * side + point] : 0);
				}
		}
		to[i] = make_uint2(w[0], w[1]);
	}
	int place = block * side + threadIdx.x;
	if (!B8 || threadIdx.x >= side) return;
	int s = place < l.n ? 0 : 1 << 30;
	for (int c = 0; c < l.d && place < l.n; c++) {
		int v = (int)values(l, place)[c] - least;
		s += v * v;
	}
	l.norms[place] = s;
}

} // namespace

extern "C" __global__ void __launch_bounds__(256) lightHalves(BY_VALUE LightArgs l) { fragments<false>(l); }
extern "C" __global__ void __launch_bounds__(256) lightBytes(BY_VALUE LightArgs l) { fragments<true>(l); }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
namespace {

// within is the least integer that squares of distances below t are all below, in units of the values.
__device__ inline int within(const LightArgs &l, float t) {
	double q = (double)t * l.inverse;
	q *= q;
	return q < 1 << 30 ? (int)ceil(q) : 1 << 30;
}

// Four warps have 32 rows and 32 columns each.
template <bool B8> __device__ void look(const LightArgs &l) {
	typedef typename Sum<B8>::type T;
	__shared__ float least[side], theirs[side], half[side], halves[side], length[side];
	__shared__ int square[side], squares[side], reach[side], reaches[side];
	__shared__ unsigned long long mask[side];
	int t = threadIdx.x, lane = t & 31, quad = lane >> 2, p = lane & 3, warp = t / 32, r0 = warp / 2 * 32, c0 = warp % 2 * 32;
	unsigned long long tiles = l.counts[DENSE], tested = 0;
	int run = (int)max(1ull, min(16ull, tiles / (4 * gridDim.x))); // tiles of the same rows follow each other
	for (unsigned long long base = (unsigned long long)blockIdx.x * run; base < tiles; base += (unsigned long long)gridDim.x * run)
		for (unsigned long long n = base; n < min(tiles, base + run); n++) {
			Tile tile = l.denseTiles[n];
			int a = tile.a, b = tile.b;
			__syncthreads(); // nobody is at the last tile any more
			if (t < side) {
				int u = a * side + t, v = b * side + t;
				bool there = u < l.n;
				float m = tile.way, s = there ? fmaxf(l.s[u], m) : 0, o = v < l.n ? l.s[v] : 0;
				if (l.cores && there && l.cores[u] >= fmaxf(s, l.full ? m : fmaxf(m, l.smax[b]))) there = false;
				least[t] = s, theirs[t] = l.full ? 0 : o;
				mask[t] = 0;
				if (B8) {
					square[t] = there ? l.norms[u] : 0x7fffffff, squares[t] = l.norms[v];
					reach[t] = within(l, s), reaches[t] = within(l, theirs[t]);
				} else {
					half[t] = there ? l.half[u] : INFINITY, halves[t] = l.half[v];
					length[t] = halfMargin(l, there ? l.length[u] + l.longest[b] : 0);
				}
			}
			if (t == 0) tested += (unsigned long long)min(side, l.n - a * side) * min(side, l.n - b * side);
			__syncthreads();
			T acc[2][4][4] = {};
			const uint2 *x = l.fragments + (size_t)a * l.steps * 256 + r0 / 8 * 32 + lane, *y = l.fragments + (size_t)b * l.steps * 256 + c0 / 8 * 32 + lane;
#pragma unroll 2
			for (int step = 0; step < l.steps; step++, x += 256, y += 256) {
				uint2 f[4], g[4];
#pragma unroll
				for (int i = 0; i < 4; i++) f[i] = x[32 * i], g[i] = y[32 * i];
#pragma unroll
				for (int i = 0; i < 2; i++) {
					unsigned first[4] = {f[2 * i].x, f[2 * i + 1].x, f[2 * i].y, f[2 * i + 1].y};
#pragma unroll
					for (int j = 0; j < 4; j++) multiply(acc[i][j], first, g[j]);
				}
			}
			bool any = false;
#pragma unroll
			for (int i = 0; i < 2; i++)
#pragma unroll
				for (int h = 0; h < 2; h++) {
					int r = r0 + 16 * i + 8 * h + quad;
					unsigned bits = 0;
#pragma unroll
					for (int j = 0; j < 4; j++)
#pragma unroll
						for (int e = 0; e < 2; e++) {
							int c = c0 + 8 * j + 2 * p + e;
							bool is;
							if (B8) is = 2 * (int)acc[i][j][2 * h + e] - squares[c] > square[r] - max(reach[r], reaches[c]);
							else is = (float)acc[i][j][2 * h + e] - halves[c] > limit<false>(half[r], fmaxf(least[r], theirs[c]), length[r]);
							bits |= (unsigned)is << (8 * j + 2 * p + e);
						}
					if (bits) {
						atomicOr(&mask[r], (unsigned long long)bits << c0);
						any = true;
					}
				}
			if (!__syncthreads_or(any) || t >= side) continue;
			pass(l, a, b, t, mask[t]);
		}
	if (tested) atomicAdd(&l.counts[TESTED], tested);
}

} // namespace
#define LOOK(B8) look<B8>(l)
#else
#define LOOK(B8)
#endif

extern "C" __global__ void __launch_bounds__(128) lightLookHalves(BY_VALUE LightArgs l) { LOOK(false); }
extern "C" __global__ void __launch_bounds__(128) lightLookBytes(BY_VALUE LightArgs l) { LOOK(true); }
