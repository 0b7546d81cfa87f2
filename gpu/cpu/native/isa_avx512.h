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
#define VIDOT(a, b) _mm512_madd_epi16(a, b) // products of 16 bits, each pair of them added
#define VILT(a, b) _mm512_cmplt_epi32_mask(a, b)
#define VISUB(a, b) _mm512_sub_epi32(a, b)
#define VIMIN(a, b) _mm512_min_epi32(a, b)
#define VIMUL(a, b) _mm512_mullo_epi32(a, b)
#define VULT(a, b) _mm512_cmplt_epu32_mask(a, b) // without signs

#define VIXOR(a, b) _mm512_xor_si512(a, b)

// VUHIGH is the upper half of products, without signs.
static inline __attribute__((always_inline)) vi VUHIGH(vi a, vi b) {
	vi even = _mm512_mul_epu32(a, b), odd = _mm512_mul_epu32(_mm512_srli_epi64(a, 32), _mm512_srli_epi64(b, 32));
	return _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(even, 32), odd);
}

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

#define VOR(m, n) ((vm)((m) | (n)))
#define VSWAP1(a) _mm512_permute_ps(a, 0xb1) // neighbours change places
#define VSWAP2(a) _mm512_permute_ps(a, 0x4e) // pairs do
#define VPACK(p, bits, v) _mm512_storeu_ps(p, _mm512_maskz_compress_ps((vm)(bits), v)) // lanes of set bits; W are written

// VRCP is 1/a to the last bit but one, the same on all processors.
static inline __attribute__((always_inline)) vf VRCP(vf a) {
	vf r = _mm512_rcp14_ps(a);
	return r * _mm512_fnmadd_ps(a, r, V1(2));
}

// VQUADS loads 4 floats from each of W/4 places.
static inline __attribute__((always_inline)) vf VQUADS(const float *p, const int32_t *at) {
	__m256 lo = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + at[0])), _mm_loadu_ps(p + at[1]), 1);
	__m256 hi = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + at[2])), _mm_loadu_ps(p + at[3]), 1);
	return _mm512_insertf32x8(_mm512_castps256_ps512(lo), hi, 1);
}

static inline __attribute__((always_inline)) __m256 four_pairs(const float *p, const int32_t *at) {
#define PAIR(i) (const double *)(p + 2 * (size_t)at[i])
	__m128d lo = _mm_loadh_pd(_mm_load_sd(PAIR(0)), PAIR(1)), hi = _mm_loadh_pd(_mm_load_sd(PAIR(2)), PAIR(3));
#undef PAIR
	return _mm256_castpd_ps(_mm256_insertf128_pd(_mm256_castpd128_pd256(lo), hi, 1));
}

// VGATHER2 loads W points of 2 coordinates.
static inline __attribute__((always_inline)) void VGATHER2(const float *p, const int32_t *at, vf *x, vf *y) {
	const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
	vf lo = _mm512_insertf32x8(_mm512_castps256_ps512(four_pairs(p, at)), four_pairs(p, at + 4), 1);
	vf hi = _mm512_insertf32x8(_mm512_castps256_ps512(four_pairs(p, at + 8)), four_pairs(p, at + 12), 1);
	*x = _mm512_permutex2var_ps(lo, even, hi);
	*y = _mm512_permutex2var_ps(lo, _mm512_add_epi32(even, _mm512_set1_epi32(1)), hi);
}

// VGATHER4 loads W points of 4 numbers, the last of which is left.
static inline __attribute__((always_inline)) void VGATHER4(const float *p, const int32_t *at, vf *x, vf *y, vf *z) {
	vf a[4];
	for (int i = 0; i < 4; i++) {
		int32_t four[4] = {4 * at[i], 4 * at[4 + i], 4 * at[8 + i], 4 * at[12 + i]};
		a[i] = VQUADS(p, four);
	}
	vf lo = _mm512_unpacklo_ps(a[0], a[1]), hi = _mm512_unpacklo_ps(a[2], a[3]);
	*x = _mm512_shuffle_ps(lo, hi, 0x44), *y = _mm512_shuffle_ps(lo, hi, 0xee);
	*z = _mm512_shuffle_ps(_mm512_unpackhi_ps(a[0], a[1]), _mm512_unpackhi_ps(a[2], a[3]), 0x44);
}

// VTRANSPOSE makes columns of W rows.
static inline __attribute__((always_inline)) void VTRANSPOSE(vf *r) {
	vf a[16], b[16];
	for (int i = 0; i < 16; i += 2) a[i] = _mm512_unpacklo_ps(r[i], r[i + 1]), a[i + 1] = _mm512_unpackhi_ps(r[i], r[i + 1]);
	for (int i = 0; i < 16; i += 4) {
		b[i] = _mm512_shuffle_ps(a[i], a[i + 2], 0x44), b[i + 1] = _mm512_shuffle_ps(a[i], a[i + 2], 0xee);
		b[i + 2] = _mm512_shuffle_ps(a[i + 1], a[i + 3], 0x44), b[i + 3] = _mm512_shuffle_ps(a[i + 1], a[i + 3], 0xee);
	}
	for (int i = 0; i < 4; i++) {
		a[i] = _mm512_shuffle_f32x4(b[i], b[i + 4], 0x88), a[i + 4] = _mm512_shuffle_f32x4(b[i], b[i + 4], 0xdd);
		a[i + 8] = _mm512_shuffle_f32x4(b[i + 8], b[i + 12], 0x88), a[i + 12] = _mm512_shuffle_f32x4(b[i + 8], b[i + 12], 0xdd);
	}
	for (int i = 0; i < 4; i++) {
		r[i] = _mm512_shuffle_f32x4(a[i], a[i + 8], 0x88), r[i + 8] = _mm512_shuffle_f32x4(a[i], a[i + 8], 0xdd);
		r[i + 4] = _mm512_shuffle_f32x4(a[i + 4], a[i + 12], 0x88), r[i + 12] = _mm512_shuffle_f32x4(a[i + 4], a[i + 12], 0xdd);
	}
}

#include "transpose8.h"
