//go:build !race

// Nearest points: what is decided, in float64 and the same on every instruction set. No multiply and add may be fused
// here: the bits of a distance are a contract.
#include "kernel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("O2", "fp-contract=off")
#endif

#define NOBODY 1e38f   // the limit of a row that has not found as many as it looks for
#define MOST_ROWS (1 << 17) // coordinates of the rows of a search, for the caches, and so that no call takes long
#define ROUNDED 1.000001f // what float32 may have rounded down is not below the truth

bl_knn_set *bl_knn_set_new(int32_t d, int64_t slots, int32_t pw, int blocked, const float *x, const double *mean,
	double scale) {
	bl_knn_set *s = bl_alloc(sizeof *s);
	if (!s) return NULL;
	s->d = d, s->pw = pw, s->shift = __builtin_ctz(pw), s->slots = slots, s->scale = scale, s->x = x;
	s->mean = bl_alloc((d + 1) * sizeof *s->mean);
	s->panel = bl_alloc((size_t)slots * d * sizeof *s->panel + 64);
	s->norm = bl_alloc(slots * sizeof *s->norm + 64);
	s->reach = bl_alloc((slots / pw + 1) * sizeof *s->reach);
	s->id = bl_alloc(slots * sizeof *s->id + 64);
	int64_t blocks = blocked ? slots / KNN_BLOCK : 0, places = (blocks + pw - 1) / pw * pw;
	s->blocks = blocks;
	s->centre = bl_alloc((size_t)places * d * sizeof *s->centre + 64);
	s->radius = bl_alloc(places * sizeof *s->radius + 64);
	if (!s->mean || !s->panel || !s->norm || !s->reach || !s->id || !s->centre || !s->radius) {
		bl_knn_set_free(s);
		return NULL;
	}
	for (int64_t b = blocks; b < places; b++) s->radius[b] = -1;
	memcpy(s->mean, mean, d * sizeof *mean);
	return s;
}

void bl_knn_set_free(bl_knn_set *s) {
	if (!s) return;
	bl_release(s->mean);
	bl_release(s->panel);
	bl_release(s->norm);
	bl_release(s->reach);
	bl_release(s->id);
	bl_release(s->centre);
	bl_release(s->radius);
	bl_release(s);
}

// bound finds the centre of a block, and how far its points are from it at most.
static void bound(bl_knn_set *s, int64_t b) {
	int32_t d = s->d, pw = s->pw, n = 0;
	const int32_t *id = s->id + b * KNN_BLOCK;
	float *centre = s->centre + (size_t)(b / pw) * d * pw + b % pw;
	double apart[KNN_BLOCK] = {0}, most = 0;
	while (n < KNN_BLOCK && id[n] >= 0) n++;
	if (n == 0) {
		s->radius[b] = -1;
		return;
	}
	for (int32_t c = 0; c < d; c++) {
		double t[KNN_BLOCK], sum = 0;
		for (int32_t i = 0; i < n; i++) sum += t[i] = (s->x[(size_t)id[i] * d + c] - s->mean[c]) * s->scale;
		float m = centre[(size_t)c * pw] = (float)(sum / n);
		for (int32_t i = 0; i < n; i++) apart[i] += (t[i] - m) * (t[i] - m);
	}
	for (int32_t i = 0; i < n; i++) most = apart[i] > most ? apart[i] : most;
	s->radius[b] = (float)sqrt(most) * ROUNDED;
}

void bl_knn_pack(bl_knn_set *s, int64_t from, int64_t to) {
	int32_t d = s->d, pw = s->pw;
	for (int64_t p = from; p < to; p++) {
		double reach = 0;
		for (int32_t i = 0; i < pw; i++) {
			int64_t slot = p * pw + i;
			float *to = s->panel + (size_t)p * d * pw + i;
			if (s->id[slot] < 0) {
				s->norm[slot] = FAR;
				for (int32_t c = 0; c < d; c++) to[(size_t)c * pw] = 0;
				continue;
			}
			const float *x = s->x + (size_t)s->id[slot] * d;
			double norm = 0;
			for (int32_t c = 0; c < d; c++) {
				float t = (float)((x[c] - s->mean[c]) * s->scale);
				to[(size_t)c * pw] = -2 * t;
				norm += (double)t * t;
			}
			s->norm[slot] = (float)norm;
			if (norm > reach) reach = norm;
		}
		s->reach[p] = (float)sqrt(reach) * 1.0001f;
	}
	if (s->blocks)
		for (int64_t b = from * pw / KNN_BLOCK; b < to * pw / KNN_BLOCK; b++) bound(s, b);
}

