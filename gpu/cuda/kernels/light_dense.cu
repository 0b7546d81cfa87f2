// Rows of tiles with pairs that may be light, as light.cu, with products on tensor cores (compute capability 8.0 on): of
// halves, whose margin says how far they may be off, or, where all values are integers within 255 of each other, of bytes,
// whose sums are exact.
#include "light_weigh.cuh"
#include "light_products.cuh"

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
	int s = 0;
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

// within is the least integer that squares of distances below t are all below, in units of the values; no square of a
// distance is 2^29, for 8000 columns.
__device__ inline int within(const LightArgs &l, float t) {
	double q = (double)t * l.inverse;
	q *= q;
	return q < 1 << 29 ? (int)ceil(q) : 1 << 29;
}

// Four warps have 32 rows and 32 columns each.
template <bool B8> __device__ void look(const LightArgs &l) {
	typedef typename Sum<B8>::type T;
	// A pair is within reach if its product is above the lesser of the row's first + the column's first, and of the seconds;
	// of bytes twice the product.
	__shared__ T first[2 * side], second[2 * side];
	__shared__ unsigned long long masks[2][side]; // by turns, so that one may be read while the next tile begins
	int t = threadIdx.x, turn = 0;
	bool isRow = t < side;
	unsigned long long tiles = l.counts[DENSE], tested = 0;
	int run = runOf(tiles); // tiles of the same rows follow each other
	Products<T> product;
	for (unsigned long long base = (unsigned long long)blockIdx.x * run; base < tiles; base += (unsigned long long)gridDim.x * run)
		for (unsigned long long n = base; n < min(tiles, base + run); n++, turn ^= 1) {
			Tile tile = l.denseTiles[n];
			int a = tile.a, b = tile.b, i = t % side, place = (isRow ? a : b) * side + i;
			float m = tile.way;
			bool there = place < l.n && !(isRow && !(tile.rows >> i & 1));
			float s = there ? isRow ? fmaxf(l.s[place], m) : l.full ? 0 : l.s[place] : 0;
			if (isRow && l.cores && there && l.cores[place] >= fmaxf(s, l.full ? 0 : l.smax[b])) there = false;
			T half, limit;
			if constexpr (B8) {
				half = l.norms[place], limit = within(l, s);
				if (isRow && !there) half = 1600000000, limit = 0; // with any column this is above all products, and no overflow
			} else {
				half = there ? l.half[place] : INFINITY, limit = s * s / 2;
				if (isRow) half -= halfMargin(l, there ? l.length[place] + l.longest[b] : 0);
			}
			unsigned long long *mask = masks[turn];
			first[t] = isRow ? half - limit : half, second[t] = isRow ? half : half - limit;
			if (isRow) mask[t] = 0;
			if (t == 0) tested += (unsigned long long)__popcll(tile.rows) * min(side, l.n - b * side);
			__syncthreads();
			product.run(l.fragments, l.steps, a, b, (unsigned)(tile.rows >> product.r0));
			bool any = product.above(first, second, l.full || m >= l.smax[b], mask); // then no column reaches further than a row
			if (!__syncthreads_or(any) || !isRow) continue;
			pass(l, a, b, t, mask[t]);
		}
	if (tested) atomicAdd(&l.counts[TESTED], tested);
}

// Whole has eight lanes weigh a pair after the other: what sums of float64 of integers below 2^53 give, integers do.
struct Whole {
	__device__ const uint2 *point(const LightArgs &l, int place) const { return l.fragments + (size_t)(place / side) * l.steps * 256 + place % side * 4; }
	__device__ void operator()(const LightArgs &l, const Passed &p, int lane, int, double *w) const {
		const uint2 *x = point(l, p.u);
		for (unsigned long long rest = p.mask; rest; rest &= rest - 1) {
			int j = __ffsll((long long)rest) - 1, v = p.block * side + j;
			const uint2 *y = point(l, v);
			unsigned sum = 0;
#pragma unroll 4
			for (int k = lane; k < 4 * l.steps; k += 8) {
				uint2 f = x[k / 4 * 256 + k % 4], g = y[k / 4 * 256 + k % 4];
				sum = __dp4a(f.y, g.y, __dp4a(f.x, g.x, sum));
			}
			for (int k = 1; k < 8; k *= 2) sum += __shfl_xor_sync(lanes(), sum, k);
			if (lane == 0) w[j] = settled(l, p.u, v, (double)(l.norms[p.u] + l.norms[v] - 2 * (int)sum));
		}
	}
};

} // namespace
#define LOOK(B8) look<B8>(l)
#define WEIGH() weigh(l, Whole())
#else
#define LOOK(B8)
#define WEIGH()
#endif

extern "C" __global__ void __launch_bounds__(128) lightLookHalves(BY_VALUE LightArgs l) { LOOK(false); }
extern "C" __global__ void __launch_bounds__(128) lightLookBytes(BY_VALUE LightArgs l) { LOOK(true); }
extern "C" __global__ void __launch_bounds__(128) lightWeighBytes(BY_VALUE LightArgs l) { WEIGH(); }
