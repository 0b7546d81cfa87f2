// Vectors of 16 floats.
#define ISA(f) f##_avx512
#define W 16
#define NV 4 // vectors in a panel: 4 points x 64 landmarks fill 16 of 32 registers with sums
typedef __m512 vf;
typedef __m512i vi;
typedef __mmask16 vm;

#define V1(a) _mm512_set1_ps(a)
#define VI1(a) _mm512_set1_epi32(a)
#define VLOAD(p) _mm512_loadu_ps(p)
#define VSTORE(p, v) _mm512_storeu_ps(p, v)
#define VILOAD(p) _mm512_loadu_si512(p)
#define VISTORE(p, v) _mm512_storeu_si512(p, v)
#define VFMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define VMIN(a, b) _mm512_min_ps(a, b)
#define VMAX(a, b) _mm512_max_ps(a, b)
#define VSQRT(a) _mm512_sqrt_ps(a)
#define VLT(a, b) _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ)
#define VLE(a, b) _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ)
#define VEQ(a, b) _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ)
#define VBITS(m) ((uint32_t)(m))
#define VAND(m, n) ((vm)((m) & (n)))
#define VSEL(m, a, b) _mm512_mask_blend_ps(m, b, a) // m ? a : b
#define VISEL(m, a, b) _mm512_mask_blend_epi32(m, b, a)
#define VSUM(a) _mm512_reduce_add_ps(a)
#define VROUND(a) _mm512_cvtps_epi32(a)
#define VFLOAT(a) _mm512_cvtepi32_ps(a)
#define VCASTF(a) _mm512_castsi512_ps(a)
#define VCASTI(a) _mm512_castps_si512(a)
#define VSHL(a, n) _mm512_slli_epi32(a, n)
#define VSHR(a, n) _mm512_srli_epi32(a, n)
#define VIAND(a, b) _mm512_and_si512(a, b)
#define VIOR(a, b) _mm512_or_si512(a, b)
#define VLOAD16(p) _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(p)))
#define VIADD(a, b) _mm512_add_epi32(a, b)

// VPAIRS takes W interleaved pairs apart.
static inline __attribute__((always_inline)) void VPAIRS(const float *p, vf *a, vf *b) {
	__m512 lo = VLOAD(p), hi = VLOAD(p + W);
	const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
	*a = _mm512_permutex2var_ps(lo, even, hi);
	*b = _mm512_permutex2var_ps(lo, _mm512_add_epi32(even, _mm512_set1_epi32(1)), hi);
}

// VSUM4 sums four vectors across.
static inline __attribute__((always_inline)) void VSUM4(vf a, vf b, vf c, vf d, float *out) {
#define FOLD(v) _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1))
	__m256 h = _mm256_hadd_ps(_mm256_hadd_ps(FOLD(a), FOLD(b)), _mm256_hadd_ps(FOLD(c), FOLD(d)));
#undef FOLD
	__m128 s = _mm_add_ps(_mm256_castps256_ps128(h), _mm256_extractf128_ps(h, 1));
	_mm_storeu_ps(out, s);
}

// VSTORE16 stores numbers below 2^16.
#define VSTORE16(p, v) _mm256_storeu_si256((__m256i *)(p), _mm512_cvtepi32_epi16(v))

// emit writes the numbers first + (set bits of m) to list and returns how many. They are seldom more
// than 8, and a store of 32 bytes crosses half as many cache lines.
static inline __attribute__((always_inline)) int emit(int32_t *list, vm m, int first) {
	const __m512i iota = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	__m512i found = _mm512_maskz_compress_epi32(m, _mm512_add_epi32(iota, _mm512_set1_epi32(first)));
	int n = __builtin_popcount((uint32_t)m);
	_mm256_storeu_si256((__m256i *)list, _mm512_castsi512_si256(found));
	if (__builtin_expect(n > 8, 0)) _mm512_storeu_si512(list, found);
	return n;
}

#include "transpose8.h"
