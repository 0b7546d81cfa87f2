//go:build !race

// What single linkage decides by: weights in float64, every difference, product and sum rounded, nothing fused.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("O3", "fp-contract=off", "no-math-errno", "no-trapping-math")
#endif
#include "kernel.h"
#include "light.h"
#include <math.h>
#include <string.h>

bl_sight *bl_sight_new(int32_t d) {
	bl_sight *s = bl_alloc(sizeof *s);
	size_t panel = (size_t)LIGHT * d;
	if (!s) return NULL;
	s->own = bl_alloc(panel * sizeof(float));
	s->other = bl_alloc(panel * sizeof(float));
	s->origin = bl_alloc((size_t)d * sizeof(double));
	s->point = bl_alloc((size_t)(d + SKETCH) * sizeof(double));
	s->kept = bl_alloc(ROOM * sizeof(bl_edge));
	s->framed = -1;
	if (s->own && s->other && s->origin && s->point && s->kept) return s;
	bl_sight_free(s);
	return NULL;
}

void bl_sight_free(bl_sight *s) {
	if (!s) return;
	bl_release(s->own), bl_release(s->other), bl_release(s->origin), bl_release(s->point), bl_release(s->kept);
	bl_release(s);
}

static inline const float *values(const bl_layout *l, int32_t place) { return l->x + (size_t)l->row[place] * l->d; }

static inline double finish(const bl_layout *l, double s, int32_t u, int32_t v) {
	double w = s;
	if (l->metric == EUCLIDEAN) w = sqrt(s);
	if (l->metric == COSINE) {
		w = 1 - s / (l->norm[u] * l->norm[v]);
		w = w > 0 ? w : 0;
	}
	if (l->core) {
		w = w < l->core[u] ? l->core[u] : w;
		w = w < l->core[v] ? l->core[v] : w;
	}
	return w;
}

// sums adds the columns up for four pairs of u at once: those of one wait for each other, those of four do not.
static inline void sums(const bl_layout *l, const float *x, const int32_t *v, double *s) {
	const float *y0 = values(l, v[0]), *y1 = values(l, v[1]), *y2 = values(l, v[2]), *y3 = values(l, v[3]);
	double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	int32_t d = l->d;
	if (l->metric == EUCLIDEAN)
		for (int32_t c = 0; c < d; c++) {
			double t = x[c], a = t - y0[c], b = t - y1[c], e = t - y2[c], f = t - y3[c];
			s0 += a * a, s1 += b * b, s2 += e * e, s3 += f * f;
		}
	else if (l->metric == COSINE)
		for (int32_t c = 0; c < d; c++) {
			double t = x[c];
			s0 += t * y0[c], s1 += t * y1[c], s2 += t * y2[c], s3 += t * y3[c];
		}
	else
		for (int32_t c = 0; c < d; c++) {
			double t = x[c];
			s0 += fabs(t - y0[c]), s1 += fabs(t - y1[c]), s2 += fabs(t - y2[c]), s3 += fabs(t - y3[c]);
		}
	s[0] = s0, s[1] = s1, s[2] = s2, s[3] = s3;
}

double bl_weight(const bl_layout *l, int32_t u, int32_t v) {
	int32_t four[4] = {v, v, v, v};
	double s[4];
	sums(l, values(l, u), four, s);
	return finish(l, s[0], u, v);
}

void bl_weights(const bl_layout *l, bl_edge *edges, int64_t count) {
	for (int64_t i = 0; i < count;) { // those of one point follow each other
		int32_t u = edges[i].i, v[4];
		int many = 0;
		double s[4];
		while (many < 4 && i + many < count && edges[i + many].i == u) v[many] = edges[i + many].j, many++;
		for (int k = many; k < 4; k++) v[k] = v[0];
		if (many == 1) {
			edges[i].w = bl_weight(l, u, v[0]);
			i++;
			continue;
		}
		sums(l, values(l, u), v, s);
		for (int k = 0; k < many; k++) edges[i + k].w = finish(l, s[k], u, v[k]);
		i += many;
	}
}

// apart is the largest weight on the tree's way between two places.
static inline double apart(const bl_bounds *b, int32_t i, int32_t j) {
	double w = 0;
	while (i != j) {
		double wi = b->w[i], wj = b->w[j];
		if (wi <= wj)
			w = wi, i = b->up[i];
		else
			w = wj, j = b->up[j];
		if (w == INFINITY) return w;
	}
	return w;
}

int32_t bl_weigh(const bl_layout *l, const bl_bounds *b, int32_t u, int32_t block, uint64_t mask, const int32_t *score,
	bl_edge *out, bl_counts *n) {
	int32_t v[LIGHT + 3], many = 0, weak = 0, best = 0, kept = 0;
	double w[LIGHT + 4];
	for (; mask; mask &= mask - 1) {
		int32_t k = __builtin_ctzll(mask);
		v[many] = block * LIGHT + k;
		if (score) { // |x|^2 + |y|^2 - 2 x.y, of which the score holds -floor(|y|^2/2) + x.y
			int64_t square = (int64_t)l->square[u] + (l->square[v[many]] & 1) - 2 * (int64_t)score[k];
			w[many] = (double)square;
		} else
			__builtin_prefetch(values(l, v[many]));
		many++;
	}
	n->rechecked += many;
	if (!score) {
		for (int k = 0; k < 3; k++) v[many + k] = v[many - 1];
		const float *x = values(l, u);
		for (int32_t k = 0; k < many; k += 4) sums(l, x, v + k, w + k);
	}
	for (int32_t k = 0; k < many; k++) {
		double at = finish(l, w[k], u, v[k]);
		if (!(at < apart(b, u, v[k]))) continue;
		v[weak] = v[k], w[weak] = at;
		if (at < w[best]) best = weak;
		weak++;
	}
	n->light += weak;
	for (int32_t k = 0; k < weak; k++) {
		if (k != best && apart(b, v[k], v[best]) <= w[k]) continue;
		int32_t first = u < v[k] ? u : v[k], second = u < v[k] ? v[k] : u;
		out[kept++] = (bl_edge){first, second, w[k]};
	}
	n->kept += kept;
	return kept;
}

