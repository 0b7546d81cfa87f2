//go:build !race

// The door between Go and the kernel of UMAP.
#include "umap.h"
#include <math.h>

enum { BASE, AVX2, AVX512 };

void bl_pull(int isa, const bl_graph *g, const bl_epoch *p, int32_t from, int32_t to) {
#if defined(__x86_64__)
	if (isa == AVX512) {
		bl_pull_avx512(g, p, from, to);
		return;
	}
	if (isa == AVX2) {
		bl_pull_avx2(g, p, from, to);
		return;
	}
#endif
	(void)isa;
	bl_pull_base(g, p, from, to);
}

// Seldom: points on one spot. As Apart in Go.
void bl_apart(int32_t i, int32_t j, int dims, float *push) {
	uint32_t lo = (uint32_t)(i < j ? i : j), hi = (uint32_t)(i < j ? j : i), h = lo ^ 0x9e3779b9u;
	h ^= h >> 16, h *= 0x7feb352du, h ^= hi, h ^= h >> 15, h *= 0x846ca68bu, h ^= h >> 16;
	double square = 0, v[3];
	for (int c = 0; c < dims; c++) {
		v[c] = (double)(h >> (10 * c) & 1023) - 511.5;
		square += v[c] * v[c];
	}
	double f = (i < j ? 4 : -4) / sqrt(square);
	for (int c = 0; c < dims; c++) push[c] = (float)(f * v[c]);
}
