// A minimum spanning tree of a list of edges for single linkage, and what says how far the way through it goes at most:
// every part is joined by its lightest edge, round after round (O. Boruvka, 1926). The parts of all rounds are nodes, a
// place being one of the first, and a node is linked to the part that it came into with the weight of its edge: the most
// of the links up to where two places are together is the most on the tree's way between them (V. King, "A Simpler Minimum
// Spanning Tree Verification Algorithm", 1997). All places are as many links below the root, log2 n at most.
//
// Of equal weights the edge whose points come first is the lighter, so that which tree it is depends on the edges alone.
#include "light.cuh"

struct TreeArgs {
	const Pair *edges;
	long long count;          // of the list
	const int *list;          // edges that may join parts still; null: all
	int *next;
	int n, parts, first;      // first: number of the first node of the next round
	int *label;               // of each place, the part that it is in
	unsigned long long *best; // of each part: the weight of its edge, and then the points of that
	int *chosen, *join, *fresh;
	int *up;                  // of the nodes of this round
	double *w;
	Pair *found;
	unsigned long long *counts; // of next, found, and roots
};

namespace {

enum { NEXT, FOUND, ROOTS };

__device__ inline unsigned long long points(const Pair &e) { return (unsigned long long)(unsigned)min(e.u, e.v) << 32 | (unsigned)max(e.u, e.v); }

} // namespace

// treeStart: every place is a part.
extern "C" __global__ void __launch_bounds__(256) treeStart(BY_VALUE TreeArgs t) {
	long long i = thread();
	if (i < t.n) t.label[i] = (int)i;
}

// treeWeight finds the least weight of each part, and which edges join parts at all.
extern "C" __global__ void __launch_bounds__(256) treeWeight(BY_VALUE TreeArgs t) {
	long long i = thread();
	int k = i < t.count ? t.list ? t.list[i] : (int)i : -1;
	bool open = false;
	if (k >= 0) {
		Pair e = t.edges[k];
		int a = t.label[e.u], b = t.label[e.v];
		if (open = a != b) lower(t.best + a, bits(e.w)), lower(t.best + b, bits(e.w));
	}
	unsigned long long to = place(open, &t.counts[NEXT]);
	if (open) t.next[to] = k;
}

// treePoints and treeChoose find the first of the lightest edges: any that is it, where it is there twice.
extern "C" __global__ void __launch_bounds__(256) treePoints(BY_VALUE TreeArgs t) {
	long long i = thread();
	if (i >= t.count) return;
	Pair e = t.edges[t.list[i]];
	unsigned long long w = bits(e.w), p = points(e);
	for (int part : {t.label[e.u], t.label[e.v]})
		if (t.best[part] == w) lower(t.best + t.parts + part, p);
}
extern "C" __global__ void __launch_bounds__(256) treeChoose(BY_VALUE TreeArgs t) {
	long long i = thread();
	if (i >= t.count) return;
	Pair e = t.edges[t.list[i]];
	unsigned long long w = bits(e.w), p = points(e);
	for (int part : {t.label[e.u], t.label[e.v]})
		if (t.best[part] == w && t.best[t.parts + part] == p) t.chosen[part] = t.list[i];
}

// treeJoin joins parts by their edges; of two with the same edge the first is the root of the new part, and has a number.
extern "C" __global__ void __launch_bounds__(256) treeJoin(BY_VALUE TreeArgs t) {
	long long i = thread();
	bool there = i < t.parts && t.best[i] != ~0ull, root = false;
	Pair e = {0, 0, 0};
	if (there) {
		e = t.edges[t.chosen[i]];
		int a = t.label[e.u], b = t.label[e.v], other = a == i ? b : a;
		root = i < other && t.best[other] == t.best[i] && t.best[t.parts + other] == t.best[t.parts + i];
		t.join[i] = root ? (int)i : other;
		t.w[i] = e.w;
	}
	unsigned long long to = place(there && !root, &t.counts[FOUND]);
	if (there && !root) t.found[to] = e;
	to = place(root, &t.counts[ROOTS]);
	if (root) t.fresh[i] = (int)to;
}

