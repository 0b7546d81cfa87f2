// Vectors of 8 floats.
#define ISA(f) f##_avx2
#define W 8
#define NV 2 // 4 points x 16 landmarks: 8 sums hide the latency of two multiply-add pipes
typedef __m256 vf;
typedef __m256i vi;
typedef __m256 vm;

#define V1(a) _mm256_set1_ps(a)
#define VI1(a) _mm256_set1_epi32(a)
#define VLOAD(p) _mm256_loadu_ps(p)
#define VSTORE(p, v) _mm256_storeu_ps(p, v)
#define VILOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define VISTORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define VFMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define VMIN(a, b) _mm256_min_ps(a, b)
#define VMAX(a, b) _mm256_max_ps(a, b)
#define VSQRT(a) _mm256_sqrt_ps(a)
#define VLT(a, b) _mm256_cmp_ps(a, b, _CMP_LT_OQ)
#define VLE(a, b) _mm256_cmp_ps(a, b, _CMP_LE_OQ)
#define VEQ(a, b) _mm256_cmp_ps(a, b, _CMP_EQ_OQ)
#define VBITS(m) ((uint32_t)_mm256_movemask_ps(m))
#define VAND(m, n) _mm256_and_ps(m, n)
#define VSEL(m, a, b) _mm256_blendv_ps(b, a, m) // m ? a : b
#define VISEL(m, a, b) _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(b), _mm256_castsi256_ps(a), m))
#define VROUND(a) _mm256_cvtps_epi32(a)
#define VFLOAT(a) _mm256_cvtepi32_ps(a)
#define VCASTF(a) _mm256_castsi256_ps(a)
#define VCASTI(a) _mm256_castps_si256(a)
#define VSHL(a, n) _mm256_slli_epi32(a, n)
#define VSHR(a, n) _mm256_srli_epi32(a, n)
#define VIAND(a, b) _mm256_and_si256(a, b)
#define VIOR(a, b) _mm256_or_si256(a, b)
#define VLOAD16(p) _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(p)))
#define VIADD(a, b) _mm256_add_epi32(a, b)
#define VIDOT(a, b) _mm256_madd_epi16(a, b) // products of 16 bits, each pair of them added
#define VILT(a, b) _mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a))
#define VISUB(a, b) _mm256_sub_epi32(a, b)
#define VIMIN(a, b) _mm256_min_epi32(a, b)
#define VIMUL(a, b) _mm256_mullo_epi32(a, b)
#define VSIGN(a) _mm256_xor_si256(a, VI1(INT32_MIN))
#define VULT(a, b) VILT(VSIGN(a), VSIGN(b)) // without signs

#define VIXOR(a, b) _mm256_xor_si256(a, b)

// VUHIGH is the upper half of products, without signs.
static inline __attribute__((always_inline)) vi VUHIGH(vi a, vi b) {
	vi even = _mm256_mul_epu32(a, b), odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
	return _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
}

static inline __attribute__((always_inline)) float VSUM(vf a) {
	__m128 s = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
	s = _mm_add_ps(s, _mm_movehl_ps(s, s));
	return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

// VPAIRS takes W interleaved pairs apart.
static inline __attribute__((always_inline)) void VPAIRS(const float *p, vf *a, vf *b) {
	__m256 u = VLOAD(p), v = VLOAD(p + W);
	__m256 lo = _mm256_permute2f128_ps(u, v, 0x20), hi = _mm256_permute2f128_ps(u, v, 0x31);
	*a = _mm256_shuffle_ps(lo, hi, 0x88);
	*b = _mm256_shuffle_ps(lo, hi, 0xdd);
}

// VSUM4 sums four vectors across.
static inline __attribute__((always_inline)) void VSUM4(vf a, vf b, vf c, vf d, float *out) {
	__m256 h = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
	__m128 s = _mm_add_ps(_mm256_castps256_ps128(h), _mm256_extractf128_ps(h, 1));
	_mm_storeu_ps(out, s);
}

// VSTORE16 stores numbers below 2^16.
static inline __attribute__((always_inline)) void VSTORE16(uint16_t *p, vi v) {
	_mm_storeu_si128((__m128i *)p, _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1)));
}

