// What the kernels of light.cu, light_dense.cu, light_near.cu and light_tree.cu share: arguments, ways through the tree, weights.
#pragma once
#include "edges.cuh"

using namespace pairs;

struct Tile {
	int a, b;
	float way;   // of the tree, between representatives
	float apart; // of the centres, squared
	unsigned long long rows; // of a, that may have a point of b within reach
};
struct Passed {
	int u, block;
	unsigned long long mask; // of the block's points
};

struct LightArgs {
	const float *x;
	const int *row;
	const double *norm, *core, *mean;
	double scale, inverse; // inverse: of the scale
	const float *packed, *half, *length, *centre, *centreHalf, *centreLength, *centreCols, *radius, *longest;
	int n, d, blocks, metric;
	const int *up; // of nodes: see light_tree.cu
	const double *w;
	float *s, *smax;
	const float *cores;
	int *rep, *nodes; // of blocks: the representative, and the nodes that are over it, a round after the other
	float *ways;      // and the most of the ways up to there
	int levels, full;
	const int *block, *from, *to; // of tasks
	int window;                   // places of each, from its first on
	Tile *tiles, *local, *denseTiles, *nearTiles;
	Passed *passed;
	Pair *kept;
	int passedRoom, keptRoom;
	unsigned long long *counts;
	double *scratch;
	int *about;
	int each;  // neighbours of a place
	int dense; // products on tensor cores: 0, or of HALVES or BYTES
	int steps; // of fragments, of 16 halves or 32 bytes
	uint2 *fragments;
	int *norms;      // of BYTES: squared lengths
	unsigned *ranges; // the least value and the most, ordered, and whether one is no integer
	uint2 *nears;     // fragments of halves around each block's own centre, or null
	float *nearScale; // of blocks: the power of two that those are multiplied with
	int nearSteps;
};

namespace {

enum { TILES, LOCALS, PASSED, KEPT, TESTED, RECHECKED, LIGHT, DENSE, NEARS }; // in counts
enum { EUCLIDEAN, COSINE, CITY };
enum { HALVES = 1, BYTES };
const float wider = 1 + 0x1p-21f; // makes a sum of float32 an upper bound
const float shortest = 0x1p-40f;  // the least length that is reckoned with

// way is the most that the tree's way goes between the representatives of two blocks.
__device__ inline float way(const LightArgs &l, int a, int b) {
	int k = l.levels - 1; // the least round in which they are together, from the last, in which all are
	for (; k > 0 && l.nodes[(size_t)(k - 1) * l.blocks + a] == l.nodes[(size_t)(k - 1) * l.blocks + b]; k--) {
	}
	return fmaxf(l.ways[(size_t)k * l.blocks + a], l.ways[(size_t)k * l.blocks + b]);
}

// apart is the most that the tree's way goes between two places.
__device__ inline double apart(const LightArgs &l, int i, int j) {
	double most = 0;
	while (i != j) {
		most = fmax(most, fmax(l.w[i], l.w[j]));
		i = l.up[i], j = l.up[j];
	}
	return most;
}

__device__ inline const float *values(const LightArgs &l, int place) { return l.x + (size_t)l.row[place] * l.d; }

// added is the sum of a weight after some more columns, settled the weight of the sum of all: see Metric.weight. They decide.
__device__ inline double added(const LightArgs &l, const float *x, const float *y, int d, double s) {
	if (l.metric == EUCLIDEAN)
		for (int c = 0; c < d; c++) {
			double t = __dadd_rn((double)x[c], -(double)y[c]);
			s = __dadd_rn(s, __dmul_rn(t, t));
		}
	else if (l.metric == COSINE)
		for (int c = 0; c < d; c++) s = __dadd_rn(s, __dmul_rn((double)x[c], (double)y[c]));
	else
		for (int c = 0; c < d; c++) s = __dadd_rn(s, fabs(__dadd_rn((double)x[c], -(double)y[c])));
	return s;
}
__device__ inline double settled(const LightArgs &l, int u, int v, double s) {
	if (l.metric == EUCLIDEAN) s = sqrt(s);
	else if (l.metric == COSINE) {
		s = __dadd_rn(1, -(s / __dmul_rn(l.norm[u], l.norm[v])));
		s = s > 0 ? s : 0;
	}
	if (l.core) {
		s = s < l.core[u] ? l.core[u] : s;
		s = s < l.core[v] ? l.core[v] : s;
	}
	return s;
}
__device__ inline double weight(const LightArgs &l, int u, int v) { return settled(l, u, v, added(l, values(l, u), values(l, v), l.d, 0)); }

__device__ inline float unitOf(const LightArgs &l) { return (float)(l.d + 6) * 0x1p-24f; }

// halfMargin is how far a product of halves may be off, by the sum of the lengths. Coordinates are rounded to 2^-11 of
// themselves, or 2^-25 where they are subnormal; products are exact, and each of d sums loses 2^-22 of the absolute ones
// at most. |u||v| is at most both^2 / 4. The rest is that of limits, in float32.
__device__ inline float halfMargin(const LightArgs &l, float both) {
	return (0x1.1p-12f + (float)(l.d + 16) * 0x1p-23f) * both * both + (float)(l.d + 1) * (0x1p-25f * both + 0x1p-49f);
}

// What products of halves around the centres of two blocks may be off: see light_near.cu.
__device__ inline float nearMargin(const LightArgs &l, int a, int b) {
	return (0x1.1p-10f + (float)(l.d + 16) * 0x1p-21f) * fmaxf(l.radius[a], shortest) * fmaxf(l.radius[b], shortest);
}
__device__ inline float nearUnit(const LightArgs &l) { return (float)(l.d + 8) * 0x1p-23f; }
const float nearSlack = 0x1.2p-24f; // of the lengths of two points: how far rounding to float32 moves them

// limit is what a score must exceed for a pair to be within t: see Layout.limit.
template <bool ABS> __device__ inline float limit(float h, float t, float margin) { return ABS ? -(t + margin) : h - t * t / 2 - margin; }

// pass lists what a mask of a row names of a block: not itself, pairs of one block once if one side looks.
__device__ inline void pass(const LightArgs &l, int a, int b, int row, unsigned long long bits) {
	if (b * side + side > l.n) bits &= (1ull << (l.n - b * side)) - 1;
	if (a == b) bits &= l.full ? ~(1ull << row) : row == side - 1 ? 0 : ~0ull << (row + 1);
	if (!bits) return;
	unsigned long long to = atomicAdd(&l.counts[PASSED], 1);
	if (to < l.passedRoom) l.passed[to] = {a * side + row, b, bits};
}

} // namespace
