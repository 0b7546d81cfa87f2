// The part of light_body.h that looks at points of the lattice, for instruction sets with products of 16 bits: twice as
// many of them are made at once as of float32, and they are exact. A lattice point q is within half a unit of its point in
// each column, so distances of two are off by l->slack at most. A score is q.r - floor(|r|^2/2), below 2^31 as no |q| is
// above 32767; a pair may be within t if |q-r| < t + slack, that is, if its score is above (|q|^2 - (t + slack)^2)/2.

enum {
	AHEAD = W == 16 ? 6 : 4, // rows whose scores are made together
	CACHED = 32,             // pairs of columns: those of two blocks and the scores fill a first cache
};

// fetching is what is asked from memory while a block is looked at: the next one.
typedef struct {
	const int32_t *at, *end;
	int32_t step; // lines at a time
} ISA(fetching);

static inline void ISA(fetch)(ISA(fetching) *f) {
	for (int i = 0; i < f->step && f->at < f->end; i++, f->at += 16) __builtin_prefetch(f->at, 0, 2);
}

// dots adds to the scores of AHEAD points (pairs of columns, LIGHT apart) and a panel what some pairs of columns have;
// before these they are at from, each so many numbers after the one before.
static __attribute__((noinline)) void ISA(dots)(int pairs, const int32_t *const *x, const int32_t *panel,
	const int32_t *from, size_t apart, int32_t *out) {
	for (int i = 0; i < LIGHT; i += STRIP) {
		vi a[AHEAD][NV];
#pragma GCC unroll 8
		for (int r = 0; r < AHEAD; r++)
#pragma GCC unroll 8
			for (int v = 0; v < NV; v++) a[r][v] = VILOAD(from + r * apart + i + v * W);
		const int32_t *p = panel + i;
		for (int c = 0; c < pairs; c++, p += LIGHT) {
			vi y[NV];
#pragma GCC unroll 8
			for (int v = 0; v < NV; v++) y[v] = VILOAD(p + v * W);
#pragma GCC unroll 8
			for (int r = 0; r < AHEAD; r++) {
				vi t = VI1(x[r][(size_t)c * LIGHT]);
#pragma GCC unroll 8
				for (int v = 0; v < NV; v++) a[r][v] = VIADD(a[r][v], VIDOT(t, y[v]));
			}
		}
#pragma GCC unroll 8
		for (int r = 0; r < AHEAD; r++)
#pragma GCC unroll 8
			for (int v = 0; v < NV; v++) VISTORE(out + r * LIGHT + i + v * W, a[r][v]);
	}
}

// steps is how far t goes in units of a lattice, which only grows by being rounded.
static inline float ISA(steps)(float t, float per_unit, float slack) { return (t * per_unit + slack) * WIDER; }

// at_least is the largest whole number that scores of a point with square s above which may be within t steps.
static inline int32_t ISA(at_least)(int32_t s, float t) {
	double at = floor(((double)s - (double)t * t) / 2);
	return at > INT32_MIN ? (int32_t)at : INT32_MIN;
}

