// Repulsion of t-SNE as B. H. Meyer, A. T. R. Pozo, W. M. Nunan Zola, "Improving Barnes-Hut t-SNE Scalability in GPU with
// Efficient Memory Access Strategies" (2020) do it, as a yardstick: a quad- or octree with one point a leaf, as one
// array in preorder whose internal nodes hold the index after their subtree, walked by simulated wide warps.
//
// The tree is that of inserting points one by one, which hangs in ways known since; here it is read off sorted Morton
// codes. In order k, let d_k be how many levels of cells point k shares with the point before. The nodes whose first
// point is k are then those of levels d_k + 1 .. d_{k+1}, and its leaf: their places in preorder are sums over the points
// before. Points with one code share a leaf. Sums of coordinates are of integers, 2^-36 of the box.
#include "tsne.cuh"

template <int D> struct Cells {
	enum { levels = D == 2 ? 32 : 21 };
	double low[D], side; // the root's cell
	__device__ Cells(const double *look) {
		side = 0;
		for (int c = 0; c < D; c++) side = fmax(side, look[statHigh + c] - look[statLow + c]);
		side += 2e-5;
		for (int c = 0; c < D; c++) low[c] = (look[statLow + c] + look[statHigh + c] - side) / 2;
	}
	// at is a coordinate in 2^-bits of the side.
	__device__ unsigned long long at(float v, int c, int bits) const {
		double q = (v - low[c]) / side * (double)(1ULL << bits);
		return (unsigned long long)fmin(fmax(q, 0.0), (double)((1ULL << bits) - 1));
	}
};

template <int D> __device__ void keys(int n, const typename Stored<D>::type *y, const double *look, unsigned long long *key, int *order) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	const int levels = Cells<D>::levels;
	Cells<D> cells(look);
	Place<D> p = placeOf(y[i]);
	unsigned long long x[D], k = 0;
	for (int c = 0; c < D; c++) x[c] = cells.at(p.c[c], c, levels);
	for (int b = levels - 1; b >= 0; b--)
		for (int c = 0; c < D; c++) k = k << 1 | (x[c] >> b & 1);
	key[i] = k, order[i] = i;
}
extern "C" __global__ void swwKeys2(int n, const float2 *y, const double *look, unsigned long long *key, int *order) { keys<2>(n, y, look, key, order); }
extern "C" __global__ void swwKeys3(int n, const float4 *y, const double *look, unsigned long long *key, int *order) { keys<3>(n, y, look, key, order); }

// shared is how many levels of cells points k - 1 and k have in common, of n sorted ones; -1 at both ends.
template <int D> __device__ inline int shared(int n, const unsigned long long *key, int k) {
	const int levels = Cells<D>::levels;
	if (k == 0 || k == n) return -1;
	unsigned long long x = key[k - 1] ^ key[k];
	return x ? (__clzll((long long)x) - (64 - levels * D)) / D : levels;
}

// until is the first point from k on, or n, that is not in the cell of k at a level.
template <int D> __device__ inline int until(int n, const unsigned long long *key, int k, int level) {
	int shift = (Cells<D>::levels - level) * D, low = k + 1, high = n;
	if (shift >= 64) return n;
	unsigned long long cell = key[k] >> shift;
	for (int step = 1; low < high && low + step < n && key[low + step] >> shift == cell; step *= 2) low += step; // near, as a rule
	while (low < high) {
		int mid = low + (high - low) / 2;
		if (key[mid] >> shift == cell) low = mid + 1;
		else high = mid;
	}
	return low;
}

// tree writes what is summed, (1 + D) x (n + 1): how many nodes begin with a point, and its coordinates.
template <int D>
__device__ void tree(int n, const typename Stored<D>::type *y, const int *order, const unsigned long long *key, const double *look,
	typename Stored<D>::type *sorted, long long *parts) {
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	long long row = (long long)n + 1;
	if (k > n) return;
	if (k == n) {
		for (int c = 0; c <= D; c++) parts[c * row + n] = 0;
		return;
	}
	Cells<D> cells(look);
	typename Stored<D>::type own = y[order[k]];
	sorted[k] = own;
	Place<D> p = placeOf(own);
	int before = shared<D>(n, key, k), count = 0;
	if (before < Cells<D>::levels) count = 1 + max(0, shared<D>(n, key, until<D>(n, key, k, Cells<D>::levels)) - before);
	parts[k] = count;
	for (int c = 0; c < D; c++) parts[(c + 1) * row + k] = (long long)cells.at(p.c[c], c, 36);
}
extern "C" __global__ void swwTree2(int n, const float2 *y, const int *order, const unsigned long long *key, const double *look, float2 *sorted, long long *parts) {
	tree<2>(n, y, order, key, look, sorted, parts);
}
extern "C" __global__ void swwTree3(int n, const float4 *y, const int *order, const unsigned long long *key, const double *look, float4 *sorted, long long *parts) {
	tree<3>(n, y, order, key, look, sorted, parts);
}