static float up(double x) {
	float f = (float)x;
	return f < x ? nextafterf(f, INFINITY) : f;
}

void bl_frame(const bl_layout *l, const double *origin, int32_t block, float *to, float *half, float *length) {
	int32_t d = l->d, first = block * LIGHT, points = l->n - first < LIGHT ? l->n - first : LIGHT;
	memset(to, 0, (size_t)LIGHT * d * sizeof *to);
	for (int32_t i = 0; i < LIGHT; i++) half[i] = INFINITY, length[i] = 0;
	for (int32_t i = 0; i < points; i++) {
		const float *x = values(l, first + i);
		double s = 0, norm = l->norm ? l->norm[first + i] : 1;
		for (int32_t c = 0; c < d; c++) {
			float v = (float)((x[c] / norm - origin[c]) * l->scale);
			to[(size_t)c * LIGHT + i] = v;
			s += l->metric == CITY ? fabsf(v) : (double)v * v;
		}
		half[i] = l->metric == CITY ? 0 : (float)(s / 2);
		float reach = up((l->metric == CITY ? s : sqrt(s)) * (1 + 1e-7));
		length[i] = reach > 0x1p-40f ? reach : 0x1p-40f;
	}
}

int bl_whole(const float *x, int64_t n) {
	for (int64_t i = 0; i < n; i += 256) {
		int32_t odd = 0;
		for (int64_t k = i; k < n && k < i + 256; k++) {
			float in = x[k] > -0x1p24f && x[k] < 0x1p24f ? x[k] : 0.5f;
			odd |= in != (float)(int32_t)in;
		}
		if (odd) return 0;
	}
	return 1;
}

void bl_settle(const bl_layout *l, const bl_grid *g, int32_t block, int32_t *lattice, int32_t *square, int32_t *centre,
	int32_t *centre_square, float *radius, bl_sight *sight) {
	int32_t d = l->d, first = block * LIGHT, points = l->n - first < LIGHT ? l->n - first : LIGHT;
	int32_t many = 2 * l->sketch_pairs;
	int32_t *sketch = lattice + (size_t)l->pairs * LIGHT, *sketch_square = sketch + (size_t)l->sketch_pairs * LIGHT;
	int16_t *to = (int16_t *)lattice, *beside = (int16_t *)sketch, *mid = (int16_t *)centre;
	int64_t far = 0, sum = 0;
	memset(lattice, 0, (size_t)LIGHT * l->pairs * sizeof *lattice);
	memset(square, 0, LIGHT * sizeof *square);
	memset(centre, 0, (size_t)l->pairs * sizeof *centre);
	if (many) memset(sketch, 0, (size_t)LIGHT * (l->sketch_pairs + 1) * sizeof *sketch);
	for (int32_t i = 0; i < points; i++) {
		const float *x = values(l, first + i);
		double norm = l->norm ? l->norm[first + i] : 1, *at = sight->point, *z = sight->point + d;
		int32_t s = 0;
		for (int32_t c = 0; c < d; c++) {
			at[c] = x[c] / norm - g->origin[c];
			int32_t q = (int32_t)rint(at[c] / g->unit);
			to[((size_t)(c / 2) * LIGHT + i) * 2 + c % 2] = (int16_t)q;
			s += q * q;
		}
		square[i] = s;
		if (!many) continue;
		for (int32_t k = 0; k < many; k++) z[k] = 0;
		for (int32_t c = 0; c < d; c++)
			for (int32_t k = 0; k < many; k++) z[k] += at[c] * g->directions[(size_t)c * many + k];
		s = 0;
		for (int32_t k = 0; k < many; k++) {
			int32_t q = (int32_t)rint(z[k] / g->sketch_unit);
			beside[((size_t)(k / 2) * LIGHT + i) * 2 + k % 2] = (int16_t)q;
			s += q * q;
		}
		sketch_square[i] = s;
	}
	for (int32_t c = 0; c < d; c++) {
		int64_t all = 0;
		for (int32_t i = 0; i < points; i++) all += to[((size_t)(c / 2) * LIGHT + i) * 2 + c % 2];
		int32_t q = (int32_t)rint((double)all / points);
		mid[c] = (int16_t)q;
		sum += q * q;
	}
	for (int32_t i = 0; i < points; i++) {
		int64_t s = 0;
		for (int32_t c = 0; c < d; c++) {
			int64_t q = to[((size_t)(c / 2) * LIGHT + i) * 2 + c % 2] - mid[c];
			s += q * q;
		}
		far = s > far ? s : far;
	}
	*centre_square = (int32_t)sum;
	*radius = up(sqrt((double)far) * (1 + 1e-9));
}