// within returns which points of a block may have one of another block within reach of them, as reached.
static uint64_t ISA(within)(const bl_layout *l, const bl_bounds *b, int32_t a, int32_t other, float least) {
	const int32_t *own = l->lattice + (size_t)a * l->panel, *c = l->lattice_centre + (size_t)other * l->pairs;
	const int32_t *square = l->square + (size_t)a * LIGHT;
	const float *s = b->s + (size_t)a * LIGHT;
	vf radius = V1(l->lattice_radius[other]), centre = V1((float)l->centre_square[other]);
	uint64_t mask = 0;
	enum { MANY = W == 16 ? 4 : 8 };
	for (int from = 0; from < LIGHT; from += MANY * W) {
		vi acc[MANY];
#pragma GCC unroll 8
		for (int v = 0; v < MANY; v++) acc[v] = VI1(0);
		const int32_t *p = own + from;
		for (int k = 0; k < l->pairs; k++, p += LIGHT) {
			vi t = VI1(c[k]);
#pragma GCC unroll 8
			for (int v = 0; v < MANY; v++) acc[v] = VIADD(acc[v], VIDOT(t, VILOAD(p + v * W)));
		}
		for (int v = 0; v < MANY; v++) {
			int i = from + v * W;
			vf own_reach = VMAX(VLOAD(s + i), V1(least));
			vf t = (own_reach * V1(l->per_unit) + V1(l->slack) + radius) * V1(WIDER), far = t * t;
			// 2^-21 of both terms, and 2, is more than float32 rounds here, the score included.
			vf limit = (centre - far) * V1(0.5f) - (centre + far) * V1(0x1p-21f) - V1(2);
			vi score = VISUB(acc[v], VSHR(VILOAD(square + i), 1));
			uint64_t near = VBITS(VLT(limit, VFLOAT(score)));
			if (b->core) near &= VBITS(VLT(VLOAD(b->core + (size_t)a * LIGHT + i), own_reach));
			mask |= near << i;
		}
	}
	return mask;
}

// prepare writes what dots and passing need of a block.
static void ISA(prepare)(const bl_bounds *b, const int32_t *square, const float *reach, float per_unit, float slack,
	bl_sight *s) {
	for (int v = 0; v < LIGHT; v += W) {
		VISTORE(s->start + v, VISUB(VI1(0), VSHR(VILOAD(square + v), 1)));
		if (b->full) continue;
		vf t = (VLOAD(reach + v) * V1(per_unit) + V1(slack)) * V1(WIDER);
		vf half = VMIN(t * t * V1(0.5f * WIDER) + V1(2), V1(0x1.fffffep30f)); // no two points are so far apart
		VISTORE(s->beyond + v, VROUND(half));
	}
	if (b->full) return;
	int32_t most = 0;
	for (int v = 0; v < LIGHT; v++) most = s->beyond[v] > most ? s->beyond[v] : most;
	s->beyond[LIGHT] = most;
}

// passing returns which points of a block, by their scores, may be within t steps of one of such a square; beyond is NULL
// where they reach no further than that.
static inline uint64_t ISA(passing)(const int32_t *score, int32_t square, float t, const int32_t *beyond) {
	vi at = VI1(ISA(at_least)(square, t));
	uint64_t near = 0;
	if (!beyond)
		for (int v = 0; v < LIGHT; v += W) near |= (uint64_t)VBITS(VILT(at, VILOAD(score + v))) << v;
	else {
		// Most rows have nobody within the furthest reach of the block.
		vi h = VI1(square / 2), loose = VIMIN(at, VISUB(h, VI1(beyond[LIGHT])));
		vm any = VILT(loose, VILOAD(score));
		for (int v = W; v < LIGHT; v += W) any = VOR(any, VILT(loose, VILOAD(score + v)));
		if (!VBITS(any)) return 0;
		for (int v = 0; v < LIGHT; v += W) {
			vi limit = VIMIN(at, VISUB(h, VILOAD(beyond + v)));
			near |= (uint64_t)VBITS(VILT(limit, VILOAD(score + v))) << v;
		}
	}
	return near;
}