// ---- sums

enum { scanTile = 2048, scanThreads = 256, scanEach = scanTile / scanThreads };

__device__ inline long long upTo(long long v) { // of a block of 256
	__shared__ long long sums[scanThreads / 32];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	for (int w = 1; w < 32; w *= 2) {
		long long u = __shfl_up_sync(0xffffffffu, v, w);
		if (lane >= w) v += u;
	}
	__syncthreads();
	if (lane == 31) sums[warp] = v;
	__syncthreads();
	for (int w = 0; w < warp; w++) v += sums[w];
	return v;
}

// swwSums makes of each value of a tile (a block; y: which array, of n) the sum of those before it there.
extern "C" __global__ void __launch_bounds__(256) swwSums(long long n, long long *values, long long *totals) {
	long long *mine = values + blockIdx.y * n, base = (long long)blockIdx.x * scanTile + threadIdx.x * scanEach, own[scanEach], sum = 0;
	for (int k = 0; k < scanEach; k++) own[k] = base + k < n ? mine[base + k] : 0, sum += own[k];
	long long all = upTo(sum), at = all - sum;
	for (int k = 0; k < scanEach; k++) {
		if (base + k < n) mine[base + k] = at;
		at += own[k];
	}
	if (threadIdx.x == scanThreads - 1) totals[(long long)blockIdx.y * gridDim.x + blockIdx.x] = all;
}

// swwTotals does the same with the totals of tiles, an array a block.
extern "C" __global__ void __launch_bounds__(256) swwTotals(int tiles, long long *totals) {
	__shared__ long long carry;
	long long *mine = totals + (long long)blockIdx.x * tiles, before = 0;
	for (int from = 0; from < tiles; from += scanThreads) {
		int t = from + threadIdx.x;
		long long own = t < tiles ? mine[t] : 0, all = upTo(own);
		if (t < tiles) mine[t] = before + all - own;
		if (threadIdx.x == scanThreads - 1) carry = all;
		__syncthreads();
		before += carry;
		__syncthreads();
	}
}

// Summed are the two together.
struct Summed {
	long long n;
	int tiles;
	const long long *values, *totals;
	__device__ long long operator()(int array, int k) const { return values[array * n + k] + totals[(long long)array * tiles + k / scanTile]; }
};

// ---- conversion

// A node is x, y, z and mass; its link is the bits of (side/theta)^2, negative for a leaf, and the node after its subtree.
template <int D>
__device__ void convert(int n, const unsigned long long *key, Summed sums, const double *look, float theta, const typename Stored<D>::type *sorted, float4 *nodes,
	int2 *links) {
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k >= n) return;
	const int levels = Cells<D>::levels;
	int before = shared<D>(n, key, k);
	if (before == levels) return; // it shares a leaf
	int next = until<D>(n, key, k, levels), deepest = shared<D>(n, key, next), at = (int)sums(0, k);
	Cells<D> cells(look);
	double scale = cells.side * 0x1p-36;
	for (int level = before + 1; level <= deepest; level++, at++) {
		int end = until<D>(n, key, k, level);
		double c[3] = {};
		for (int i = 0; i < D; i++) c[i] = cells.low[i] + (double)(sums(i + 1, end) - sums(i + 1, k)) / (end - k) * scale;
		double open = cells.side / theta * (1 / (double)(1ULL << level));
		nodes[at] = make_float4((float)c[0], (float)c[1], (float)c[2], (float)(end - k));
		links[at] = {__float_as_int((float)fmin(open * open, 3e38)), (int)sums(0, end)};
	}
	Place<D> p = placeOf(sorted[k]);
	nodes[at] = make_float4(p.c[0], p.c[1], D == 3 ? p.c[D - 1] : 0, (float)(next - k));
	links[at] = {__float_as_int(-1), at + 1};
}
#define CONVERT(D, T)                                                                                                                     \
	extern "C" __global__ void swwConvert##D(int n, const unsigned long long *key, int tiles, const long long *values, const long long *totals, \
		const double *look, float theta, const T *sorted, float4 *nodes, int2 *links) {                                                         \
		convert<D>(n, key, {(long long)n + 1, tiles, values, totals}, look, theta, sorted, nodes, links);                                       \
	}
