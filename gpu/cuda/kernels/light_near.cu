// Rows of tiles with pairs that may be light, as light.cu, with products of halves on tensor cores around the centres of the
// two blocks (compute capability 8.0 on), which are off by far less than those around the mean of all points.
//
// Of blocks a and b with centres c and e, D = e - c, and points u and v of theirs as float32 has them:
//
//	|u-v|^2/2 = |u-e|^2/2 + (|v-c|^2 - |D|^2)/2 - (u-c).(v-e)
//
// The first two are sums of float32 without a sign, each off by (d+4) 2^-24 of itself at most, and so is |D|^2. Each is
// moved outwards by twice that and more, (d+8) 2^-23, which leaves room for the few roundings of what is made of them.
//
// The last is a product of halves x, y of u-c and v-e, brought to a length of 1/2 to 1 by powers of two (of the radii; what
// has a radius below 2^-40 by that of 2^-40). With h = 2^-11 (1 + 2^-12), which holds the rounding of the difference too, a
// coordinate is off by h of itself and 2^-25. So with |x| <= A, |y| <= B, both in [1/2, 1), A + B <= 4 A B, sums of absolute
// values being at most sqrt(d) times a length:
//
//	|x.y - (u-c).(v-e)| <= (2h + h^2) A B + 1.001 2^-25 sqrt(d) (A + B) + d 2^-50
//	                    <= A B (2^-10 (1 + 2^-10) + 1.001 2^-23 sqrt(d) + d 2^-48)
//
// and the sum of d products loses 2^-22 of the absolute ones at each. nearMargin is above all of that:
// 1.0625 2^-10 + (d + 16) 2^-21. Rounding to float32 moves u and v by 2^-24 of their lengths (nearSlack), which makes
// thresholds wider. TestNearMarginEmulated tries it.
#include "light_products.cuh"

// lightNears makes fragments (see light_products.cuh) of a block around its centre, 256 threads for each.
extern "C" __global__ void __launch_bounds__(256) lightNears(BY_VALUE LightArgs l) {
	int block = blockIdx.x, e;
	frexpf(fmaxf(l.radius[block], shortest), &e);
	float scale = ldexpf(1, -e);
	uint2 *to = l.nears + (size_t)block * l.nearSteps * 256;
	const float *panel = l.packed + (size_t)block * side * l.d, *centre = l.centre + (size_t)block * l.d;
	for (int i = threadIdx.x; i < l.nearSteps * 256; i += 256) {
		int step = i / 256, point = i % 256 / 4, p = i % 4;
		float v[4];
		for (int j = 0; j < 4; j++) {
			int c = 16 * step + j / 2 * 8 + 2 * p + j % 2;
			v[j] = c < l.d && block * side + point < l.n ? (panel[(size_t)c * side + point] - centre[c]) * scale : 0;
		}
		to[i] = make_uint2(packed(v[0], v[1]), packed(v[2], v[3]));
	}
	if (threadIdx.x == 0) l.nearScale[block] = scale;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
namespace {

// Before products, two warps have the distances of rows from the other centre, and two those of columns.
__device__ void look(const LightArgs &l) {
	__shared__ float first[2 * side], second[2 * side]; // of rows, then columns: see Products
	__shared__ unsigned active[4];
	__shared__ unsigned long long masks[2][side]; // by turns, so that one may be read while the next tile begins
	int t = threadIdx.x, warp = t / 32, i = t % side, d = l.d, turn = 0;
	bool isRow = t < side;
	float shrink = 1 - nearUnit(l), stretch = 1 + nearUnit(l);
	unsigned long long tiles = l.counts[NEARS], tested = 0;
	int run = runOf(tiles); // tiles of the same rows follow each other
	Products<float> product;
	for (unsigned long long base = (unsigned long long)blockIdx.x * run; base < tiles; base += (unsigned long long)gridDim.x * run)
		for (unsigned long long n = base; n < min(tiles, base + run); n++, turn ^= 1) {
			Tile tile = l.nearTiles[n];
			int a = tile.a, b = tile.b, mine = isRow ? a : b, theirs = isRow ? b : a, place = mine * side + i;
			const float *x = l.packed + (size_t)mine * side * d + i, *c = l.centre + (size_t)theirs * d;
			float sum = 0;
#pragma unroll 8
			for (int k = 0; k < d; k++) {
				float v = x[(size_t)k * side] - c[k];
				sum = fmaf(v, v, sum);
			}
			float slack = nearSlack * (l.longest[a] + l.longest[b]), s = place < l.n ? l.s[place] : 0;
			// within: the row's own part of thresholds or the column's; most: the largest of its pairs
			float within = isRow ? fmaxf(s, tile.way) : l.full ? 0 : s, most = isRow ? l.full ? within : fmaxf(within, l.smax[b]) : fmaxf(fmaxf(within, tile.way), l.smax[a]);
			within = (within + slack) * wider;
			float reach = ((most + slack) * wider + l.radius[theirs]) * wider, scale = l.nearScale[a] * l.nearScale[b];
			sum *= shrink;
			bool there = place < l.n && !(isRow && !(tile.rows >> i & 1)) && sum < reach * reach;
			if (l.cores && there && l.cores[place] >= most) there = false;
			float half = isRow ? sum / 2 - nearMargin(l, a, b) : (sum - tile.apart * stretch) / 2, limit = within * within / 2 * stretch;
			unsigned long long *mask = masks[turn];
			first[t] = there ? (isRow ? half - limit : half) * scale : INFINITY;
			second[t] = there ? (isRow ? half : half - limit) * scale : INFINITY;
			if (isRow) mask[t] = 0;
			unsigned bits = __ballot_sync(0xffffffffu, there);
			if (t % 32 == 0) active[warp] = bits;
			__syncthreads();
			if (t == 0) tested += (unsigned long long)(__popc(active[0]) + __popc(active[1])) * (__popc(active[2]) + __popc(active[3]));
			bool any = false;
			if (unsigned rows = active[2 + warp % 2] ? active[warp / 2] : 0) {
				product.run(l.nears, l.nearSteps, a, b, rows);
				any = product.above(first, second, l.full || tile.way >= l.smax[b], mask); // then no column reaches further than a row
			}
			if (!__syncthreads_or(any) || !isRow) continue;
			pass(l, a, b, t, mask[t]);
		}
	if (tested) atomicAdd(&l.counts[TESTED], tested);
}

} // namespace
#define LOOK() look(l)
#else
#define LOOK()
#endif

extern "C" __global__ void __launch_bounds__(128) lightLookNear(BY_VALUE LightArgs l) { LOOK(); }