static uint8_t picks[256][8]; // positions of the set bits of a byte
__attribute__((constructor)) static void fill_picks(void) {
	for (int bits = 0; bits < 256; bits++)
		for (int l = 0, n = 0; l < 8; l++)
			if (bits >> l & 1) picks[bits][n++] = (uint8_t)l;
}

// emit writes the numbers first + (set bits of m) to list and returns how many.
static inline __attribute__((always_inline)) int emit(int32_t *list, vm m, int first) {
	uint32_t bits = VBITS(m);
	__m128i at = _mm_loadl_epi64((const __m128i *)picks[bits]);
	VISTORE(list, _mm256_add_epi32(_mm256_cvtepu8_epi32(at), _mm256_set1_epi32(first)));
	return __builtin_popcount(bits);
}

#define VOR(m, n) _mm256_or_ps(m, n)
#define VSWAP1(a) _mm256_permute_ps(a, 0xb1) // neighbours change places
#define VSWAP2(a) _mm256_permute_ps(a, 0x4e) // pairs do
#define VRCP(a) (V1(1) / (a)) // approximations are not the same on all processors

// VPACK stores the lanes of set bits; W are written.
static inline __attribute__((always_inline)) void VPACK(float *p, uint32_t bits, vf v) {
	VSTORE(p, _mm256_permutevar8x32_ps(v, _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)picks[bits]))));
}

// VQUADS loads 4 floats from each of W/4 places.
static inline __attribute__((always_inline)) vf VQUADS(const float *p, const int32_t *at) {
	return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + at[0])), _mm_loadu_ps(p + at[1]), 1);
}

// VGATHER2 loads W points of 2 coordinates.
static inline __attribute__((always_inline)) void VGATHER2(const float *p, const int32_t *at, vf *x, vf *y) {
#define PAIR(i) (const double *)(p + 2 * (size_t)at[i])
#define FOUR(a, b, c, d) _mm256_castpd_ps(_mm256_insertf128_pd(_mm256_castpd128_pd256( \
	_mm_loadh_pd(_mm_load_sd(PAIR(a)), PAIR(b))), _mm_loadh_pd(_mm_load_sd(PAIR(c)), PAIR(d)), 1))
	vf lo = FOUR(0, 1, 4, 5), hi = FOUR(2, 3, 6, 7);
#undef PAIR
#undef FOUR
	*x = _mm256_shuffle_ps(lo, hi, 0x88), *y = _mm256_shuffle_ps(lo, hi, 0xdd);
}

// VGATHER4 loads W points of 4 numbers, the last of which is left.
static inline __attribute__((always_inline)) void VGATHER4(const float *p, const int32_t *at, vf *x, vf *y, vf *z) {
	vf a[4];
	for (int i = 0; i < 4; i++) {
		int32_t two[2] = {4 * at[i], 4 * at[4 + i]};
		a[i] = VQUADS(p, two);
	}
	vf lo = _mm256_unpacklo_ps(a[0], a[1]), hi = _mm256_unpacklo_ps(a[2], a[3]);
	*x = _mm256_shuffle_ps(lo, hi, 0x44), *y = _mm256_shuffle_ps(lo, hi, 0xee);
	*z = _mm256_shuffle_ps(_mm256_unpackhi_ps(a[0], a[1]), _mm256_unpackhi_ps(a[2], a[3]), 0x44);
}

// VTRANSPOSE makes columns of W rows.
static inline __attribute__((always_inline)) void VTRANSPOSE(vf *r) {
	vf a[8], b[8];
	for (int i = 0; i < 8; i += 2) a[i] = _mm256_unpacklo_ps(r[i], r[i + 1]), a[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
	for (int i = 0; i < 8; i += 4) {
		b[i] = _mm256_shuffle_ps(a[i], a[i + 2], 0x44), b[i + 1] = _mm256_shuffle_ps(a[i], a[i + 2], 0xee);
		b[i + 2] = _mm256_shuffle_ps(a[i + 1], a[i + 3], 0x44), b[i + 3] = _mm256_shuffle_ps(a[i + 1], a[i + 3], 0xee);
	}
	for (int i = 0; i < 4; i++)
		r[i] = _mm256_permute2f128_ps(b[i], b[i + 4], 0x20), r[i + 4] = _mm256_permute2f128_ps(b[i], b[i + 4], 0x31);
}

#include "transpose8.h"
