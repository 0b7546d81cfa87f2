// One instruction set's copy of the kernels of light.h: included after the isa_*.h that defines the vectors.

enum { STRIP = NV * W, ROWS = W == 4 ? 4 : 6 }; // points and rows whose scores are made together, in registers

// scores writes for ROWS points (d values, LIGHT apart) and a panel what is the larger the nearer they are:
// x.y - |y|^2/2, or -sum |x-y|.
static inline __attribute__((always_inline)) void ISA(scores)(int city, int d, const float *const *x,
	const float *panel, const float *half, float *out) {
	for (int from = 0; from < LIGHT; from += STRIP) {
		vf a[ROWS][NV];
#pragma GCC unroll 8
		for (int v = 0; v < NV; v++) {
			vf start = V1(0);
			if (!city) start = start - VLOAD(half + from + v * W);
#pragma GCC unroll 8
			for (int r = 0; r < ROWS; r++) a[r][v] = start;
		}
		const float *p = panel + from;
		for (int c = 0; c < d; c++, p += LIGHT) {
			vf y[NV];
#pragma GCC unroll 8
			for (int v = 0; v < NV; v++) y[v] = VLOAD(p + v * W);
#pragma GCC unroll 8
			for (int r = 0; r < ROWS; r++) {
				vf t = V1(x[r][(size_t)c * LIGHT]);
#pragma GCC unroll 8
				for (int v = 0; v < NV; v++) {
					if (city) {
						vf diff = t - y[v];
						a[r][v] = a[r][v] - VMAX(diff, V1(0) - diff);
					} else
						a[r][v] = VFMA(t, y[v], a[r][v]);
				}
			}
		}
#pragma GCC unroll 8
		for (int r = 0; r < ROWS; r++)
#pragma GCC unroll 8
			for (int v = 0; v < NV; v++) VSTORE(out + r * LIGHT + from + v * W, a[r][v]);
	}
}

// The product and the sum of absolute values are compiled apart.
static __attribute__((noinline)) void ISA(products)(int d, const float *const *x, const float *panel, const float *half,
	float *out) {
	ISA(scores)(0, d, x, panel, half, out);
}
static __attribute__((noinline)) void ISA(blocks)(int d, const float *const *x, const float *panel, const float *half,
	float *out) {
	ISA(scores)(1, d, x, panel, half, out);
}

// limit is what a score must exceed for a pair to be within t: see Layout.limit. unit is (d+6) 2^-24.
static inline __attribute__((always_inline)) float ISA(limit)(int city, float unit, float h, float t, float length) {
	return city ? -(t + unit * length) : h - t * t / 2 - unit * length * length;
}

#define WIDER (1 + 0x1p-21f)

// reached returns which rows of block a may have a point of another block within reach, by its centre and radius.
static uint64_t ISA(reached)(const bl_layout *l, const bl_bounds *b, int32_t a, int32_t other, float least) {
	int d = l->d, city = l->metric == CITY;
	const float *own = l->packed + (size_t)a * LIGHT * d, *c = l->centre + (size_t)other * d;
	const float *s = b->s + (size_t)a * LIGHT, *h = l->half + (size_t)a * LIGHT, *length = l->length + (size_t)a * LIGHT;
	float radius = l->radius[other], ch = l->centre_half[other], cl = l->centre_length[other];
	float unit = (float)(d + 6) * 0x1p-24f;
	uint64_t mask = 0;
	enum { MANY = W == 16 ? 4 : 8 };
	for (int from = 0; from < LIGHT; from += MANY * W) {
		vf acc[MANY];
#pragma GCC unroll 8
		for (int v = 0; v < MANY; v++) acc[v] = V1(city ? 0 : -ch);
		const float *p = own + from;
		if (city)
			for (int k = 0; k < d; k++, p += LIGHT) {
				vf t = V1(c[k]);
#pragma GCC unroll 8
				for (int v = 0; v < MANY; v++) {
					vf diff = t - VLOAD(p + v * W);
					acc[v] = acc[v] - VMAX(diff, V1(0) - diff);
				}
			}
		else
			for (int k = 0; k < d; k++, p += LIGHT) {
				vf t = V1(c[k]);
#pragma GCC unroll 8
				for (int v = 0; v < MANY; v++) acc[v] = VFMA(t, VLOAD(p + v * W), acc[v]);
			}
		for (int v = 0; v < MANY; v++) {
			int i = from + v * W;
			vf own_reach = VMAX(VLOAD(s + i), V1(least)), t = (own_reach + V1(radius)) * V1(WIDER);
			vf far = VLOAD(length + i) + V1(cl), limit;
			if (city)
				limit = V1(0) - (t + V1(unit) * far);
			else
				limit = VLOAD(h + i) - t * t * V1(0.5f) - V1(unit) * far * far;
			uint64_t near = VBITS(VLT(limit, acc[v]));
			if (b->core) near &= VBITS(VLT(VLOAD(b->core + (size_t)a * LIGHT + i), own_reach));
			mask |= near << i;
		}
	}
	return mask;
}

