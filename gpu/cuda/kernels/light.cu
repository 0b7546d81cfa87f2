// Pairs of blocks of points for single linkage: see model/linkage, light.go and device.go, which say what the arrays are.
//
// lightPrune lists the pairs of blocks (tiles) that centres and radii do not rule out, with the rows whose distances from
// the other centre do not either. lightLook finds the rows of them with pairs whose score passes, as a mask; lightLocal does
// the same around the centre of the rows' block, from the original values, where rounding would let too much through;
// light_dense.cu and light_near.cu have products on tensor cores. lightWeigh weighs what passes in float64, climbs the
// tree's links, and keeps the light ones. The order of lists is that in which blocks came; what is in them does not depend
// on it.
#include "light.cuh"
#include "light_weigh.cuh"

namespace {

// list appends the tiles of threads that have one, side by side. A block of 128 threads.
__device__ inline void list(bool is, Tile *to, unsigned long long *count, Tile tile) {
	__shared__ unsigned warps[4];
	__shared__ unsigned long long first;
	unsigned mask = __ballot_sync(0xffffffffu, is), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	if (lane == 0) warps[warp] = __popc(mask);
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned all = warps[0] + warps[1] + warps[2] + warps[3];
		first = all ? atomicAdd(count, all) : 0;
	}
	__syncthreads();
	unsigned long long at = first + __popc(mask & ((1u << lane) - 1));
	for (unsigned w = 0; w < warp; w++) at += warps[w];
	if (is) to[at] = tile;
	__syncthreads();
}

} // namespace

namespace {

enum { fewest = 4 }; // blocks of a group that are left, for which it is worth a look at rows

// How much of a threshold products of halves around the mean may be off by before those around the centres of blocks are
// better: they let fewer pairs through, and take a little longer.
const float nearShare = 1.0f / 64;

// prune: a block of 128 threads has a task and a group, 64 blocks that follow each other. Blocks are ruled out by centres
// and radii, then, where enough are left, rows by their scores with all centres of the group.
template <bool ABS> __device__ void prune(const LightArgs &l) {
	__shared__ Room room;
	__align__(16) __shared__ float halves[side];
	__shared__ float sums[side], reach[side], radius[side], other[side], own[side], half[side], length[side];
	__align__(8) __shared__ unsigned char bytes[side][8];
	int task = blockIdx.y, a = l.block[task], t = threadIdx.x, i = t % side, d = l.d, from = l.from[task];
	int groups = (l.blocks + side - 1) / side, group = (a + from) % l.blocks / side + blockIdx.x;
	if (group >= groups) group -= groups;
	int b = group * side + i, place = b < a ? b - a + l.blocks : b - a;
	bool there = b < l.blocks && place >= from && place < min(l.to[task], from + l.window);
	if (!__syncthreads_or(there)) return;
	float sum = 0, m = 0, most = 0;
	if (there && a != b) {
		const float *c = l.centre + (size_t)a * d, *o = l.centreCols + (size_t)group * d * side + i;
		for (int k = t / side; k < d; k += 2) { // two threads a block
			float v = c[k] - o[(size_t)k * side];
			sum = ABS ? sum + fabsf(v) : fmaf(v, v, sum);
		}
	}
	if (t >= side) sums[i] = sum, there = false;
	__syncthreads();
	if (there) {
		sum += sums[i];
		m = way(l, a, b), most = fmaxf(m, l.smax[a]);
		if (!l.full) most = fmaxf(most, l.smax[b]);
		float far = (most + l.radius[a] + l.radius[b]) * wider;
		there = a == b || !(sum * (1 - (float)(d + 4) * 0x1p-23f) >= (ABS ? far : far * far));
	}
	int many = __syncthreads_count(there);
	if (!many) return;
	unsigned long long rows = a * side + side > l.n ? (1ull << (l.n - a * side)) - 1 : ~0ull;
	if (many >= fewest) {
		if (t < side) {
			int u = a * side + i;
			own[i] = u < l.n ? l.s[u] : 0, half[i] = l.half[u], length[i] = l.length[u];
			reach[i] = there ? l.full ? m : fmaxf(m, l.smax[b]) : 0;
			halves[i] = there ? l.centreHalf[b] : 0, radius[i] = there ? l.radius[b] : 0, other[i] = there ? l.centreLength[b] : 0;
		}
		__syncthreads();
		float acc[8][4], unit = unitOf(l);
		scores<ABS>(l.packed + (size_t)a * side * d, l.centreCols + (size_t)group * d * side, halves, d, room, acc);
#pragma unroll
		for (int j = 0; j < 4; j++) {
			int c = columnOf(j);
			unsigned bits = 0;
#pragma unroll
			for (int i = 0; i < 8; i++) {
				int r = rowOf(i);
				float within = fmaxf(own[r], reach[c]), both = length[r] + other[c];
				bool is = acc[i][j] > limit<ABS>(half[r], (within + radius[c]) * wider, unit * (ABS ? both : both * both));
				bits |= (unsigned)is << i;
			}
			bytes[c][t / 16] = bits;
		}
		__syncthreads();
		if (there && a != b) rows &= *(const unsigned long long *)bytes[i];
		there = there && rows;
	}
	float both = there ? l.longest[a] + l.longest[b] : 0, square = ABS ? most : most * most / 2, eighth = square / 8;
	bool dense = l.dense == BYTES || l.dense == HALVES && halfMargin(l, both) <= square * nearShare, near = false;
	if (l.nears && there && !dense) {
		float around = most + 2 * (l.radius[a] + l.radius[b]);
		near = nearMargin(l, a, b) + 2 * nearUnit(l) * around * around <= eighth && nearSlack * both <= most / 64;
	}
	if (l.dense == HALVES && !dense && !near) dense = halfMargin(l, both) <= eighth;
	bool local = !dense && !near && unitOf(l) * (ABS ? both : both * both) > eighth;
	Tile tile = {a, b, m, sum, rows};
	list(there && dense, l.denseTiles, &l.counts[DENSE], tile);
	list(there && near, l.nearTiles, &l.counts[NEARS], tile);
	list(there && local, l.local, &l.counts[LOCALS], tile);
	list(there && !dense && !near && !local, l.tiles, &l.counts[TILES], tile);
}

} // namespace

