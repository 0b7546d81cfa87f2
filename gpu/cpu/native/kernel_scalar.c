//go:build !race

// The plain variant: the formula as it was published, one point at a time, float32, no vectors and
// no tables. It is what the benches compare with, and the simplest description of the engine.
#include "prelude.h"
#if !defined(__clang__)
#pragma GCC optimize("O2", "no-tree-vectorize", "no-tree-slp-vectorize")
#endif

void bl_pairs_scalar(bl_plan *p, int32_t from, int32_t to) { (void)p, (void)from, (void)to; }

// bl_lines keeps adjust, the one thing about positions that is not in them, in the unused norm.
void bl_lines_scalar(bl_plan *p, float adjust, int32_t from, int32_t to) {
	(void)from, (void)to;
	p->norm[0] = adjust;
}

void bl_neighbours_scalar(const bl_plan *p, const float *x, int64_t from, int64_t to, int32_t find,
	uint16_t *ids, float *delta, float *near, void *memory) {
	scratch s;
	scratch_layout(&s, p, find, memory);
	float *best = s.heap_delta;
	int32_t *id = s.list, d = p->d;
	for (int64_t a = from; a < to; a++) {
		float *row = s.x;
		float finite = 0;
		for (int32_t c = 0; c < d; c++) {
			finite += x[a * d + c] - x[a * d + c];
			row[c] = x[a * d + c] * p->scale;
		}
		uint16_t *out = ids + (size_t)(a / TILE) * find * TILE + a % TILE;
		float *dl = delta + (size_t)(a / TILE) * find * TILE + a % TILE;
		if (finite != 0) {
			near[a] = NAN;
			continue;
		}
		int32_t have = 0;
		for (int32_t i = 0; i < p->g; i++) {
			const float *l = p->rows + (size_t)i * p->dp;
			float sum = 0;
#if defined(__clang__)
#pragma clang loop vectorize(disable) interleave(disable)
#endif
			for (int32_t c = 0; c < d; c++) {
				float t = row[c] - l[c];
				sum += t * t;
			}
			if (have == find && !(sum < best[have - 1])) continue;
			int32_t j = have < find ? have++ : have - 1;
			for (; j > 0 && best[j - 1] > sum; j--) best[j] = best[j - 1], id[j] = id[j - 1];
			best[j] = sum, id[j] = i;
		}
		near[a] = best[0];
		for (int32_t r = 0; r < find; r++) out[r * TILE] = (uint16_t)id[r], dl[r * TILE] = best[r] - best[0];
	}
}

// The winner of a point is beyond doubt where no other distance is near the least: train.Doubt.
void bl_winners_scalar(const bl_plan *p, const float *code, const float *x, int64_t from, int64_t to, int32_t *out,
	void *memory) {
	scratch s;
	scratch_layout(&s, p, 1, memory);
	int32_t d = p->d;
	for (int64_t a = from; a < to; a++) {
		const float *given = x + a * d;
		float finite = 0, best = INFINITY, next = INFINITY, *row = s.x;
		for (int32_t c = 0; c < d; c++) {
			finite += given[c] - given[c];
			row[c] = given[c] * p->scale;
		}
		int32_t at = finite != 0 ? -1 : 0;
		for (int32_t i = 0; at >= 0 && i < p->g; i++) {
			const float *l = p->rows + (size_t)i * p->dp;
			float sum = 0;
#if defined(__clang__)
#pragma clang loop vectorize(disable) interleave(disable)
#endif
			for (int32_t c = 0; c < d; c++) {
				float t = row[c] - l[c];
				sum += t * t;
			}
			if (sum < best)
				next = best, best = sum, at = i;
			else if (sum < next)
				next = sum;
		}
		float limit = best + best * ((float)(d + 8) * 0x1.1p-23f) + (float)d * 0x1p-124f;
		if (at >= 0 && (!(next > limit) || d >= 1 << 19)) at = bl_winner(given, code, d, NULL, p->g);
		out[a] = at;
	}
}