#ifdef VIDOT
#include "light_lattice.h"
#endif

// apart_from writes the squared distances (or sums) of the centre of block a to a panel of centres.
static void ISA(apart_from)(const bl_layout *l, int32_t a, int32_t panel, float *out) {
	int d = l->d;
	const float *c = l->centre + (size_t)a * d, *p = l->centre_cols + (size_t)panel * LIGHT * d;
	enum { MANY = W == 16 ? 4 : 8 };
	for (int from = 0; from < LIGHT; from += MANY * W) {
		vf acc[MANY];
#pragma GCC unroll 8
		for (int v = 0; v < MANY; v++) acc[v] = V1(0);
		const float *q = p + from;
		for (int k = 0; k < d; k++, q += LIGHT) {
			vf t = V1(c[k]);
#pragma GCC unroll 8
			for (int v = 0; v < MANY; v++) {
				vf diff = t - VLOAD(q + v * W);
				if (l->metric == CITY)
					acc[v] = acc[v] + VMAX(diff, V1(0) - diff);
				else
					acc[v] = VFMA(diff, diff, acc[v]);
			}
		}
#pragma GCC unroll 8
		for (int v = 0; v < MANY; v++) VSTORE(out + from + v * W, acc[v]);
	}
}

// tile looks at the pairs of the rows of a that are in mask with a block, whose representatives are m apart.
// after is the block that comes then, or -1.
static int32_t ISA(tile)(const bl_layout *l, const bl_bounds *b, int32_t a, int32_t other, int32_t after, float m,
	float most, uint64_t mask, bl_edge *out, bl_counts *n, bl_sight *s) {
#ifdef VIDOT
	if (l->lattice && 32 * l->slack <= most * l->per_unit)
		return ISA(lattice_tile)(l, b, a, other, after, m, mask, out, n, s);
#endif
	(void)after;
	int d = l->d, city = l->metric == CITY, kept = 0;
	int points = l->n - other * LIGHT < LIGHT ? l->n - other * LIGHT : LIGHT;
	uint64_t there = points == LIGHT ? ~0ull : (1ull << points) - 1;
	float unit = (float)(d + 6) * 0x1p-24f, longest = l->longest[other], limit = city ? most : most * most / 2;
	float both = l->longest[a] + longest;
	const float *own = l->packed + (size_t)a * LIGHT * d, *panel = l->packed + (size_t)other * LIGHT * d;
	const float *h = l->half + (size_t)a * LIGHT, *half = l->half + (size_t)other * LIGHT;
	const float *length = l->length + (size_t)a * LIGHT;
	if (l->lattice || unit * (city ? both : both * both) > limit / 8) {
		// Rounding would let too much through: both blocks are taken around the centre of the rows' block, from the
		// original values.
		if (s->framed != a) {
			for (int c = 0; c < d; c++) s->origin[c] = l->mean[c] + l->centre[(size_t)a * d + c] / l->scale;
			bl_frame(l, s->origin, a, s->own, s->half, s->length);
			s->framed = a;
		}
		bl_frame(l, s->origin, other, s->other, s->half + LIGHT, s->length + LIGHT);
		own = s->own, panel = s->other, h = s->half, half = s->half + LIGHT, length = s->length;
		longest = 0;
		for (int i = 0; i < LIGHT; i++) longest = s->length[LIGHT + i] > longest ? s->length[LIGHT + i] : longest;
	}
	const float *sa = b->s + (size_t)a * LIGHT, *sb = b->s + (size_t)other * LIGHT;
	float least = b->full ? m : m > b->smax[other] ? m : b->smax[other]; // a row that reaches so far needs one limit
	while (mask) {
		int32_t row[ROWS];
		const float *x[ROWS];
		int rows = 0;
		for (; mask && rows < ROWS; mask &= mask - 1) row[rows++] = __builtin_ctzll(mask);
		for (int r = 0; r < ROWS; r++) x[r] = own + row[r < rows ? r : 0];
		if (city)
			ISA(blocks)(d, x, panel, half, s->out);
		else
			ISA(products)(d, x, panel, half, s->out);
		n->tested += (int64_t)rows * points;
		for (int r = 0; r < rows; r++) {
			int u = row[r];
			float t = sa[u] > m ? sa[u] : m, far = length[u] + longest, *score = s->out + r * LIGHT;
			uint64_t near = 0;
			if (b->full || t >= least) {
				vf at = V1(ISA(limit)(city, unit, h[u], t, far));
				for (int v = 0; v < LIGHT; v += W) near |= (uint64_t)VBITS(VLT(at, VLOAD(score + v))) << v;
			} else {
				vf margin = V1(unit * (city ? far : far * far));
				for (int v = 0; v < LIGHT; v += W) {
					vf reach = VMAX(V1(t), VLOAD(sb + v)), at;
					at = city ? V1(0) - (reach + margin) : V1(h[u]) - reach * reach * V1(0.5f) - margin;
					near |= (uint64_t)VBITS(VLT(at, VLOAD(score + v))) << v;
				}
			}
			near &= there;
			if (a == other) near &= b->full ? ~(1ull << u) : u == 63 ? 0 : ~0ull << (u + 1);
			if (near) kept += bl_weigh(l, b, a * LIGHT + u, other, near, NULL, out + kept, n);
		}
	}
	return kept;
}

