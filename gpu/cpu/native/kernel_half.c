//go:build !race

// The filter with bfloat16 factors, for processors that multiply twice as many of those as float32.
// Distances that come out are coarse (HALF_MARGIN); what they let through is rechecked in float32.
#include "prelude.h"
#if defined(__x86_64__)
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx512bf16,avx2,fma"))), apply_to = function)
#else
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math")
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,avx512bf16,avx2,fma")
#endif

enum { W = 16, NV = 4 };

int bl_has_half(void) {
	__builtin_cpu_init();
	return __builtin_cpu_supports("avx512bf16") != 0;
}

void bl_filter_half(const bl_plan *p, scratch *s, int groups) {
	int d2 = (p->d + 1) / 2, gp = p->gp, turns = groups / W - 1, turn = 0;
	size_t dp = p->dp;
	uint16_t *x = (uint16_t *)s->half;
	for (size_t i = 0; i < TILE * dp; i += W)
		_mm256_storeu_si256((__m256i *)(x + i), (__m256i)_mm512_cvtneps_pbh(_mm512_loadu_ps(s->centred + i)));
	for (int i = 0; i < TILE * groups; i += W) _mm512_storeu_ps(s->minima + i, _mm512_set1_ps(FAR));
	for (int j = 0; j < gp; j += NV * W, turn += NV) {
		const uint16_t *panel = p->half + (size_t)j * d2 * 2;
		for (int i = 0; i < TILE; i += 4) {
			__m512 a[4][NV];
#pragma GCC unroll 4
			for (int v = 0; v < NV; v++) a[0][v] = a[1][v] = a[2][v] = a[3][v] = _mm512_loadu_ps(p->norm + j + v * W);
			for (int c = 0; c < d2; c++) {
				__m512bh b[4];
#pragma GCC unroll 4
				for (int r = 0; r < 4; r++) {
					int32_t two;
					memcpy(&two, x + (i + r) * dp + 2 * c, sizeof two);
					b[r] = (__m512bh)_mm512_set1_epi32(two);
				}
#pragma GCC unroll 4
				for (int v = 0; v < NV; v++) {
					__m512bh l = (__m512bh)_mm512_loadu_si512(panel + ((size_t)c * NV + v) * 2 * W);
#pragma GCC unroll 4
					for (int r = 0; r < 4; r++) a[r][v] = _mm512_dpbf16_ps(a[r][v], l, b[r]);
				}
			}
#pragma GCC unroll 4
			for (int r = 0; r < 4; r++) {
				float *q = s->q + (size_t)(i + r) * gp + j, *m = s->minima + (i + r) * groups;
#pragma GCC unroll 4
				for (int v = 0; v < NV; v++) {
					float *at = m + ((turn + v) & turns) * W;
					_mm512_storeu_ps(q + v * W, a[r][v]);
					_mm512_storeu_ps(at, _mm512_min_ps(_mm512_loadu_ps(at), a[r][v]));
				}
			}
		}
	}
}
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
