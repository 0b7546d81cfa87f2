//go:build !race

// The tables of a lattice's convolution.
#include "tsne.h"
#include "kernel.h"
#include <math.h>

static const double pi = 3.14159265358979323846;

bl_lattice *bl_lattice_new(int32_t n, int32_t spline, int32_t lanes, int32_t workers, const double *spectrum) {
	bl_lattice *l = bl_alloc(sizeof *l);
	if (!l) return NULL;
	l->n = n, l->spline = spline, l->lanes = lanes;
	l->even = n / 2 / lanes + 1, l->odd = (n / 2 + lanes - 1) / lanes;
	size_t groups = l->even + l->odd;
	l->room = (size_t)3 * n * 2 * lanes;
	l->value = bl_alloc(((size_t)n * n + 16) * sizeof(float));
	l->half = bl_alloc((size_t)n * 2 * sizeof(float));
	l->twiddle = bl_alloc((size_t)n * 4 * sizeof(float));
	l->spectrum = bl_alloc(groups * (n + 1) * lanes * sizeof(float));
	l->weight = bl_alloc(groups * lanes * sizeof(float));
	l->plane = bl_alloc(groups * n * 2 * lanes * sizeof(float));
	l->scratch = bl_alloc(l->room * workers * sizeof(float));
	if (!l->value || !l->half || !l->twiddle || !l->spectrum || !l->weight || !l->plane || !l->scratch) {
		bl_lattice_free(l);
		return NULL;
	}
	for (int32_t k = 0; k < n; k++)
		l->half[2 * k] = (float)cos(pi * k / n), l->half[2 * k + 1] = (float)-sin(pi * k / n);
	float *w = l->twiddle;
	for (int32_t left = n; left > 1;) {
		int32_t r = left % 4 == 0 ? 4 : left % 2 == 0 ? 2 : left % 3 == 0 ? 3 : 5, m = left / r;
		l->radix[l->stages++] = r;
		for (int32_t p = 0; p < m; p++)
			for (int32_t j = 1; j < r; j++) {
				*w++ = (float)cos(2 * pi * p * j / left);
				*w++ = (float)-sin(2 * pi * p * j / left);
			}
		left = m;
	}
	for (size_t g = 0; g < groups; g++)
		for (int32_t i = 0; i < lanes; i++) {
			int32_t at = (int32_t)g * lanes + i, ky = 2 * at;
			if (g >= (size_t)l->even) ky = 2 * (at - l->even * lanes) + 1;
			if (ky > n) continue;
			l->weight[g * lanes + i] = ky == 0 || ky == n ? 0.5f : 1;
			for (int32_t x = 0; x <= n; x++) {
				int32_t kx = x <= n / 2 ? 2 * x : 2 * (x - n / 2 - 1) + 1;
				l->spectrum[(g * (n + 1) + x) * lanes + i] = (float)(spectrum[(size_t)ky * (n + 1) + kx] / 2);
			}
		}
	return l;
}

void bl_lattice_free(bl_lattice *l) {
	if (!l) return;
	float *all[] = {l->value, l->half, l->twiddle, l->spectrum, l->weight, l->plane, l->scratch};
	for (int i = 0; i < 7; i++) bl_release(all[i]);
	bl_release(l);
}