int32_t ISA(bl_look)(const bl_layout *l, const bl_bounds *b, const float *ways, int32_t a, int32_t from, int32_t to,
	int32_t *count, bl_counts *n, bl_sight *s) {
	int city = l->metric == CITY;
	int32_t panel = -1, kept = 0, rows = l->n - a * LIGHT < LIGHT ? l->n - a * LIGHT : LIGHT;
	uint64_t all = rows == LIGHT ? ~0ull : (1ull << rows) - 1;
	float near = 1 - (float)(l->d + 4) * 0x1p-23f;
	s->framed = -1;
	// One block is looked at while the next one comes from memory.
	int32_t next = -1;
	float next_m = 0, next_most = 0;
	uint64_t next_mask = 0;
	for (; from < to && ROOM - kept >= 2 * LIGHT * LIGHT; from++) {
		int32_t other = a + from < l->blocks ? a + from : a + from - l->blocks;
		float m = ways[other], least = b->full || m > b->smax[other] ? m : b->smax[other];
		float most = least > b->smax[a] ? least : b->smax[a];
		uint64_t mask = all;
		if (other != a) {
			if (other / LIGHT != panel) ISA(apart_from)(l, a, panel = other / LIGHT, s->reach);
			float reach = (most + l->radius[a] + l->radius[other]) * WIDER;
			if (s->reach[other % LIGHT] * near >= (city ? reach : reach * reach)) continue;
#ifdef VIDOT
			if (l->lattice)
				mask &= ISA(within)(l, b, a, other, least);
			else
#endif
				mask &= ISA(reached)(l, b, a, other, least);
		}
		if (!mask) continue;
		if (next >= 0) kept += ISA(tile)(l, b, a, next, other, next_m, next_most, next_mask, s->kept + kept, n, s);
		next = other, next_m = m, next_most = most, next_mask = mask;
	}
	if (next >= 0) kept += ISA(tile)(l, b, a, next, -1, next_m, next_most, next_mask, s->kept + kept, n, s);
	*count = kept;
	return from;
}

