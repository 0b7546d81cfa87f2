// Transposes for the instruction sets that have AVX.
#define STEP 8

// TRANSPOSE copies 8 x 8 values of 4 bytes from rows, n apart, to columns of a tile.
static inline __attribute__((always_inline)) void TRANSPOSE(const void *from, size_t n, void *to) {
	const float *f = from;
	float *t = to;
	__m256 a[8], b[8];
	for (int i = 0; i < 8; i++) a[i] = _mm256_loadu_ps(f + i * n);
	for (int i = 0; i < 8; i += 2) {
		b[i] = _mm256_unpacklo_ps(a[i], a[i + 1]);
		b[i + 1] = _mm256_unpackhi_ps(a[i], a[i + 1]);
	}
	for (int i = 0; i < 8; i += 4) {
		a[i] = _mm256_shuffle_ps(b[i], b[i + 2], 0x44);
		a[i + 1] = _mm256_shuffle_ps(b[i], b[i + 2], 0xee);
		a[i + 2] = _mm256_shuffle_ps(b[i + 1], b[i + 3], 0x44);
		a[i + 3] = _mm256_shuffle_ps(b[i + 1], b[i + 3], 0xee);
	}
	for (int i = 0; i < 4; i++) {
		_mm256_storeu_ps(t + i * TILE, _mm256_permute2f128_ps(a[i], a[i + 4], 0x20));
		_mm256_storeu_ps(t + (i + 4) * TILE, _mm256_permute2f128_ps(a[i], a[i + 4], 0x31));
	}
}
