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
#define VIMUL(a, b) _mm512_mullo_epi32(a, b)
#define VIADD(a, b) _mm512_add_epi32(a, b)
#define VGATHER(base, id) _mm512_i32gather_ps(id, base, 4)

static inline __attribute__((always_inline)) void gather_pairs(const float *table, vi index, vf *a, vf *b) {
	__m512 lo = _mm512_castpd_ps(_mm512_i32gather_pd(_mm512_castsi512_si256(index), table, 8));
	__m512 hi = _mm512_castpd_ps(_mm512_i32gather_pd(_mm512_extracti64x4_epi64(index, 1), table, 8));
	const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
	*a = _mm512_permutex2var_ps(lo, even, hi);
	*b = _mm512_permutex2var_ps(lo, _mm512_add_epi32(even, _mm512_set1_epi32(1)), hi);
}

// emit writes the numbers first + (set bits of m) to list and returns how many.
static inline __attribute__((always_inline)) int emit(int32_t *list, vm m, int first) {
	const __m512i iota = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	_mm512_storeu_si512(list, _mm512_maskz_compress_epi32(m, _mm512_add_epi32(iota, _mm512_set1_epi32(first))));
	return __builtin_popcount(m);
}
