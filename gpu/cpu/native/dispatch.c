//go:build !race

// The one door between Go and the kernels: calls by instruction set number.
#include "dispatch.h"

enum { BASE, AVX2, AVX512, SCALAR };

int bl_has(int isa) {
	if (isa == BASE || isa == SCALAR) return 1;
#if defined(__x86_64__)
	__builtin_cpu_init();
	int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
		__builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
	if (isa == AVX2) return avx2;
	if (isa == AVX512)
		return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
			__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#endif
	return 0;
}

int bl_lanes(int isa) { return isa == AVX512 ? 16 : isa == AVX2 ? 8 : 4; }
int bl_panel(int isa) { return isa == AVX512 ? 64 : isa == AVX2 ? 16 : 8; }

#if defined(__x86_64__)
#define CALL(f, ...) \
	switch (isa) { \
	case AVX512: return f##_avx512(__VA_ARGS__); \
	case AVX2: return f##_avx2(__VA_ARGS__); \
	case SCALAR: return f##_scalar(__VA_ARGS__); \
	default: return f##_base(__VA_ARGS__); \
	}
#define CALL_VECTORS(f, ...) \
	switch (isa) { \
	case AVX512: return f##_avx512(__VA_ARGS__); \
	case AVX2: return f##_avx2(__VA_ARGS__); \
	default: return f##_base(__VA_ARGS__); \
	}
#else
#define CALL_VECTORS(f, ...) return f##_base(__VA_ARGS__);
#define CALL(f, ...) \
	if (isa == SCALAR) return f##_scalar(__VA_ARGS__); \
	return f##_base(__VA_ARGS__);
#endif

void bl_pairs(int isa, bl_plan *p, int32_t from, int32_t to) { CALL(bl_pairs, p, from, to) }

void bl_lines(int isa, bl_plan *p, float adjust, int32_t from, int32_t to) { CALL(bl_lines, p, adjust, from, to) }

void bl_neighbours(int isa, const bl_plan *p, const float *x, int64_t from, int64_t to, int32_t find,
	uint16_t *ids, float *delta, float *near, void *scratch) {
	CALL(bl_neighbours, p, x, from, to, find, ids, delta, near, scratch)
}

void bl_winners(int isa, const bl_plan *p, const float *code, const float *x, int64_t from, int64_t to, int32_t *out,
	void *scratch) {
	CALL(bl_winners, p, code, x, from, to, out, scratch)
}

int64_t bl_project(int isa, const bl_plan *p, const float *x, int64_t from, int64_t to, int32_t k, int32_t find,
	float boost, const uint16_t *ids, const float *delta, const float *near, float *out, int32_t *hard, void *scratch) {
	CALL(bl_project, p, x, from, to, k, find, boost, ids, delta, near, out, hard, scratch)
}

double bl_peak(int isa, int64_t rounds) { CALL(bl_peak, rounds) }

void bl_knn_sweep(int isa, const bl_knn_set *s, bl_knn_search *w, int32_t rows, int64_t from, int64_t to) {
	CALL_VECTORS(bl_knn_sweep, s, w, rows, from, to)
}

void bl_knn_gaps(int isa, const bl_knn_set *s, bl_knn_search *w) { CALL_VECTORS(bl_knn_gaps, s, w) }

void bl_knn_settle(int isa, const bl_knn_set *s, bl_knn_search *w, int32_t r) {
	CALL_VECTORS(bl_knn_settle, s, w, r)
}

void bl_knn_rest(int isa, const bl_knn_set *s, bl_knn_search *w, int32_t rows, int64_t from, int64_t to) {
	CALL_VECTORS(bl_knn_rest, s, w, rows, from, to)
}
