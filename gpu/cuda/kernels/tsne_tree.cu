// Repulsion of t-SNE by means of groups of points that are far away. Points are ordered along a Hilbert curve; over
// that order stands a complete tree without pointers: leaf b is points 16 b .. 16 b + 15, node j of level l covers
// nodes 4 j .. 4 j + 3 of level l - 1. A warp finds, for 64 successive points, what acts on all of them: a node is
// taken as a whole if s^2 < theta^2 (1 + D^2), s the longest side of its box, D the distance of its mean from the
// points' box.
#include "tsne.cuh"

enum { leaf = 16, fan = 4, levels = 16, group = 64, members = group / leaf };

// Levels are how many nodes each has, and where they begin among all.
struct Levels {
	int count[levels], first[levels], top;
	__device__ void cover(int n) {
		int at = 0, c = (n + leaf - 1) / leaf;
		for (top = 0;; top++) {
			count[top] = c, first[top] = at, at += c;
			if (c <= 1) break;
			c = (c + fan - 1) / fan;
		}
	}
};

// ---- the order

// Bits of a coordinate in a key.
template <int D> struct Bits {
	enum { value = D == 2 ? 16 : 10 };
};

// hilbert is the place along the curve of a cell, after J. Skilling, "Programming the Hilbert curve" (2004).
template <int D> __device__ inline unsigned hilbert(unsigned (&x)[D]) {
	const int bits = Bits<D>::value;
	for (unsigned q = 1u << (bits - 1); q > 1; q >>= 1) {
		unsigned p = q - 1;
#pragma unroll
		for (int c = 0; c < D; c++) {
			unsigned t = (x[0] ^ x[c]) & p;
			if (x[c] & q) x[0] ^= p;
			else x[0] ^= t, x[c] ^= t;
		}
	}
#pragma unroll
	for (int c = 1; c < D; c++) x[c] ^= x[c - 1];
	unsigned t = 0;
	for (unsigned q = 1u << (bits - 1); q > 1; q >>= 1)
		if (x[D - 1] & q) t ^= q - 1;
	unsigned key = 0;
#pragma unroll
	for (int c = 0; c < D; c++) x[c] ^= t;
	for (int b = bits - 1; b >= 0; b--)
#pragma unroll
		for (int c = 0; c < D; c++) key = key << 1 | (x[c] >> b & 1);
	return key;
}

// keys are those of points in the box of look.
template <int D> __device__ void keys(int n, const typename Stored<D>::type *y, const double *look, unsigned *key, int *order) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	const int most = (1 << Bits<D>::value) - 1;
	float side = 0;
	for (int c = 0; c < D; c++) side = fmaxf(side, (float)look[statHigh + c] - (float)look[statLow + c]);
	float scale = side > 0 ? most / side : 0;
	Place<D> at = placeOf(y[i]);
	unsigned x[D];
	for (int c = 0; c < D; c++) x[c] = (unsigned)min(max((int)((at.c[c] - (float)look[statLow + c]) * scale), 0), most);
	key[i] = hilbert<D>(x);
	order[i] = i;
}
extern "C" __global__ void treeKeys2(int n, const float2 *y, const double *look, unsigned *key, int *order) { keys<2>(n, y, look, key, order); }
extern "C" __global__ void treeKeys3(int n, const float4 *y, const double *look, unsigned *key, int *order) { keys<3>(n, y, look, key, order); }

// ---- the tree

// Boxes are kept as low and high; low.w is the square of the longest side. A mean's w is how many points it is of.
template <int D> __device__ inline void finish(float4 &low, const float4 &high) {
	float s = fmaxf(high.x - low.x, high.y - low.y);
	if (D == 3) s = fmaxf(s, high.z - low.z);
	low.w = s * s;
}