extern "C" __global__ void __launch_bounds__(128) lightPrune(BY_VALUE LightArgs l) { prune<false>(l); }
extern "C" __global__ void __launch_bounds__(128) lightPruneCity(BY_VALUE LightArgs l) { prune<true>(l); }

namespace {

// frame copies a block, less the origin, and finds half squares and lengths of its points. 64 threads.
template <bool ABS> __device__ void frame(const LightArgs &l, const double *origin, int block, int i, float *to, float *half, float *length) {
	int place = block * side + i;
	if (place >= l.n) {
		for (int c = 0; c < l.d; c++) to[(size_t)c * side + i] = 0;
		half[i] = INFINITY, length[i] = 0;
		return;
	}
	const float *x = values(l, place);
	double s = 0, norm = l.norm ? l.norm[place] : 1;
	for (int c = 0; c < l.d; c++) {
		float v = (float)((x[c] / norm - origin[c]) * l.scale);
		to[(size_t)c * side + i] = v;
		s += ABS ? fabs((double)v) : (double)v * v;
	}
	half[i] = ABS ? 0 : (float)(s / 2);
	length[i] = fmaxf(0x1p-40f, up((ABS ? s : sqrt(s)) * (1 + 1e-7)));
}

template <bool ABS, bool LOCAL> __device__ void look(const LightArgs &l) {
	__shared__ Room room;
	__shared__ float least[side], half[side], far[side], longest;
	__shared__ unsigned long long mask[side];
	__shared__ unsigned reached[2];
	int t = threadIdx.x, d = l.d;
	float unit = unitOf(l);
	unsigned long long tested = 0, tiles = l.counts[LOCAL ? LOCALS : TILES];
	float *own = (float *)(l.scratch + (size_t)blockIdx.x * (66 * (size_t)d + 128)); // of LOCAL: so many doubles for each
	float *other = own + side * d, *halves = other + side * d, *lengths = halves + 2 * side;
	double *origin = (double *)(lengths + 2 * side);
	for (unsigned long long n = blockIdx.x; n < tiles; n += gridDim.x) {
		Tile tile = (LOCAL ? l.local : l.tiles)[n];
		int a = tile.a, b = tile.b;
		float m = tile.way, reach = l.full ? m : fmaxf(m, l.smax[b]);
		const float *rows = l.packed + (size_t)a * side * d, *columns = l.packed + (size_t)b * side * d, *h = l.half + (size_t)b * side;
		__syncthreads(); // nobody is at the last tile any more
		if (LOCAL) {
			for (int c = t; c < d; c += threads) origin[c] = l.mean[c] + (double)l.centre[(size_t)a * d + c] * l.inverse;
			__syncthreads();
			if (t < side) frame<ABS>(l, origin, a, t, own, halves, lengths);
			else frame<ABS>(l, origin, b, t - side, other, halves + side, lengths + side);
			__syncthreads();
			if (t == 0) {
				longest = 0;
				for (int i = 0; i < side; i++) longest = fmaxf(longest, lengths[side + i]);
			}
			__syncthreads();
		}
		if (t < side) {
			int u = a * side + t;
			bool there = u < l.n;
			if (there) {
				float s = fmaxf(l.s[u], m), within = fmaxf(s, reach);
				there = tile.rows >> t & 1;
				if (l.cores && l.cores[u] >= within) there = false;
				least[t] = s;
				half[t] = LOCAL ? halves[t] : l.half[u];
				float both = LOCAL ? lengths[t] + longest : l.length[u] + l.longest[b];
				far[t] = there ? unit * (ABS ? both : both * both) : -INFINITY;
			}
			if (!there) half[t] = INFINITY, far[t] = 0, least[t] = 0; // no score is above that
			mask[t] = 0;
			unsigned bits = __ballot_sync(0xffffffffu, there);
			if (t % 32 == 0) reached[t / 32] = bits;
		}
		__syncthreads();
		if (!(reached[0] | reached[1])) continue;
		if (t == 0) tested += (unsigned long long)(__popc(reached[0]) + __popc(reached[1])) * min(side, l.n - b * side);
		if (LOCAL) rows = own, columns = other, h = halves + side;
		float acc[8][4];
		int warp = t / 32;
		scores<ABS>(rows, columns, h, d, room, acc, reached[warp / 2] >> 16 * (warp % 2) & 0xffff);
		float4 reaches = *(const float4 *)(l.s + (size_t)b * side + columnOf(0));
		float theirs[4] = {reaches.x, reaches.y, reaches.z, reaches.w}, most = l.full ? 0 : l.smax[b];
		bool any = false;
#pragma unroll
		for (int i = 0; i < 8; i++) {
			int r = rowOf(i);
			float s = least[r], margin = far[r];
			unsigned bits = 0;
			if (s >= most) {
				float at = ABS && half[r] == INFINITY ? INFINITY : limit<ABS>(half[r], s, margin);
#pragma unroll
				for (int j = 0; j < 4; j++) bits |= (acc[i][j] > at) << j;
			} else {
#pragma unroll
				for (int j = 0; j < 4; j++)
					bits |= (acc[i][j] > (ABS && half[r] == INFINITY ? INFINITY : limit<ABS>(half[r], fmaxf(s, theirs[j]), margin))) << j;
			}
			if (bits) {
				atomicOr(&mask[r], (unsigned long long)bits << columnOf(0));
				any = true;
			}
		}
		if (!__syncthreads_or(any) || t >= side) continue;
		pass(l, a, b, t, mask[t]);
	}
	if (tested) atomicAdd(&l.counts[TESTED], tested);
}

} // namespace