void bl_knn_packed(bl_knn_set *s) {
	for (int64_t p = 0; p < s->slots / s->pw; p++)
		if (s->reach[p] > s->most) s->most = s->reach[p];
}

bl_knn_search *bl_knn_search_new(const bl_knn_set *s, int32_t k) {
	bl_knn_search *w = bl_alloc(sizeof *w);
	if (!w) return NULL;
	int32_t d = s->d;
	w->k = k, w->cap = 2 * k < 192 ? 192 : (2 * k + 15) / 16 * 16;
	w->rows = k > 1024 ? KNN_FOUR : k > 256 ? KNN_ROWS / 4 : KNN_ROWS;
	while (w->rows > KNN_FOUR && (int64_t)w->rows * d > MOST_ROWS) w->rows /= 4;
	w->slack = (float)(d + 8) * 0x1p-23f;
	size_t rows = w->rows, cap = w->cap;
	w->u = bl_alloc(rows * d * sizeof *w->u + 64);
	w->size = bl_alloc(rows * sizeof *w->size);
	w->square = bl_alloc(rows * sizeof *w->square);
	w->limit = bl_alloc(rows * sizeof *w->limit);
	w->self = bl_alloc(rows * sizeof *w->self);
	w->count = bl_alloc(rows * sizeof *w->count);
	w->key = bl_alloc(rows * cap * sizeof *w->key);
	w->off = bl_alloc(rows * cap * sizeof *w->off);
	w->slot = bl_alloc(rows * cap * sizeof *w->slot);
	w->decided = bl_alloc(rows * sizeof *w->decided);
	w->best = bl_alloc(rows * k * sizeof *w->best);
	w->best_id = bl_alloc(rows * k * sizeof *w->best_id);
	w->own = bl_alloc(rows * sizeof *w->own);
	w->within = bl_alloc(rows * sizeof *w->within);
	w->gap = bl_alloc((s->blocks + s->pw) * sizeof *w->gap);
	w->apart = bl_alloc(rows * s->pw * sizeof *w->apart);
	w->which = bl_alloc(rows * sizeof *w->which);
	w->middle = bl_alloc(d * sizeof *w->middle + 64);
	w->tried = bl_alloc((k + cap) * sizeof *w->tried);
	w->tried_id = bl_alloc((k + cap) * sizeof *w->tried_id);
	w->merged = bl_alloc(k * sizeof *w->merged);
	w->merged_id = bl_alloc(k * sizeof *w->merged_id);
	if (!w->u || !w->size || !w->square || !w->limit || !w->self || !w->count || !w->key || !w->slot || !w->decided ||
		!w->best || !w->best_id || !w->own || !w->tried || !w->tried_id || !w->off || !w->merged || !w->merged_id ||
		!w->within || !w->gap || !w->apart || !w->which || !w->middle) {
		bl_knn_search_free(w);
		return NULL;
	}
	return w;
}

void bl_knn_search_free(bl_knn_search *w) {
	if (!w) return;
	void *all[] = {w->u, w->size, w->square, w->limit, w->self, w->count, w->key, w->slot, w->decided, w->best,
		w->best_id, (void *)w->own, w->tried, w->tried_id, w->off, w->merged, w->merged_id, w->within, w->gap,
		w->apart, w->which, w->middle};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) bl_release(all[i]);
	bl_release(w);
}

int bl_knn_begin(const bl_knn_set *s, bl_knn_search *w, int32_t r, const float *x, int32_t self) {
	int32_t d = s->d;
	double square = 0;
	for (int32_t c = 0; c < d; c++) {
		float t = (float)((x[c] - s->mean[c]) * s->scale);
		w->u[(size_t)r * d + c] = t;
		square += (double)t * t;
	}
	w->square[r] = square;
	w->size[r] = (float)sqrt(square) * 1.0001f;
	w->own[r] = x, w->self[r] = self;
	w->count[r] = w->decided[r] = 0;
	w->limit[r] = NOBODY;
	return square < 1e18;
}