// gather makes node j of a level from those of the level below.
template <int D> __device__ inline void gather(const Levels &at, int level, int j, float4 *mean, float4 *low, float4 *high) {
	int from = at.first[level - 1] + fan * j, end = min(from + fan, at.first[level - 1] + at.count[level - 1]);
	float4 m = {0, 0, 0, 0}, l = __ldcg(low + from), h = __ldcg(high + from);
	for (int k = from; k < end; k++) {
		float4 a = __ldcg(mean + k), b = __ldcg(low + k), c = __ldcg(high + k);
		m.x = fmaf(a.w, a.x, m.x), m.y = fmaf(a.w, a.y, m.y), m.z = fmaf(a.w, a.z, m.z), m.w += a.w;
		l.x = fminf(l.x, b.x), l.y = fminf(l.y, b.y), l.z = fminf(l.z, b.z);
		h.x = fmaxf(h.x, c.x), h.y = fmaxf(h.y, c.y), h.z = fmaxf(h.z, c.z);
	}
	m.x /= m.w, m.y /= m.w, m.z /= m.w;
	finish<D>(l, h);
	mean[at.first[level] + j] = m, low[at.first[level] + j] = l, high[at.first[level] + j] = h;
}

// build puts positions in order and makes all nodes: leaves by the half warp, two levels above them by the block of 256
// threads, the rest by the block that is the last to come so far.
template <int D>
__device__ void build(int n, const typename Stored<D>::type *y, const int *order, typename Stored<D>::type *sorted, float4 *mean, float4 *low, float4 *high,
	unsigned *ticket) {
	__shared__ bool last;
	__shared__ Levels at;
	if (threadIdx.x == 0) at.cover(n);
	__syncthreads();
	int k = blockIdx.x * 256 + threadIdx.x, leaves = at.count[0];
	bool there = k < n;
	typename Stored<D>::type stored = y[order[min(k, n - 1)]];
	if (there) sorted[k] = stored;
	Place<D> p = placeOf(stored);
	float sum[3] = {}, l[3] = {}, h[3] = {};
#pragma unroll
	for (int c = 0; c < D; c++) sum[c] = there ? p.c[c] : 0, l[c] = h[c] = p.c[c];
#pragma unroll
	for (int w = leaf / 2; w > 0; w /= 2)
#pragma unroll
		for (int c = 0; c < D; c++) {
			sum[c] += __shfl_xor_sync(0xffffffffu, sum[c], w);
			// a point that is not there has the place of the last one that is
			l[c] = fminf(l[c], __shfl_xor_sync(0xffffffffu, l[c], w));
			h[c] = fmaxf(h[c], __shfl_xor_sync(0xffffffffu, h[c], w));
		}
	int b = k / leaf;
	if (k % leaf == 0 && b < leaves) {
		float m = (float)min((int)leaf, n - b * leaf);
		float4 box = make_float4(l[0], l[1], l[2], 0), top = make_float4(h[0], h[1], h[2], 0);
		finish<D>(box, top);
		mean[b] = make_float4(sum[0] / m, sum[1] / m, sum[2] / m, m), low[b] = box, high[b] = top;
	}
	for (int level = 1, nodes = 256 / leaf / fan; level <= 2; level++, nodes /= fan) {
		__threadfence();
		__syncthreads();
		int j = blockIdx.x * nodes + threadIdx.x;
		if (level <= at.top && (int)threadIdx.x < nodes && j < at.count[level]) gather<D>(at, level, j, mean, low, high);
	}
	if (at.top < 3) return;
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0) last = atomicAdd(ticket, 1u) == gridDim.x - 1;
	__syncthreads();
	if (!last) return;
	for (int level = 3; level <= at.top; level++) {
		__threadfence();
		__syncthreads();
		for (int j = threadIdx.x; j < at.count[level]; j += 256) gather<D>(at, level, j, mean, low, high);
	}
	if (threadIdx.x == 0) *ticket = 0;
}
extern "C" __global__ void __launch_bounds__(256) treeBuild2(int n, const float2 *y, const int *order, float2 *sorted, float4 *mean, float4 *low, float4 *high,
	unsigned *ticket) {
	build<2>(n, y, order, sorted, mean, low, high, ticket);
}
extern "C" __global__ void __launch_bounds__(256) treeBuild3(int n, const float4 *y, const int *order, float4 *sorted, float4 *mean, float4 *low, float4 *high,
	unsigned *ticket) {
	build<3>(n, y, order, sorted, mean, low, high, ticket);
}

