// The kernel of UMAP: what a sub-step does to a range of points. See model/maps/umap/device.go for what that is.
#ifndef BLOSSOM_UMAP_H
#define BLOSSOM_UMAP_H

#include <stdint.h>

// A map of n points; stride is 2 in 2D and 4 in 3D, where the last number of a point is 0. Rates have WIDEST more.
typedef struct {
	int32_t n, dims;
	const float *y;
	float *next;
	const float *loose; // n: how much steps of a point count; 0 where held
	const int64_t *start;
	const int32_t *column;
	const uint32_t *rate;
} bl_graph;

typedef struct {
	float a, b, alpha; // of the kernel: log2 a, b
	uint32_t epoch, part, parts, negatives, one, two;
} bl_epoch;

enum { WIDEST = 16, ACTING = 32, DRAWN = 30 }; // edges that act at a time, points drawn for each at most

#define BL_UMAP(isa) void bl_pull_##isa(const bl_graph *g, const bl_epoch *p, int32_t from, int32_t to);

BL_UMAP(base)
#if defined(__x86_64__)
BL_UMAP(avx2)
BL_UMAP(avx512)
#endif

#undef BL_UMAP

// What Go calls; isa as in dispatch.h. It writes next of [from, to).
void bl_pull(int isa, const bl_graph *g, const bl_epoch *p, int32_t from, int32_t to);
// bl_apart is how point i is pushed from a point j on its spot.
void bl_apart(int32_t i, int32_t j, int dims, float *push);

#endif