extern "C" __global__ void __launch_bounds__(128) lightLook(BY_VALUE LightArgs l) { look<false, false>(l); }
extern "C" __global__ void __launch_bounds__(128) lightLocal(BY_VALUE LightArgs l) { look<false, true>(l); }
extern "C" __global__ void __launch_bounds__(128) lightLookCity(BY_VALUE LightArgs l) { look<true, false>(l); }
extern "C" __global__ void __launch_bounds__(128) lightLocalCity(BY_VALUE LightArgs l) { look<true, true>(l); }

extern "C" __global__ void __launch_bounds__(128) lightWeigh(BY_VALUE LightArgs l) { weigh(l, OneLane()); }
extern "C" __global__ void __launch_bounds__(128) lightWeighStaged(BY_VALUE LightArgs l) { weigh(l, Staged()); }

// lightWeights weighs pairs of places: window of them, in kept.
extern "C" __global__ void __launch_bounds__(128) lightWeights(BY_VALUE LightArgs l) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < l.window) l.kept[i].w = weight(l, l.kept[i].u, l.kept[i].v);
}

// lightAbout lists the blocks about some: first itself, then those whose centres are nearest. A block of 128 threads for
// each; the list, about, has `window` of each.
extern "C" __global__ void __launch_bounds__(128) lightAbout(BY_VALUE LightArgs l) {
	enum { most = 8 };
	__shared__ float centreAt[256]; // of long centres the rest is read
	__shared__ unsigned long long lowest[4];
	int a = l.block[blockIdx.x], t = threadIdx.x;
	const float *c = l.centre + (size_t)a * l.d;
	for (int k = t; k < min(l.d, 256); k += 128) centreAt[k] = c[k];
	__syncthreads();
	unsigned long long best[most]; // distance, then number
	for (int i = 0; i < most; i++) best[i] = ~0ull;
	for (int b = t; b < l.blocks; b += 128) {
		if (b == a) continue;
		const float *o = l.centreCols + (size_t)(b / side) * l.d * side + b % side;
		float sum = 0;
		for (int k = 0; k < l.d; k++) {
			float v = (k < 256 ? centreAt[k] : c[k]) - o[(size_t)k * side];
			sum = fmaf(v, v, sum);
		}
		unsigned long long key = (unsigned long long)ordered(sum) << 32 | (unsigned)b;
#pragma unroll
		for (int i = 0; i < most; i++) { // it goes in where it belongs
			unsigned long long low = min(best[i], key);
			key = max(best[i], key);
			best[i] = low;
		}
	}
	if (t == 0) l.about[(size_t)blockIdx.x * l.window] = a;
	for (int r = 1; r < l.window; r++) {
		unsigned long long v = best[0];
		for (int w = 16; w >= 1; w /= 2) v = min(v, __shfl_xor_sync(0xffffffffu, v, w));
		if (t % 32 == 0) lowest[t / 32] = v;
		__syncthreads();
		v = min(min(lowest[0], lowest[1]), min(lowest[2], lowest[3]));
		if (best[0] == v)
			for (int i = 0; i < most; i++) best[i] = i + 1 < most ? best[i + 1] : ~0ull;
		if (t == 0) l.about[(size_t)blockIdx.x * l.window + r] = (int)(unsigned)v;
		__syncthreads();
	}
}