// ---- the walk

// A warp's list of what acts on its group, and its stack of nodes to be looked at. One step takes up to 32 nodes and
// puts up to four in place of each; where that might not fit it takes one, which adds three a level at most.
// A node on it is its level and, in the low bits, its place there; negative: none.
enum { warps = 4, listMost = 256, stackMost = 512, stackSlack = 3 * levels + 4, place = 27 };

template <int D> struct Sums {
	double f[2][D], phi[2];
};

template <int D> __device__ inline Place<D> placeIn(const float4 &v);
template <> __device__ inline Place<2> placeIn<2>(const float4 &v) { return {{v.x, v.y}}; }
template <> __device__ inline Place<3> placeIn<3>(const float4 &v) { return {{v.x, v.y, v.z}}; }

// act adds what the list does to the two points of a thread.
template <int D> __device__ inline void act(const float4 *list, int count, const Place<D> (&own)[2], Sums<D> &all) {
	float f[2][D] = {}, phi[2] = {};
#pragma unroll 2
	for (int k = 0; k < count; k++) {
		float4 q = list[k];
		Place<D> at = placeIn<D>(q);
#pragma unroll
		for (int i = 0; i < 2; i++) {
			float r[D], w = reciprocal(apart(own[i], at, r)), m = q.w * w;
			phi[i] += m;
			m *= w;
#pragma unroll
			for (int c = 0; c < D; c++) f[i][c] = fmaf(m, r[c], f[i][c]);
		}
	}
#pragma unroll
	for (int i = 0; i < 2; i++) {
		all.phi[i] += phi[i];
#pragma unroll
		for (int c = 0; c < D; c++) all.f[i][c] += f[i][c];
	}
}

struct Box {
	float4 low, high;
	__device__ void add(const float4 &l, const float4 &h) {
		low.x = fminf(low.x, l.x), low.y = fminf(low.y, l.y), low.z = fminf(low.z, l.z);
		high.x = fmaxf(high.x, h.x), high.y = fmaxf(high.y, h.y), high.z = fmaxf(high.z, h.z);
	}
	// apart is 1 and the square of how far a place is from it.
	template <int D> __device__ float apart(const float4 &m) const {
		float d = fmaxf(fmaxf(low.x - m.x, m.x - high.x), 0), all = fmaf(d, d, 1);
		d = fmaxf(fmaxf(low.y - m.y, m.y - high.y), 0), all = fmaf(d, d, all);
		if (D == 3) d = fmaxf(fmaxf(low.z - m.z, m.z - high.z), 0), all = fmaf(d, d, all);
		return all;
	}
};

// The curve goes from cluster to cluster, and a box around two of them says of every node in between that it is near.
// So a group has boxes for its parts: it is cut where the curve goes on much farther than it usually does.
enum { cuts = 7, farther = 8 };

__device__ inline float4 wide(float2 v) { return make_float4(v.x, v.y, 0, 0); }
__device__ inline float4 wide(float4 v) { return v; }

// boxesOf makes the boxes of the parts of a group of points, of which there are `count`, 64 at most, and says how many.
// All threads of a warp call it. whole is the box of all.
template <int D> __device__ inline int boxesOf(const typename Stored<D>::type *points, int count, const Box &whole, Box *boxes) {
	const unsigned full = 0xffffffffu;
	int lane = threadIdx.x % 32;
	float step[2], all = 0, r[D];
	for (int i = 0; i < 2; i++) {
		int k = 32 * i + lane;
		float d2 = 0;
		if (k + 1 < count) {
			Place<D> a = placeOf(points[k]), b = placeOf(points[k + 1]);
			for (int c = 0; c < D; c++) r[c] = a.c[c] - b.c[c], d2 = fmaf(r[c], r[c], d2);
		}
		step[i] = sqrtf(sqrtf(d2)); // roots of lengths: a few long ones are not to hide behind each other
		all += step[i];
	}
#pragma unroll
	for (int w = 16; w > 0; w /= 2) all += __shfl_xor_sync(full, all, w);
	unsigned long long cut;
	for (float limit = sqrtf(farther) * all / max(count - 1, 1);; limit *= 2) {
		cut = (unsigned long long)__ballot_sync(full, step[1] > limit) << 32 | __ballot_sync(full, step[0] > limit);
		if (__popcll(cut) <= cuts) break;
	}
	if (!cut) {
		if (lane == 0) boxes[0] = whole;
	} else if (lane <= __popcll(cut)) {
		unsigned long long left = cut;
		int from = 0;
		for (int q = 0; q < lane; q++, left &= left - 1) from = __ffsll(left);
		int end = left ? __ffsll(left) : count;
		Box b = {wide(points[from]), wide(points[from])};
		for (int k = from + 1; k < end; k++) b.add(wide(points[k]), wide(points[k]));
		boxes[lane] = b;
	}
	__syncwarp();
	return __popcll(cut) + 1;
}