static int before(double da, int32_t ia, double db, int32_t ib) { return da < db || (da == db && ia < ib); }

static void swap(double *v, int32_t *id, int64_t i, int64_t j) {
	double t = v[i];
	int32_t ti = id[i];
	v[i] = v[j], id[i] = id[j];
	v[j] = t, id[j] = ti;
}

// select brings the k nearest of n to the front, the farthest of them last (Hoare's quickselect).
static void select_nearest(double *v, int32_t *id, int64_t n, int64_t k) {
	for (int64_t lo = 0, hi = n - 1; lo < hi;) {
		int64_t mid = lo + (hi - lo) / 2, i = lo, j = hi;
		if (before(v[mid], id[mid], v[lo], id[lo])) swap(v, id, mid, lo);
		if (before(v[hi], id[hi], v[lo], id[lo])) swap(v, id, hi, lo);
		if (before(v[hi], id[hi], v[mid], id[mid])) swap(v, id, hi, mid);
		double p = v[mid];
		int32_t q = id[mid];
		while (i <= j) {
			while (before(v[i], id[i], p, q)) i++;
			while (before(p, q, v[j], id[j])) j--;
			if (i <= j) swap(v, id, i++, j--);
		}
		if (k - 1 <= j)
			hi = j;
		else if (k - 1 >= i)
			lo = i;
		else
			return;
	}
}

// bl_knn_decide computes the distances of what is pending of row r, from the coordinates as given, and keeps the k nearest.
void bl_knn_decide(const bl_knn_set *s, bl_knn_search *w, int32_t r) {
	int32_t d = s->d, n = w->count[r], have = w->decided[r], k = w->k;
	const int32_t *slot = w->slot + (size_t)r * w->cap;
	const float *x = w->own[r];
	double *best = w->best + (size_t)r * k, *v = w->tried;
	int32_t *best_id = w->best_id + (size_t)r * k, *id = w->tried_id;
	memcpy(v, best, have * sizeof *v);
	memcpy(id, best_id, have * sizeof *id);
	for (int32_t i = 0; i < n; i += 4) {
		const float *p[4];
		double sum[4] = {0};
		for (int32_t q = 0; q < 4; q++) {
			int32_t at = s->id[slot[i + q < n ? i + q : i]];
			p[q] = s->x + (size_t)at * d;
			if (i + q < n) id[have + i + q] = at;
		}
		for (int32_t c = 0; c < d; c++) {
			double u = x[c];
			double e0 = u - p[0][c], e1 = u - p[1][c], e2 = u - p[2][c], e3 = u - p[3][c];
			double s0 = e0 * e0, s1 = e1 * e1, s2 = e2 * e2, s3 = e3 * e3;
			sum[0] += s0, sum[1] += s1, sum[2] += s2, sum[3] += s3;
		}
		for (int32_t q = 0; q < 4 && i + q < n; q++) v[have + i + q] = sum[q];
	}
	n += have;
	if (n >= k) { // also of k the farthest comes last: the limit is made of it
		select_nearest(v, id, n, k);
		n = k;
	}
	memcpy(best, v, n * sizeof *v);
	memcpy(best_id, id, n * sizeof *id);
	w->decided[r] = n, w->count[r] = 0;
	if (n == k) {
		double most = best[k - 1] * s->scale * s->scale - w->square[r];
		float limit = (float)(most + fabs(most) * 1e-6 + w->square[r] * 1e-6);
		if (limit < w->limit[r]) w->limit[r] = limit;
	}
}

void bl_knn_middle(const bl_knn_set *s, bl_knn_search *w, int32_t rows) {
	int32_t d = s->d;
	double most = 0;
	for (int32_t c = 0; c < d; c++) {
		double sum = 0;
		for (int32_t r = 0; r < rows; r++) sum += w->u[(size_t)r * d + c];
		w->middle[c] = (float)(sum / rows);
	}
	for (int32_t r = 0; r < rows; r++) {
		double apart = 0;
		for (int32_t c = 0; c < d; c++) {
			double e = (double)w->u[(size_t)r * d + c] - w->middle[c];
			apart += e * e;
		}
		apart = sqrt(apart) + 1e-7 * w->size[r];
		most = apart > most ? apart : most;
	}
	w->radius = (float)most * ROUNDED;
}

