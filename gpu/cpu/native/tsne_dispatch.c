//go:build !race

// The door between Go and the kernels of t-SNE.
#include "tsne.h"

enum { BASE, AVX2, AVX512 };

#if defined(__x86_64__)
#define CALL(f, ...) \
	switch (isa) { \
	case AVX512: return f##_avx512(__VA_ARGS__); \
	case AVX2: return f##_avx2(__VA_ARGS__); \
	default: return f##_base(__VA_ARGS__); \
	}
#else
#define CALL(f, ...) return (void)isa, f##_base(__VA_ARGS__);
#endif

void bl_attract(int isa, const bl_map *m, int32_t from, int32_t to) { CALL(bl_attract, m, from, to) }

double bl_divergence(int isa, const bl_map *m, int32_t from, int32_t to) { CALL(bl_divergence, m, from, to) }

void bl_move(int isa, const bl_map *m, const bl_push *p, int32_t from, int32_t to, bl_moved *out) {
	CALL(bl_move, m, p, from, to, out)
}

double bl_exact(int isa, const bl_map *m, int32_t from, int32_t to) { CALL(bl_exact, m, from, to) }

void bl_leaves(int isa, const bl_map *m, int32_t from, int32_t to) { CALL(bl_leaves, m, from, to) }

double bl_walk(int isa, const bl_map *m, float theta2, int32_t group) { CALL(bl_walk, m, theta2, group) }

void bl_spread(int isa, const bl_map *m, const bl_lattice *l, int32_t from, int32_t to) {
	CALL(bl_spread, m, l, from, to)
}

void bl_interpolate(int isa, const bl_map *m, const bl_lattice *l, int32_t from, int32_t to) {
	CALL(bl_interpolate, m, l, from, to)
}

double bl_convolve(int isa, const bl_lattice *l, int32_t step, int32_t block, int32_t worker) {
	CALL(bl_convolve, l, step, block, worker)
}