// sift returns which of some points of a block may be within the reach of place u, by their values in the table: where
// few are left of a row, that is less work than to score all of them.
static uint64_t ISA(sift)(const bl_layout *l, const bl_bounds *b, int32_t u, int32_t other, float t, uint64_t mask) {
	int d = l->d;
	const float *x = l->x + (size_t)l->row[u] * d, *reach = b->s + (size_t)other * LIGHT;
	float wide = (float)(1 / l->scale) * (1 + 0x1p-20f), less = 1 - (float)(d + 8) * 0x1p-23f;
	uint64_t left = 0;
	for (; mask; mask &= mask - 1) {
		int v = __builtin_ctzll(mask), c = 0;
		const float *y = l->x + (size_t)l->row[other * LIGHT + v] * d;
		vf a = V1(0), e = V1(0);
		for (; c + 2 * W <= d; c += 2 * W) {
			vf p = VLOAD(x + c) - VLOAD(y + c), q = VLOAD(x + c + W) - VLOAD(y + c + W);
			a = VFMA(p, p, a), e = VFMA(q, q, e);
		}
		float sum = VSUM(a + e), far = b->full || t > reach[v] ? t : reach[v];
		for (; c < d; c++) sum += (x[c] - y[c]) * (x[c] - y[c]);
		far *= wide;
		// Where squares are beyond float32, or near its end, they tell nothing.
		if (!(sum < INFINITY) || far * far < 0x1p-100f || sum * less < far * far) left |= 1ull << v;
	}
	return left;
}

// points is which places of a block there are.
static inline uint64_t ISA(points)(const bl_layout *l, int32_t block) {
	int32_t many = l->n - block * LIGHT;
	return many >= LIGHT ? ~0ull : (1ull << many) - 1;
}

// others is which points of a block are looked at for place u, of those that are there.
static inline uint64_t ISA(others)(const bl_bounds *b, int32_t a, int32_t other, int u, uint64_t there) {
	if (a != other) return there;
	return there & (b->full ? ~(1ull << u) : u == 63 ? 0 : ~0ull << (u + 1));
}

// sketched looks at the sketch of some rows, and returns how many of them have points in a block that may be near; which
// ones s->near says. Of those with few points it says which are left by sift, and that it does, by bit r of sifted.
static int32_t ISA(sketched)(const bl_layout *l, const bl_bounds *b, int32_t a, int32_t other, float m, float least,
	uint64_t there, int32_t *row, int32_t rows, uint64_t *sifted, bl_sight *s) {
	enum { FEW = 16 };
	const int32_t *own = l->lattice + (size_t)a * l->panel + (size_t)l->pairs * LIGHT;
	const int32_t *panel = l->lattice + (size_t)other * l->panel + (size_t)l->pairs * LIGHT;
	const int32_t *square = own + (size_t)l->sketch_pairs * LIGHT;
	int32_t left = 0;
	ISA(prepare)(b, panel + (size_t)l->sketch_pairs * LIGHT, b->s + (size_t)other * LIGHT, l->sketch_per_unit,
		l->sketch_slack, s);
	for (int32_t first = 0; first < rows; first += AHEAD) {
		const int32_t *x[AHEAD];
		for (int r = 0; r < AHEAD; r++) x[r] = own + row[first + r < rows ? first + r : first];
		ISA(dots)(l->sketch_pairs, x, panel, s->start, 0, s->score);
		for (int32_t r = first; r < rows && r < first + AHEAD; r++) {
			int32_t u = row[r];
			float t = b->s[(size_t)a * LIGHT + u];
			if (t < m) t = m;
			uint64_t near = ISA(passing)(s->score + (size_t)(r - first) * LIGHT, square[u],
				ISA(steps)(t, l->sketch_per_unit, l->sketch_slack), b->full || t >= least ? NULL : s->beyond);
			near &= ISA(others)(b, a, other, u, there);
			if (!near) continue;
			if (l->metric == EUCLIDEAN && __builtin_popcountll(near) <= FEW) {
				near = ISA(sift)(l, b, a * LIGHT + u, other, t, near);
				if (!near) continue;
				*sifted |= 1ull << left;
			}
			row[left] = u, s->near[left++] = near;
		}
	}
	return left;
}