// treeLink links each part to the one that it came into. Ways to roots get shorter while others walk them.
extern "C" __global__ void __launch_bounds__(256) treeLink(BY_VALUE TreeArgs t) {
	long long i = thread();
	if (i >= t.parts) return;
	volatile int *join = t.join;
	int at = (int)i, over = join[at];
	while (over != at) {
		int next = join[over];
		if (next != over) join[at] = next;
		at = over, over = next;
	}
	t.up[i] = t.first + t.fresh[at];
}

// treeSpread gives each place the part that its own has come into.
extern "C" __global__ void __launch_bounds__(256) treeSpread(BY_VALUE TreeArgs t) {
	long long i = thread();
	if (i < t.n) t.label[i] = t.up[t.label[i]] - t.first;
}

// The bounds of a tree, in the filter's space.

namespace {

// reach is the distance in the filter's space within which all points lighter than t lie: see Layout.reach.
__device__ inline float reachOf(const LightArgs &l, double t) {
	const double eps = 0x1p-52;
	if (l.metric == COSINE) t = sqrt(2 * t + (l.d + 8) * 4 * eps);
	else t *= 1 + (l.d + 8) * eps;
	t *= l.scale * (1 + 0x1p-29);
	return t < 0x1p126 ? up(t) : 0x1p126f;
}

} // namespace

// lightCentral finds the place of a block whose ways through the tree to the others of it add up to the least.
extern "C" __global__ void __launch_bounds__(64) lightCentral(BY_VALUE LightArgs l) {
	__shared__ double sums[side];
	int base = blockIdx.x * side, many = min(side, l.n - base), i = threadIdx.x;
	double sum = 0;
	for (int j = 0; j < many && i < many; j++) sum += apart(l, base + i, base + j);
	sums[i] = i < many ? sum : INFINITY;
	__syncthreads();
	if (i > 0) return;
	int best = 0;
	for (int j = 1; j < many; j++)
		if (sums[j] < sums[best]) best = j;
	l.rep[blockIdx.x] = base + best;
}

// lightBounds: how far the way goes from each place to its block's representative, and from that up, round by round.
extern "C" __global__ void __launch_bounds__(64) lightBounds(BY_VALUE LightArgs l) {
	__shared__ unsigned most;
	int b = blockIdx.x, i = b * side + threadIdx.x, rep = l.rep[b];
	if (threadIdx.x == 0) most = 0;
	__syncthreads();
	float s = i < l.n ? reachOf(l, apart(l, i, rep)) : 0;
	l.s[i] = s;
	atomicMax(&most, __float_as_uint(s)); // which are in the order of what they stand for
	__syncthreads();
	if (threadIdx.x > 0) return;
	l.smax[b] = __uint_as_float(most);
	double way = 0;
	for (int k = 0, at = rep; k < l.levels; k++) {
		l.nodes[(size_t)k * l.blocks + b] = at;
		l.ways[(size_t)k * l.blocks + b] = k ? reachOf(l, way) : 0;
		if (k + 1 < l.levels) way = fmax(way, l.w[at]), at = l.up[at];
	}
}

// lightJoined makes edges of the neighbours of rows of blocks: window rows from the block's first, about of each.
extern "C" __global__ void __launch_bounds__(256) lightJoined(BY_VALUE LightArgs l) {
	long long i = thread();
	if (i >= l.window) return;
	int row = (int)(i / l.each), u = l.block[row / side] * side + row % side, v = u < l.n ? l.about[i] : -1;
	l.kept[i] = v < 0 ? Pair{0, 0, 0} : Pair{min(u, v), max(u, v), weight(l, u, v)};
}

// lightChain makes edges of places that follow each other.
extern "C" __global__ void __launch_bounds__(256) lightChain(BY_VALUE LightArgs l) {
	long long i = thread();
	if (i + 1 < l.n) l.kept[i] = {(int)i, (int)i + 1, weight(l, (int)i, (int)i + 1)};
}
