//go:build !race

// The door between Go and the kernels of light.h, as dispatch.c.
#include "light.h"

enum { BASE, AVX2, AVX512, SCALAR };

#if defined(__x86_64__)
#define CALL(f, ...) \
	switch (isa) { \
	case AVX512: return f##_avx512(__VA_ARGS__); \
	case AVX2: return f##_avx2(__VA_ARGS__); \
	default: return f##_base(__VA_ARGS__); \
	}
#else
#define CALL(f, ...) \
	(void)isa; \
	return f##_base(__VA_ARGS__);
#endif

int32_t bl_look(int isa, const bl_layout *l, const bl_bounds *b, const float *ways, int32_t a, int32_t from, int32_t to,
	int32_t *count, bl_counts *n, bl_sight *s) {
	CALL(bl_look, l, b, ways, a, from, to, count, n, s)
}

int32_t bl_blocks(int isa, const bl_layout *l, int32_t a, int32_t k, int32_t *ids, bl_sight *s) {
	CALL(bl_blocks, l, a, k, ids, s)
}

void bl_near(int isa, const bl_layout *l, int32_t a, uint64_t active, const int32_t *blocks, int32_t many,
	const int32_t *label, int32_t k, int32_t *ids, float *scores, bl_sight *s) {
	CALL(bl_near, l, a, active, blocks, many, label, k, ids, scores, s)
}

int bl_has_lattice(int isa) {
#if defined(__SSE2__)
	return isa != SCALAR;
#else
	(void)isa;
	return 0;
#endif
}