// lattice_tile is tile, where the lattice is fine enough; after is the block that comes then, or -1.
static int32_t ISA(lattice_tile)(const bl_layout *l, const bl_bounds *b, int32_t a, int32_t other, int32_t after,
	float m, uint64_t mask, bl_edge *out, bl_counts *n, bl_sight *s) {
	int32_t kept = 0;
	uint64_t there = ISA(points)(l, other), sifted = 0;
	// Either side may have the rows: the one with fewer that may be near. Where there is a sketch it tells as much, and reads
	// less of the other block.
	if (!b->full && a != other && !l->sketch_pairs) {
		there &= ISA(within)(l, b, other, a, m > b->smax[a] ? m : b->smax[a]);
		if (__builtin_popcountll(there) < __builtin_popcountll(mask)) {
			int32_t block = a;
			uint64_t rows = there;
			a = other, other = block, there = mask, mask = rows;
		}
	}
	const int32_t *own = l->lattice + (size_t)a * l->panel, *panel = l->lattice + (size_t)other * l->panel;
	const int32_t *square = l->square + (size_t)a * LIGHT;
	const float *sa = b->s + (size_t)a * LIGHT;
	float least = b->full ? m : m > b->smax[other] ? m : b->smax[other]; // a row that reaches so far needs one limit
	int32_t row[LIGHT], rows = 0, left = 0;
	for (; mask; mask &= mask - 1) row[rows++] = __builtin_ctzll(mask);
	n->tested += (int64_t)rows * __builtin_popcountll(ISA(points)(l, other));
	if (l->sketch_pairs) {
		rows = ISA(sketched)(l, b, a, other, m, least, there, row, rows, &sifted, s);
		for (int32_t r = 0; r < rows; r++) {
			int u = row[r];
			if (sifted >> r & 1)
				kept += bl_weigh(l, b, a * LIGHT + u, other, s->near[r], NULL, out + kept, n);
			else
				row[left++] = u;
		}
		rows = left;
	}
	if (!rows) return kept;
	ISA(prepare)(b, l->square + (size_t)other * LIGHT, b->s + (size_t)other * LIGHT, l->per_unit, l->slack, s);
	ISA(fetching) f = {0};
	if (after >= 0) {
		int32_t turns = (rows + AHEAD - 1) / AHEAD * ((l->pairs + CACHED - 1) / CACHED);
		f.at = l->lattice + (size_t)after * l->panel, f.end = f.at + (size_t)l->pairs * LIGHT;
		f.step = (int32_t)((f.end - f.at) / 16 / turns) + 1;
		for (int i = 0; i < LIGHT; i += 16) {
			__builtin_prefetch(l->square + (size_t)after * LIGHT + i);
			__builtin_prefetch(b->s + (size_t)after * LIGHT + i);
		}
	}
	// Where there are many columns: some of them of all rows, then the next, which stay in the first cache meanwhile.
	int32_t band = l->pairs > CACHED ? LIGHT : AHEAD;
	for (int32_t begin = 0; begin < rows; begin += band) {
		int32_t end = begin + band < rows ? begin + band : rows;
		for (int c = 0; c < l->pairs; c += CACHED) {
			int pairs = l->pairs - c < CACHED ? l->pairs - c : CACHED;
			for (int32_t first = begin; first < end; first += AHEAD) {
				const int32_t *x[AHEAD];
				int32_t *score = s->score + (size_t)(first - begin) * LIGHT;
				for (int r = 0; r < AHEAD; r++) x[r] = own + (size_t)c * LIGHT + row[first + r < end ? first + r : first];
				ISA(fetch)(&f);
				ISA(dots)(pairs, x, panel + (size_t)c * LIGHT, c ? score : s->start, c ? LIGHT : 0, score);
			}
		}
		for (int32_t r = begin; r < end; r++) {
			int u = row[r];
			float t = sa[u] > m ? sa[u] : m;
			const int32_t *score = s->score + (size_t)(r - begin) * LIGHT;
			uint64_t near = ISA(passing)(score, square[u], ISA(steps)(t, l->per_unit, l->slack),
				b->full || t >= least ? NULL : s->beyond);
			near &= ISA(others)(b, a, other, u, there);
			if (near) kept += bl_weigh(l, b, a * LIGHT + u, other, near, l->whole ? score : NULL, out + kept, n);
		}
	}
	return kept;
}
