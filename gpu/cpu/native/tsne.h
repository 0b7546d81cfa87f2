// The kernels of t-SNE, see tsne_kernel.go for what they do and what the arrays are.
#ifndef BLOSSOM_TSNE_H
#define BLOSSOM_TSNE_H

#include <stddef.h>
#include <stdint.h>

enum { LEAF = 16, GROUP = 64, LEVELS = 32 };

typedef struct {
	int32_t n, dims, stride;
	const float *y;
	float *next, *v, *gain, *att, *rep;
	const float *loose; // 0 where held
	const int32_t *start, *column;
	const float *value;
	const int32_t *curve;
	const float *flat[3];
	int32_t levels, level[LEVELS];
	float *mean[3], *lo[3], *hi[3], *mass, *side2;
	const int32_t *bin;
} bl_map;

typedef struct {
	float e, mu, eta, over;
	int32_t bound;
	float lo[2], hi[2];
} bl_push;

typedef struct {
	float lo[3], hi[3];
	double v2, y2, y[3];
} bl_moved;

// A lattice of n x n nodes and what its convolution needs. Transforms are over 2n nodes, of which the upper half is
// zero: even frequencies are a transform over n, odd ones that of the values times half.
typedef struct {
	int32_t n, spline, lanes, stages, radix[16];
	int32_t even, odd; // groups of frequencies of an axis, lanes in each, of both kinds
	float x0, y0, over;
	float *value;    // n x n
	float *twiddle;  // by stages: m x (radix - 1) pairs of cos, -sin
	float *half;     // n pairs: exp(-i pi k / n)
	float *spectrum; // (even + odd) x (n + 1) x lanes, half of what Spectrum gives
	float *weight;   // (even + odd) x lanes: how often a frequency counts
	float *plane;    // (even + odd) x n x 2 x lanes
	float *scratch;  // of each worker
	size_t room;     // floats of one worker's
} bl_lattice;

bl_lattice *bl_lattice_new(int32_t n, int32_t spline, int32_t lanes, int32_t workers, const double *spectrum);
void bl_lattice_free(bl_lattice *l);

#define BL_TSNE(isa) \
	void bl_attract_##isa(const bl_map *m, int32_t from, int32_t to); \
	double bl_divergence_##isa(const bl_map *m, int32_t from, int32_t to); \
	void bl_move_##isa(const bl_map *m, const bl_push *p, int32_t from, int32_t to, bl_moved *out); \
	double bl_exact_##isa(const bl_map *m, int32_t from, int32_t to); \
	void bl_leaves_##isa(const bl_map *m, int32_t from, int32_t to); \
	double bl_walk_##isa(const bl_map *m, float theta2, int32_t group); \
	void bl_spread_##isa(const bl_map *m, const bl_lattice *l, int32_t from, int32_t to); \
	void bl_interpolate_##isa(const bl_map *m, const bl_lattice *l, int32_t from, int32_t to); \
	double bl_convolve_##isa(const bl_lattice *l, int32_t step, int32_t block, int32_t worker);

BL_TSNE(base)
#if defined(__x86_64__)
BL_TSNE(avx2)
BL_TSNE(avx512)
#endif

#undef BL_TSNE

// What Go calls; isa as in dispatch.h.
void bl_attract(int isa, const bl_map *m, int32_t from, int32_t to);
double bl_divergence(int isa, const bl_map *m, int32_t from, int32_t to);
void bl_move(int isa, const bl_map *m, const bl_push *p, int32_t from, int32_t to, bl_moved *out);
double bl_exact(int isa, const bl_map *m, int32_t from, int32_t to);
void bl_leaves(int isa, const bl_map *m, int32_t from, int32_t to);
double bl_walk(int isa, const bl_map *m, float theta2, int32_t group);
void bl_spread(int isa, const bl_map *m, const bl_lattice *l, int32_t from, int32_t to);
void bl_interpolate(int isa, const bl_map *m, const bl_lattice *l, int32_t from, int32_t to);
double bl_convolve(int isa, const bl_lattice *l, int32_t step, int32_t block, int32_t worker);

#endif