// Blocks go on from one of that number. Without an order repulsion is left in that of the curve, and without a ticket the
// sums of blocks are left in partial: other cards have the rest, see treeTotal and treePlace.
template <int D>
__device__ void walk(int n, int first, float theta2, const typename Stored<D>::type *sorted, const int *order, const float4 *mean, const float4 *low, const float4 *high,
	typename Stored<D>::type *repulsion, double *partial, unsigned *ticket, double *z) {
	__shared__ float4 lists[warps][listMost];
	__shared__ int stacks[warps][stackMost];
	__shared__ Box boxes[warps][cuts + 1];
	__shared__ Levels at;
	if (threadIdx.x == 0) at.cover(n);
	__syncthreads();
	const unsigned full = 0xffffffffu;
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32, block = first + blockIdx.x, g = block * warps + warp;
	unsigned below = (1u << lane) - 1;
	double phi[1] = {0};
	if (g * (long long)group < n) {
		float4 *list = lists[warp];
		int *stack = stacks[warp];
		Place<D> own[2];
		for (int i = 0; i < 2; i++) own[i] = placeOf(sorted[min(g * group + 32 * i + lane, n - 1)]);
		Box whole = {low[g * members], high[g * members]};
		for (int b = g * members + 1; b < min((g + 1) * members, at.count[0]); b++) whole.add(low[b], high[b]);
		int parts = boxesOf<D>(sorted + (long long)g * group, min(group, n - g * group), whole, boxes[warp]);
		Sums<D> all = {};
		bool counted[2] = {true, true}; // a point is in a node that was taken as a whole, and is no part of its own Z
		int listed = 0, size = 1;
		if (lane == 0) stack[0] = at.top << place;
		__syncwarp();
		while (size > 0) {
			int take = size + 96 <= stackMost - stackSlack ? min(size, 32) : 1;
			int node = lane < take ? stack[size - 1 - lane] : -1;
			size -= take;
			__syncwarp();
			int level = node >> place, j = node & ((1 << place) - 1);
			bool taken = false, opened = false;
			float4 m = {0, 0, 0, 0};
			if (node >= 0) {
				m = mean[at.first[level] + j];
				float s2 = low[at.first[level] + j].w, d2 = boxes[warp][0].template apart<D>(m);
				for (int q = 1; q < parts; q++) d2 = fminf(d2, boxes[warp][q].template apart<D>(m));
				taken = s2 < theta2 * d2;
				opened = !taken;
			}
			unsigned takes = __ballot_sync(full, taken), opens = __ballot_sync(full, opened && level > 0),
							 bare = __ballot_sync(full, opened && level == 0);
			if (takes) {
				if (listed + 32 > listMost) {
					__syncwarp(); // the list is whole
					act<D>(list, listed, own, all);
					listed = 0;
				}
				__syncwarp();
				if (taken) list[listed + __popc(takes & below)] = m;
				listed += __popc(takes);
			}
			if (opened && level > 0) {
				int to = size + fan * __popc(opens & below);
				for (int k = 0; k < fan; k++) stack[to + k] = fan * j + k < at.count[level - 1] ? (level - 1) << place | (fan * j + k) : -1;
			}
			size += fan * __popc(opens);
			while (bare) { // two leaves at a time, 16 lanes each
				int b[2];
				for (int h = 0; h < 2; h++) {
					int from = __ffs(bare) - 1;
					b[h] = from < 0 ? -1 : __shfl_sync(full, j, from);
					bare &= bare - 1;
					if (b[h] >= 0 && b[h] / members == g) { // the group's own: each point but itself
						float f[2][D] = {}, near[2] = {};
						for (int k = b[h] * leaf; k < min((b[h] + 1) * leaf, n); k++) {
							Place<D> p = placeOf(sorted[k]);
							for (int i = 0; i < 2; i++) {
								float r[D], w = reciprocal(apart(own[i], p, r));
								if (k == g * group + 32 * i + lane) w = 0, counted[i] = false;
								near[i] += w;
								w *= w;
								for (int c = 0; c < D; c++) f[i][c] = fmaf(w, r[c], f[i][c]);
							}
						}
						for (int i = 0; i < 2; i++) {
							all.phi[i] += near[i];
							for (int c = 0; c < D; c++) all.f[i][c] += f[i][c];
						}
						b[h] = -1;
					}
				}
				if (listed + 32 > listMost) {
					__syncwarp(); // the list is whole
					act<D>(list, listed, own, all);
					listed = 0;
				}
				__syncwarp();
				int mine = lane / leaf ? b[1] : b[0], k = mine * leaf + lane % leaf;
				bool there = mine >= 0 && k < n;
				unsigned come = __ballot_sync(full, there);
				if (there) {
					Place<D> p = placeOf(sorted[k]);
					float4 q = {p.c[0], p.c[1], 0, 1};
					if (D == 3) q.z = p.c[D - 1];
					list[listed + __popc(come & below)] = q;
				}
				listed += __popc(come);
			}
			__syncwarp();
		}
		act<D>(list, listed, own, all);
		for (int i = 0; i < 2; i++) {
			int k = g * group + 32 * i + lane;
			if (k >= n) continue;
			Place<D> r;
			for (int c = 0; c < D; c++) r.c[c] = (float)all.f[i][c];
			put(repulsion + (order ? order[k] : k), r);
			phi[0] += all.phi[i] - (counted[i] ? 1 : 0);
		}
	}
	if (ticket) {
		reduce<1, 0, 0>(phi, partial, ticket, z);
		return;
	}
	reduceBlock<1, 0, 0>(phi);
	if (threadIdx.x == 0) partial[block] = phi[0];
}
extern "C" __global__ void __launch_bounds__(128) treeWalk2(int n, int first, float theta2, const float2 *sorted, const int *order, const float4 *mean, const float4 *low,
	const float4 *high, float2 *repulsion, double *partial, unsigned *ticket, double *z) {
	walk<2>(n, first, theta2, sorted, order, mean, low, high, repulsion, partial, ticket, z);
}
extern "C" __global__ void __launch_bounds__(128) treeWalk3(int n, int first, float theta2, const float4 *sorted, const int *order, const float4 *mean, const float4 *low,
	const float4 *high, float4 *repulsion, double *partial, unsigned *ticket, double *z) {
	walk<3>(n, first, theta2, sorted, order, mean, low, high, repulsion, partial, ticket, z);
}

// total is what the last block of a walk makes of the sums of all blocks: one block of 128 threads.
extern "C" __global__ void __launch_bounds__(128) treeTotal(int blocks, const double *partial, double *z) {
	double v[1] = {0};
	for (int b = threadIdx.x; b < blocks; b += blockDim.x) v[0] += partial[b];
	reduceBlock<1, 0, 0>(v);
	if (threadIdx.x == 0) *z = v[0];
}

// place puts what lies along the curve where its points are.
template <int D> __device__ void placeAlong(int n, const typename Stored<D>::type *along, const int *order, typename Stored<D>::type *to) {
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k < n) to[order[k]] = along[k];
}
extern "C" __global__ void treePlace2(int n, const float2 *along, const int *order, float2 *to) { placeAlong<2>(n, along, order, to); }
extern "C" __global__ void treePlace3(int n, const float4 *along, const int *order, float4 *to) { placeAlong<3>(n, along, order, to); }