// sift puts entry i of a heap of n blocks in its place; the one with the largest gap is on top.
static void sift(const float *gap, int32_t *blocks, int32_t n, int32_t i) {
	int32_t b = blocks[i];
	for (int32_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && gap[blocks[child + 1]] > gap[blocks[child]]) child++;
		if (!(gap[blocks[child]] > gap[b])) break;
		blocks[i] = blocks[child];
	}
	blocks[i] = b;
}

int32_t bl_knn_nearest(const bl_knn_set *s, bl_knn_search *w, int32_t n, int32_t *blocks) {
	int32_t have = s->blocks < n ? (int32_t)s->blocks : n;
	for (int32_t b = 0; b < have; b++) blocks[b] = b;
	for (int32_t i = have / 2 - 1; i >= 0; i--) sift(w->gap, blocks, have, i);
	for (int64_t b = have; b < s->blocks; b++) {
		if (w->gap[b] >= w->gap[blocks[0]]) continue;
		blocks[0] = (int32_t)b;
		sift(w->gap, blocks, have, 0);
	}
	for (int32_t left = have - 1; left > 0; left--) { // the nearest first
		int32_t t = blocks[0];
		blocks[0] = blocks[left], blocks[left] = t;
		sift(w->gap, blocks, left, 0);
	}
	for (int32_t i = 0; i < have; i++) w->gap[blocks[i]] = FAR;
	return have;
}

float bl_knn_bounds(const bl_knn_set *s, bl_knn_search *w, int32_t rows) {
	float most = 0;
	for (int32_t r = 0; r < rows; r++) {
		float within = NOBODY, both = w->size[r] + s->most;
		if (w->decided[r] == w->k) {
			within = (float)(sqrt(w->best[(size_t)r * w->k + w->k - 1]) * s->scale) * ROUNDED;
		} else if (w->limit[r] < NOBODY) {
			double square = w->limit[r] + w->square[r] + (double)w->slack * both * both;
			within = (float)sqrt(square > 0 ? square : 0) * ROUNDED;
		}
		w->within[r] = within;
		if (within > most) most = within;
	}
	return most;
}

// sort puts n neighbours in order: runs by insertion, merged.
static void sort(double *v, int32_t *id, int32_t n, double *spare, int32_t *spare_id) {
	enum { RUN = 8 };
	for (int32_t from = 0; from < n; from += RUN) {
		int32_t to = from + RUN < n ? from + RUN : n;
		for (int32_t i = from + 1; i < to; i++) {
			double t = v[i];
			int32_t q = id[i], j = i;
			for (; j > from && before(t, q, v[j - 1], id[j - 1]); j--) v[j] = v[j - 1], id[j] = id[j - 1];
			v[j] = t, id[j] = q;
		}
	}
	for (int32_t run = RUN; run < n; run *= 2) {
		for (int32_t from = 0; from < n; from += 2 * run) {
			int32_t mid = from + run < n ? from + run : n, to = from + 2 * run < n ? from + 2 * run : n;
			int32_t a = from, b = mid;
			for (int32_t at = from; at < to; at++) {
				int second = b < to && (a >= mid || before(v[b], id[b], v[a], id[a]));
				int32_t i = second ? b : a;
				spare[at] = v[i], spare_id[at] = id[i];
				a += !second, b += second;
			}
		}
		memcpy(v, spare, n * sizeof *v);
		memcpy(id, spare_id, n * sizeof *id);
	}
}

int32_t bl_knn_end(const bl_knn_set *s, bl_knn_search *w, int32_t r, int32_t *id, double *squared) {
	bl_knn_decide(s, w, r);
	int32_t n = w->decided[r];
	sort(w->best + (size_t)r * w->k, w->best_id + (size_t)r * w->k, n, w->merged, w->merged_id);
	memcpy(squared, w->best + (size_t)r * w->k, n * sizeof *squared);
	memcpy(id, w->best_id + (size_t)r * w->k, n * sizeof *id);
	return n;
}
