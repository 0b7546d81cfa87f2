// A minimum spanning forest of a list of edges, as the published system makes it: every part is joined by its lightest
// edge, and the labels of parts spread (O. Boruvka, 1926). Of equal weights the noise decides, then the place in the list:
// so no two are equal, and the joined parts have no cycle but of two that took the same edge.
#include "edges.cuh"

struct ForestArgs {
	const Pair *edges;
	int n;                     // places
	long long count;           // of the list
	unsigned long long seed;
	int *label, *up;           // of a place the part; of a part what it was joined to, or itself
	unsigned long long *best;  // of each part: the weight, the noise and the place in the list of its edge: 3 n
	const int *list;           // edges that may join parts still; null: all
	int *next;
	int *found;
	unsigned long long *counts; // of next, and of found
};

namespace {

__device__ inline unsigned long long noise(const ForestArgs &f, const Pair &e) {
	unsigned long long h = f.seed ^ (unsigned long long)e.u << 32 ^ (unsigned long long)e.v;
	for (int i = 0; i < 2; i++) h = (h ^ h >> 31) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 29;
}

} // namespace

// forestStart: every place is a part.
extern "C" __global__ void forestStart(BY_VALUE ForestArgs f) {
	long long i = thread();
	if (i < f.n) f.label[i] = f.up[i] = (int)i;
}

// forestWeight finds the least weight of each part, and which edges join parts at all.
extern "C" __global__ void __launch_bounds__(256) forestWeight(BY_VALUE ForestArgs f) {
	long long i = thread();
	int k = i < f.count ? f.list ? f.list[i] : (int)i : -1;
	bool open = false;
	if (k >= 0) {
		Pair e = f.edges[k];
		int a = f.label[e.u], b = f.label[e.v];
		if (open = a != b) lower(f.best + a, bits(e.w)), lower(f.best + b, bits(e.w));
	}
	unsigned long long to = place(open, &f.counts[0]);
	if (open) f.next[to] = k;
}

// forestNoise and forestPlace find the least noise among the lightest, and the first of those.
extern "C" __global__ void forestNoise(BY_VALUE ForestArgs f) {
	long long i = thread();
	if (i >= f.count) return;
	Pair e = f.edges[f.list[i]];
	unsigned long long w = bits(e.w), v = noise(f, e);
	for (int part : {f.label[e.u], f.label[e.v]})
		if (f.best[part] == w) lower(f.best + f.n + part, v);
}
extern "C" __global__ void forestPlace(BY_VALUE ForestArgs f) {
	long long i = thread();
	if (i >= f.count) return;
	Pair e = f.edges[f.list[i]];
	unsigned long long w = bits(e.w), v = noise(f, e);
	for (int part : {f.label[e.u], f.label[e.v]})
		if (f.best[part] == w && f.best[f.n + part] == v) lower(f.best + 2LL * f.n + part, f.list[i]);
}

// forestJoin joins parts by their edges; of two with the same edge the first stays what it is.
extern "C" __global__ void forestJoin(BY_VALUE ForestArgs f) {
	long long i = thread();
	if (i >= f.n || f.label[i] != i) return;
	unsigned long long k = f.best[2LL * f.n + i];
	if (k == ~0ull) return;
	Pair e = f.edges[k];
	int a = f.label[e.u], b = f.label[e.v], other = a == i ? b : a;
	if (f.best[2LL * f.n + other] == k && i < other) return;
	f.up[i] = other;
	f.found[atomicAdd(&f.counts[1], 1)] = (int)k;
}

// forestSpread gives each place the label of what its part has come into.
extern "C" __global__ void forestSpread(BY_VALUE ForestArgs f) {
	long long i = thread();
	if (i >= f.n) return;
	int part = f.label[i];
	while (f.up[part] != part) part = f.up[part];
	f.label[i] = part;
}