CONVERT(2, float2)
CONVERT(3, float4)

// ---- the walk

const float soft = 0.0025f; // added to squared distances

template <int D, int W>
__device__ void walk(int n, const float4 *nodes, const int2 *links, Summed sums, const typename Stored<D>::type *sorted, const int *order,
	typename Stored<D>::type *repulsion, double *partial, unsigned *ticket, double *z) {
	int thread = blockIdx.x * blockDim.x + threadIdx.x, first = thread / 32 * 32 * W + thread % 32, end = (int)sums(0, n);
	Place<D> own[W];
	float f[W][D] = {}, phi[W] = {};
#pragma unroll
	for (int i = 0; i < W; i++) own[i] = placeOf(sorted[min(first + 32 * i, n - 1)]);
	for (int at = 0; at < end;) {
		float4 q = nodes[at];
		int2 link = links[at];
		float open = __int_as_float(link.x), r[W][D], d2[W];
		Place<D> p;
		p.c[0] = q.x, p.c[1] = q.y;
		if (D == 3) p.c[D - 1] = q.z;
		bool far = true;
#pragma unroll
		for (int i = 0; i < W; i++) {
			d2[i] = soft;
#pragma unroll
			for (int c = 0; c < D; c++) r[i][c] = own[i].c[c] - p.c[c], d2[i] = fmaf(r[i][c], r[i][c], d2[i]);
			far = far && d2[i] >= open + soft;
		}
		if (open < 0 || __all_sync(0xffffffffu, far)) {
#pragma unroll
			for (int i = 0; i < W; i++) {
				float w = reciprocal(1 + d2[i]), m = q.w * w;
				phi[i] += m;
				m *= w;
#pragma unroll
				for (int c = 0; c < D; c++) f[i][c] = fmaf(m, r[i][c], f[i][c]);
			}
			at = link.y;
		} else {
			at++;
		}
	}
	double sum[1] = {0};
#pragma unroll
	for (int i = 0; i < W; i++) {
		int k = first + 32 * i;
		if (k >= n) continue;
		Place<D> all;
		for (int c = 0; c < D; c++) all.c[c] = f[i][c];
		put(repulsion + order[k], all);
		sum[0] += (double)phi[i] - 1 / (1 + soft);
	}
	reduce<1, 0, 0>(sum, partial, ticket, z);
}
#define WALK(D, W, T)                                                                                                                     \
	extern "C" __global__ void __launch_bounds__(256) swwWalk##D##_##W(int n, const float4 *nodes, const int2 *links, int tiles,             \
		const long long *values, const long long *totals, const T *sorted, const int *order, T *repulsion, double *partial, unsigned *ticket, \
		double *z) {                                                                                                                          \
		walk<D, W>(n, nodes, links, {(long long)n + 1, tiles, values, totals}, sorted, order, repulsion, partial, ticket, z);                 \
	}
WALK(2, 1, float2)
WALK(2, 2, float2)
WALK(2, 3, float2)
WALK(2, 4, float2)
WALK(3, 1, float4)
WALK(3, 2, float4)
WALK(3, 3, float4)
WALK(3, 4, float4)

// ---- attraction

// swwRows notes the row of each affinity.
extern "C" __global__ void swwRows(int n, const long long *start, int *row) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		for (long long e = start[i]; e < start[i + 1]; e++) row[e] = i;
}

// attract: a thread an affinity, sums in units of 2^-62: |A_i| is 1/2 at most.
template <int D>
__device__ void attract(long long edges, const int *row, const int *column, const float *value, const typename Stored<D>::type *y, unsigned long long *sums) {
	long long step = (long long)gridDim.x * blockDim.x;
	for (long long e = (long long)blockIdx.x * blockDim.x + threadIdx.x; e < edges; e += step) {
		int i = row[e];
		float r[D], w = value[e] * reciprocal(apart(placeOf(y[i]), placeOf(y[column[e]]), r));
		for (int c = 0; c < D; c++) atomicAdd(sums + (long long)i * D + c, (unsigned long long)__float2ll_rn(w * r[c] * 0x1p62f));
	}
}
extern "C" __global__ void swwAttract2(long long edges, const int *row, const int *column, const float *value, const float2 *y, unsigned long long *sums) {
	attract<2>(edges, row, column, value, y, sums);
}
extern "C" __global__ void swwAttract3(long long edges, const int *row, const int *column, const float *value, const float4 *y, unsigned long long *sums) {
	attract<3>(edges, row, column, value, y, sums);
}
