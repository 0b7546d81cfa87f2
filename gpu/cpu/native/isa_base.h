// Vectors of 4 floats in the compilers' own vector language: SSE2, NEON, and whatever else.
#define ISA(f) f##_base
#define W 4
#define NV 2
typedef float vf __attribute__((vector_size(16)));
typedef int32_t vi __attribute__((vector_size(16)));
typedef vi vm;
typedef float vfu __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t viu __attribute__((vector_size(16), aligned(4), may_alias));
#define INLINE static inline __attribute__((always_inline))

INLINE vf V1(float a) { return (vf){a, a, a, a}; }
INLINE vi VI1(int32_t a) { return (vi){a, a, a, a}; }
INLINE vf VLOAD(const float *p) { return *(const vfu *)p; }
INLINE void VSTORE(float *p, vf v) { *(vfu *)p = v; }
INLINE vi VILOAD(const int32_t *p) { return *(const viu *)p; }
INLINE void VISTORE(int32_t *p, vi v) { *(viu *)p = v; }
INLINE vf VFMA(vf a, vf b, vf c) { return a * b + c; }
INLINE vm VLT(vf a, vf b) { return a < b; }
INLINE vm VLE(vf a, vf b) { return a <= b; }
INLINE vm VEQ(vf a, vf b) { return a == b; }
INLINE vm VAND(vm a, vm b) { return a & b; }
INLINE vi VISEL(vm m, vi a, vi b) { return (m & a) | (~m & b); }
INLINE vf VSEL(vm m, vf a, vf b) { return (vf)VISEL(m, (vi)a, (vi)b); }
#if defined(__SSE2__)
INLINE vf VMIN(vf a, vf b) { return (vf)_mm_min_ps((__m128)a, (__m128)b); }
INLINE vf VMAX(vf a, vf b) { return (vf)_mm_max_ps((__m128)a, (__m128)b); }
INLINE vf VSQRT(vf a) { return (vf)_mm_sqrt_ps((__m128)a); }
INLINE uint32_t VBITS(vm m) { return (uint32_t)_mm_movemask_ps((__m128)m); }
INLINE vi VROUND(vf a) { return (vi)_mm_cvtps_epi32((__m128)a); }
INLINE vf VFLOAT(vi a) { return (vf)_mm_cvtepi32_ps((__m128i)a); }
#else
INLINE vf VMIN(vf a, vf b) { return VSEL(a < b, a, b); }
INLINE vf VMAX(vf a, vf b) { return VSEL(a > b, a, b); }
INLINE vf VSQRT(vf a) { return (vf){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])}; }
INLINE uint32_t VBITS(vm m) { return (m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8); }
INLINE vi VROUND(vf a) { return (vi){lrintf(a[0]), lrintf(a[1]), lrintf(a[2]), lrintf(a[3])}; }
INLINE vf VFLOAT(vi a) { return (vf){a[0], a[1], a[2], a[3]}; }
#endif
INLINE float VSUM(vf a) { return (a[0] + a[2]) + (a[1] + a[3]); }
INLINE vf VCASTF(vi a) { return (vf)a; }
INLINE vi VCASTI(vf a) { return (vi)a; }
#define VSHL(a, n) ((vi)((vu)(a) << (n)))
#define VSHR(a, n) ((vi)((vu)(a) >> (n)))
typedef uint32_t vu __attribute__((vector_size(16)));
INLINE vi VIAND(vi a, vi b) { return a & b; }
INLINE vi VIOR(vi a, vi b) { return a | b; }
INLINE vi VLOAD16(const uint16_t *p) { return (vi){p[0], p[1], p[2], p[3]}; }
INLINE vi VIADD(vi a, vi b) { return a + b; }
INLINE vi VISUB(vi a, vi b) { return a - b; }
INLINE vm VILT(vi a, vi b) { return a < b; }
INLINE vi VIMIN(vi a, vi b) { return VISEL(a < b, a, b); }
INLINE vi VIMUL(vi a, vi b) { return (vi)((vu)a * (vu)b); }
INLINE vm VULT(vi a, vi b) { return (vm)((vu)a < (vu)b); } // without signs
#if defined(__SSE2__)
#define VIDOT(a, b) ((vi)_mm_madd_epi16((__m128i)(a), (__m128i)(b))) // products of 16 bits, each pair of them added
#endif