static void scalar_point(const bl_plan *p, const float *x, int32_t k, int32_t find, float boost, const uint16_t *ids,
	const float *delta, float near, float *row, float *dist, float *score, float *out) {
	int32_t d = p->d, m = p->m;
	float sum = 0, mu = 0, v = 0, adjust = p->norm[0];
	float a[3][3] = {{0}}, b[3] = {0}, h[3];
	for (int32_t c = 0; c < d; c++) row[c] = x[c] * p->scale;
	for (int32_t r = 0; r < find; r++) {
		dist[r] = sqrtf(near + delta[r * TILE]);
		sum += 1.f / (float)(r + 1);
		mu += dist[r] / (float)(r + 1);
	}
	mu /= sum;
	for (int32_t r = 0; r < find; r++) v += (dist[r] - mu) * (dist[r] - mu) / (float)(r + 1);
	float scale = boost / sqrtf(v / sum);
	for (int32_t r = 0; r < k; r++) {
		score[r] = expf((mu - dist[r]) * scale);
		if (k < find) score[r] *= 1 - expf(10 * (dist[r] / dist[find - 1] - 1));
	}
	for (int32_t i = 0; i < k; i++) {
		int32_t u = ids[i * TILE];
		const float *lu = p->rows + (size_t)u * p->dp;
		for (int32_t q = 0; q < m; q++) {
			a[q][q] += 1e-5f * score[i];
			b[q] += 1e-5f * score[i] * p->pos[q][u];
		}
		for (int32_t j = i + 1; j < k; j++) {
			int32_t w = ids[j * TILE];
			const float *lv = p->rows + (size_t)w * p->dp;
			float hh = 0, along = 0, q2 = 0, t = 0;
			for (int32_t q = 0; q < m; q++) {
				h[q] = p->pos[q][w] - p->pos[q][u];
				hh += h[q] * h[q];
				along += h[q] * p->pos[q][u];
			}
			if (hh < 1e-10f) continue;
#if defined(__clang__)
#pragma clang loop vectorize(disable) interleave(disable)
#endif
			for (int32_t c = 0; c < d; c++) {
				float l = lv[c] - lu[c];
				q2 += l * l;
				t += l * (row[c] - lu[c]);
			}
			if (q2 == 0) continue;
			t /= q2;
			float s = score[i] * score[j] * powf(1 + hh, -adjust) * expf(-(t - 0.5f) * (t - 0.5f));
			float pull = s * (t + along / hh), shape = s / hh;
			for (int32_t q = 0; q < m; q++) {
				b[q] += pull * h[q];
				for (int32_t r = 0; r <= q; r++) a[q][r] += shape * h[q] * h[r];
			}
		}
	}
	if (m == 2) {
		float det = a[0][0] * a[1][1] - a[1][0] * a[1][0];
		out[0] = (b[0] * a[1][1] - b[1] * a[1][0]) / det;
		out[1] = (b[1] * a[0][0] - b[0] * a[1][0]) / det;
		return;
	}
	float xx = a[1][1] * a[2][2] - a[2][1] * a[2][1], xy = a[2][0] * a[2][1] - a[1][0] * a[2][2];
	float xz = a[1][0] * a[2][1] - a[2][0] * a[1][1], yy = a[0][0] * a[2][2] - a[2][0] * a[2][0];
	float yz = a[1][0] * a[2][0] - a[0][0] * a[2][1], zz = a[0][0] * a[1][1] - a[1][0] * a[1][0];
	float det = a[0][0] * xx + a[1][0] * xy + a[2][0] * xz;
	out[0] = (xx * b[0] + xy * b[1] + xz * b[2]) / det;
	out[1] = (xy * b[0] + yy * b[1] + yz * b[2]) / det;
	out[2] = (xz * b[0] + yz * b[1] + zz * b[2]) / det;
}

int64_t bl_project_scalar(const bl_plan *p, const float *x, int64_t from, int64_t to, int32_t k, int32_t find, float boost,
	const uint16_t *ids, const float *delta, const float *near, float *out, int32_t *hard, void *memory) {
	scratch s;
	scratch_layout(&s, p, find, memory);
	(void)hard;
	for (int64_t a = from; a < to; a++) {
		size_t at = (size_t)(a / TILE) * find * TILE + a % TILE;
		if (near[a] != near[a]) {
			for (int32_t q = 0; q < p->m; q++) out[a * p->m + q] = NAN;
			continue;
		}
		scalar_point(p, x + a * p->d, k, find, boost, ids + at, delta + at, near[a], s.x, s.stage, s.stage + find, out + a * p->m);
	}
	return 0;
}

double bl_peak_scalar(int64_t rounds) {
	float a[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	for (int64_t r = 0; r < rounds * 8; r++)
		for (int i = 0; i < 8; i++) a[i] = a[i] * 0.999f + 1e-3f;
	volatile float sink = 0; // so that the loop stays
	for (int i = 0; i < 8; i++) sink += a[i];
	return (double)rounds * 64 * 2;
}
