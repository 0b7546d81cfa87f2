//go:build !race

// Plans: everything the kernels need that depends on the landmarks alone.
#include "kernel.h"
#include "scratch.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef HALF_FROM
#define HALF_FROM 4096 // d x g from which the coarse filter saves more than its additional survivors cost
#endif

void *bl_alloc(size_t bytes) {
	char *raw = calloc(1, bytes + 64 + sizeof(void *));
	if (!raw) return NULL;
	char *p = (char *)(((uintptr_t)raw + sizeof(void *) + 63) & ~(uintptr_t)63);
	memcpy(p - sizeof(void *), &raw, sizeof raw);
	return p;
}

void bl_release(void *p) {
	if (!p) return;
	void *raw;
	memcpy(&raw, (char *)p - sizeof(void *), sizeof raw);
	free(raw);
}

static int32_t up(int32_t n, int32_t to) { return (n + to - 1) / to * to; }

static float *floats(size_t n) { return bl_alloc(n * sizeof(float)); }

// halves says whether filtering in bfloat16 pays: it lets more landmarks through.
static int halves(const bl_plan *p) {
#if defined(__x86_64__)
	return p->lanes == 16 && (int64_t)p->d * p->g >= HALF_FROM && bl_has_half();
#else
	return (void)p, 0;
#endif
}

// bfloat16 rounds to the nearest.
static uint16_t bfloat16(float v) {
	uint32_t b;
	memcpy(&b, &v, sizeof b);
	return (uint16_t)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}

bl_plan *bl_plan_new(int32_t d, int32_t g, int32_t lanes, int32_t pw, int32_t tabled) {
	bl_plan *p = bl_alloc(sizeof *p);
	if (!p) return NULL;
	p->d = d, p->g = g, p->lanes = lanes, p->pw = pw, p->tabled = tabled;
	p->dp = up(d, lanes), p->gp = up(g, pw);
	size_t gp = p->gp;
	p->mean = floats(p->dp);
	p->rows = floats((size_t)g * p->dp);
	p->cols = floats((size_t)d * gp);
	p->panel = floats((size_t)d * gp);
	p->norm = floats(gp);
	if (halves(p) && !(p->half = bl_alloc((size_t)(d + 1) / 2 * 2 * gp * sizeof *p->half))) {
		bl_plan_free(p);
		return NULL;
	}
	if (tabled) p->pair = floats(2 * (size_t)g * g);
	for (int q = 0; q < 3; q++) p->pos[q] = floats(gp);
	p->place = floats(4 * gp);
	if (!p->mean || !p->place || !p->rows || !p->cols || !p->panel || !p->norm || (tabled && !p->pair) ||
		!p->pos[0] || !p->pos[1] || !p->pos[2]) {
		bl_plan_free(p);
		return NULL;
	}
	return p;
}

void bl_plan_free(bl_plan *p) {
	if (!p) return;
	bl_release(p->mean);
	bl_release(p->rows);
	bl_release(p->cols);
	bl_release(p->panel);
	bl_release(p->norm);
	bl_release(p->half);
	bl_release(p->pair);
	bl_release(p->place);
	for (int q = 0; q < 3; q++) bl_release(p->pos[q]);
	bl_release(p);
}

// suited returns the power of two that brings the spread near 1: the old scale where that is
// within 2^8, so that training, which changes the spread a little all the time, changes no scale.
static float suited(double spread, float old) {
	if (!(spread > 0)) return old > 0 ? old : 1;
	if (old > 0 && spread * old < 0x1p8 && spread * old > 0x1p-8) return old;
	int e = -ilogb(spread);
	return (float)ldexp(1, e < -126 ? -126 : e > 120 ? 120 : e);
}

// crowded says whether the coarse filter would let too much through: whether a landmark has, on
// average, more than half of FEW others that it cannot tell from it. A sample is enough.
static int crowded(const bl_plan *p) {
	enum { SAMPLE = 8 };
	int64_t close = 0;
	for (int32_t s = 0; s < SAMPLE; s++) {
		int32_t i = (int32_t)((int64_t)p->g * s / SAMPLE);
		const float *a = p->rows + (size_t)i * p->dp;
		float margin = HALF_MARGIN * p->reach * sqrtf(p->norm[i]);
		for (int32_t j = 0; j < p->g; j++) {
			const float *b = p->rows + (size_t)j * p->dp;
			float sum[4] = {0};
			for (int32_t c = 0; c < p->dp; c += 4)
				for (int32_t q = 0; q < 4; q++) sum[q] += (a[c + q] - b[c + q]) * (a[c + q] - b[c + q]);
			close += sum[0] + sum[1] + sum[2] + sum[3] <= margin;
		}
	}
	return close > SAMPLE * FEW / 2;
}

float bl_codebook(bl_plan *p, const float *code, float scale) {
	int32_t d = p->d, g = p->g, pw = p->pw;
	double spread = 0;
	for (int32_t c = 0; c < d; c++) {
		double sum = 0;
		for (int32_t i = 0; i < g; i++) sum += code[(size_t)i * d + c];
		p->mean[c] = (float)(sum / g);
		for (int32_t i = 0; i < g; i++) {
			double t = fabs((double)code[(size_t)i * d + c] - p->mean[c]);
			if (t > spread) spread = t;
		}
	}
	scale = p->scale = suited(spread, scale);
	for (int32_t c = 0; c < d; c++) p->mean[c] *= scale;
	double reach = 0;
	for (int32_t i = 0; i < p->gp; i++) {
		float *panel = p->panel + (size_t)(i / pw) * d * pw + i % pw;
		uint16_t *half = p->half ? p->half + ((size_t)(i / pw) * ((d + 1) / 2) * pw + i % pw) * 2 : NULL;
		if (i >= g) {
			p->norm[i] = FAR;
			continue;
		}
		double norm = 0;
		for (int32_t c = 0; c < d; c++) {
			float l = code[(size_t)i * d + c] * scale, t = l - p->mean[c];
			p->rows[(size_t)i * p->dp + c] = l;
			p->cols[(size_t)c * p->gp + i] = l;
			panel[(size_t)c * pw] = -2 * t;
			if (half) half[((size_t)(c / 2) * pw) * 2 + c % 2] = bfloat16(-2 * t);
			norm += (double)t * t;
		}
		p->norm[i] = (float)norm;
		if (norm > reach) reach = norm;
	}
	p->reach = (float)sqrt(reach);
	p->coarse = p->half && !crowded(p);
	return scale;
}

void bl_positions(bl_plan *p, const float *pos, int32_t m) {
	p->m = m;
	for (int32_t i = 0; i < p->g; i++)
		for (int32_t q = 0; q < 3; q++) p->pos[q][i] = p->place[4 * (size_t)i + q] = q < m ? pos[(size_t)i * m + q] : 0;
}

void bl_mirror(bl_plan *p, int32_t j) {
	size_t g = p->g;
	for (size_t i = 0; i < g; i++) p->pair[2 * (i * g + j) + 1] = p->pair[2 * ((size_t)j * g + i) + 1];
}

size_t bl_scratch_bytes(const bl_plan *p, int32_t find) {
	scratch s;
	return (size_t)scratch_layout(&s, p, find, NULL);
}