int32_t ISA(bl_blocks)(const bl_layout *l, int32_t a, int32_t k, int32_t *ids, bl_sight *s) {
	int32_t have = 0;
	float *near = s->out; // k of them
	for (int32_t from = 0; from < l->blocks; from += LIGHT) {
		ISA(apart_from)(l, a, from / LIGHT, s->reach);
		int32_t many = l->blocks - from < LIGHT ? l->blocks - from : LIGHT;
		uint64_t closer = many == LIGHT ? ~0ull : (1ull << many) - 1;
		if (have == k) {
			uint64_t mask = 0;
			for (int v = 0; v < LIGHT; v += W)
				mask |= (uint64_t)VBITS(VLT(VLOAD(s->reach + v), V1(near[k - 1]))) << v;
			closer &= mask;
		}
		for (; closer; closer &= closer - 1) {
			int v = __builtin_ctzll(closer);
			float at = s->reach[v];
			if (from + v == a || (have == k && !(at < near[k - 1]))) continue;
			if (have < k) have++;
			int p = have - 1;
			for (; p > 0 && at < near[p - 1]; p--) near[p] = near[p - 1], ids[p] = ids[p - 1];
			near[p] = at, ids[p] = from + v;
		}
	}
	return have;
}

void ISA(bl_near)(const bl_layout *l, int32_t a, uint64_t active, const int32_t *blocks, int32_t many,
	const int32_t *label, int32_t k, int32_t *ids, float *scores, bl_sight *s) {
	int d = l->d, city = l->metric == CITY;
	const float *own = l->packed + (size_t)a * LIGHT * d;
	while (active) {
		int32_t have[ROWS] = {0}, row[ROWS];
		const float *x[ROWS];
		int rows = 0;
		for (; active && rows < ROWS; active &= active - 1) row[rows++] = __builtin_ctzll(active);
		for (int r = 0; r < ROWS; r++) x[r] = own + row[r < rows ? r : 0];
		for (int32_t q = 0; q < many; q++) {
			int32_t other = blocks[q], points = l->n - other * LIGHT < LIGHT ? l->n - other * LIGHT : LIGHT;
			const float *panel = l->packed + (size_t)other * LIGHT * d, *half = l->half + (size_t)other * LIGHT;
			uint64_t there = points == LIGHT ? ~0ull : (1ull << points) - 1;
			if (city)
				ISA(blocks)(d, x, panel, half, s->out);
			else
				ISA(products)(d, x, panel, half, s->out);
			for (int r = 0; r < rows; r++) {
				float *score = s->out + r * LIGHT, *best = scores + (size_t)row[r] * k;
				int32_t *id = ids + (size_t)row[r] * k, u = a * LIGHT + row[r];
				uint64_t near = there;
				if (have[r] == k) {
					near = 0;
					for (int v = 0; v < LIGHT; v += W)
						near |= (uint64_t)VBITS(VLT(V1(best[k - 1]), VLOAD(score + v))) << v;
					near &= there;
				}
				if (other == a) near &= ~(1ull << row[r]);
				for (; near; near &= near - 1) {
					int v = __builtin_ctzll(near);
					float at = score[v];
					if (have[r] == k && !(at > best[k - 1])) continue;
					if (label && label[other * LIGHT + v] == label[u]) continue;
					if (have[r] < k) have[r]++;
					int p = have[r] - 1;
					for (; p > 0 && at > best[p - 1]; p--) best[p] = best[p - 1], id[p] = id[p - 1];
					best[p] = at, id[p] = other * LIGHT + v;
				}
			}
		}
	}
}