INLINE vi VIXOR(vi a, vi b) { return a ^ b; }

// VUHIGH is the upper half of products, without signs.
INLINE vi VUHIGH(vi a, vi b) {
	vi out;
	for (int l = 0; l < W; l++) out[l] = (int32_t)((uint64_t)(uint32_t)a[l] * (uint32_t)b[l] >> 32);
	return out;
}

// VPAIRS takes W interleaved pairs apart.
INLINE void VPAIRS(const float *p, vf *a, vf *b) {
	*a = (vf){p[0], p[2], p[4], p[6]};
	*b = (vf){p[1], p[3], p[5], p[7]};
}

// VSUM4 sums four vectors across.
INLINE void VSUM4(vf a, vf b, vf c, vf d, float *out) {
	out[0] = VSUM(a), out[1] = VSUM(b), out[2] = VSUM(c), out[3] = VSUM(d);
}

// VSTORE16 stores numbers below 2^16.
INLINE void VSTORE16(uint16_t *p, vi v) {
	for (int l = 0; l < W; l++) p[l] = (uint16_t)v[l];
}

// emit writes the numbers first + (set bits of m) to list and returns how many.
INLINE int emit(int32_t *list, vm m, int first) {
	uint32_t bits = VBITS(m);
	int n = 0;
	for (int l = 0; l < W; l++) {
		list[n] = first + l;
		n += bits >> l & 1;
	}
	return n;
}

#define STEP 4

// TRANSPOSE copies 4 x 4 values of 4 bytes from rows, n apart, to columns of a tile.
INLINE void TRANSPOSE(const void *from, size_t n, void *to) {
#if defined(__SSE2__)
	__m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps((const float *)from + n);
	__m128 c = _mm_loadu_ps((const float *)from + 2 * n), d = _mm_loadu_ps((const float *)from + 3 * n);
	_MM_TRANSPOSE4_PS(a, b, c, d);
	float *t = to;
	_mm_storeu_ps(t, a), _mm_storeu_ps(t + TILE, b), _mm_storeu_ps(t + 2 * TILE, c), _mm_storeu_ps(t + 3 * TILE, d);
#else
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++) memcpy((char *)to + 4 * (j * TILE + i), (const char *)from + 4 * (i * n + j), 4);
#endif
}

INLINE vm VOR(vm a, vm b) { return a | b; }
INLINE vf VSWAP1(vf a) { return (vf){a[1], a[0], a[3], a[2]}; } // neighbours change places
INLINE vf VSWAP2(vf a) { return (vf){a[2], a[3], a[0], a[1]}; } // pairs do
INLINE vf VRCP(vf a) { return V1(1) / a; }

// VPACK stores the lanes of set bits; up to W are written.
INLINE void VPACK(float *p, uint32_t bits, vf v) {
	for (int l = 0, n = 0; l < W; l++) {
		p[n] = v[l];
		n += bits >> l & 1;
	}
}

// VQUADS loads 4 floats from each of W/4 places.
INLINE vf VQUADS(const float *p, const int32_t *at) { return VLOAD(p + at[0]); }

// VGATHER2 loads W points of 2 coordinates, VGATHER4 of 4 numbers, the last of which is left.
INLINE void VGATHER2(const float *p, const int32_t *at, vf *x, vf *y) {
	const float *a = p + 2 * (size_t)at[0], *b = p + 2 * (size_t)at[1], *c = p + 2 * (size_t)at[2], *d = p + 2 * (size_t)at[3];
	*x = (vf){a[0], b[0], c[0], d[0]}, *y = (vf){a[1], b[1], c[1], d[1]};
}
INLINE void VGATHER4(const float *p, const int32_t *at, vf *x, vf *y, vf *z) {
	const float *a = p + 4 * (size_t)at[0], *b = p + 4 * (size_t)at[1], *c = p + 4 * (size_t)at[2], *d = p + 4 * (size_t)at[3];
	*x = (vf){a[0], b[0], c[0], d[0]}, *y = (vf){a[1], b[1], c[1], d[1]}, *z = (vf){a[2], b[2], c[2], d[2]};
}

// VTRANSPOSE makes columns of W rows.
INLINE void VTRANSPOSE(vf *r) {
	for (int i = 0; i < W; i++)
		for (int j = 0; j < i; j++) {
			float t = r[i][j];
			r[i][j] = r[j][i], r[j][i] = t;
		}
}
