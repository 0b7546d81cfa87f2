// Stage A: the nearest landmarks of each point.
//
// A matrix product gives filter distances |L|^2 - 2 x.L (both centred). The find-th smallest of some
// group minima bounds the find-th smallest of all; landmarks below it, with a margin for the
// rounding of the filter, survive. For those the difference to the distance of a near landmark b,
// (L_b-L_i) . (2 (x-L_b) + (L_b-L_i)), is computed from the uncentred coordinates; it does not
// cancel. Sorting networks, lanes across points, put them in order.

// load scales a tile of points; it returns their state in near (0, NAN or INFINITY) and the margins.
static void ISA(load)(const bl_plan *p, const float *x, int n, scratch *s, float *near, float *margin) {
	int d = p->d, dp = p->dp;
	const float slack = (float)(d + 8) * 0x1p-23f;
	vf scale = V1(p->scale);
	memset(s->x, 0, TILE * (size_t)dp * sizeof(float));
	for (int i = 0; i < TILE; i++) {
		float *row = s->x + (size_t)i * dp, *centred = s->centred + (size_t)i * dp;
		if (i < n) memcpy(row, x + (size_t)i * d, d * sizeof(float));
		vf norm = V1(0);
		for (int c = 0; c < dp; c += W) {
			vf v = VLOAD(row + c) * scale, t = v - VLOAD(p->mean + c);
			VSTORE(row + c, v);
			VSTORE(centred + c, t);
			norm = VFMA(t, t, norm);
		}
		float length2 = VSUM(norm);
		near[i] = 0;
		if (!(length2 < 1e18f)) {
			near[i] = INFINITY;
			for (int c = 0; c < d && i < n; c++) {
				float v = x[(size_t)i * d + c];
				if (!(v - v == 0)) near[i] = NAN;
			}
			length2 = 0;
			memset(row, 0, dp * sizeof(float));
			memset(centred, 0, dp * sizeof(float));
		}
		margin[i] = slack * p->reach * (2 * sqrtf(length2) + p->reach);
	}
}

// filter fills s->q, and the minima of groups groups of landmarks when groups is not 0.
static void ISA(filter)(const bl_plan *p, scratch *s, int groups) {
	int d = p->d, gp = p->gp;
	size_t dp = p->dp;
	int turns = groups / W - 1, turn = 0; // a mask: the number of minima vectors is a power of two
	for (int i = 0; i < TILE * groups; i += W) VSTORE(s->minima + i, V1(FAR));
	for (int j = 0; j < gp; j += NV * W) {
		const float *panel = p->panel + (size_t)j * d;
		for (int i = 0; i < TILE; i += 4) {
			const float *x0 = s->centred + i * dp, *x1 = x0 + dp, *x2 = x1 + dp, *x3 = x2 + dp;
			vf a[4][NV];
			for (int v = 0; v < NV; v++) a[0][v] = a[1][v] = a[2][v] = a[3][v] = VLOAD(p->norm + j + v * W);
			for (int c = 0; c < d; c++) {
				const float *l = panel + (size_t)c * (NV * W);
				vf b0 = V1(x0[c]), b1 = V1(x1[c]), b2 = V1(x2[c]), b3 = V1(x3[c]);
#pragma GCC unroll 4
				for (int v = 0; v < NV; v++) {
					vf lv = VLOAD(l + v * W);
					a[0][v] = VFMA(lv, b0, a[0][v]);
					a[1][v] = VFMA(lv, b1, a[1][v]);
					a[2][v] = VFMA(lv, b2, a[2][v]);
					a[3][v] = VFMA(lv, b3, a[3][v]);
				}
			}
#pragma GCC unroll 4
			for (int r = 0; r < 4; r++) {
				float *q = s->q + (size_t)(i + r) * gp + j;
#pragma GCC unroll 4
				for (int v = 0; v < NV; v++) VSTORE(q + v * W, a[r][v]);
				if (!groups) continue;
				float *m = s->minima + (i + r) * groups;
#pragma GCC unroll 4
				for (int v = 0; v < NV; v++) {
					float *at = m + ((turn + v) & turns) * W;
					VSTORE(at, VMIN(VLOAD(at), a[r][v]));
				}
			}
		}
		turn += NV;
	}
}

// exchange puts rows i and j of n x TILE values in order, in every lane.
static inline __attribute__((always_inline)) void ISA(exchange)(float *a, float *b) {
	for (int l = 0; l < TILE; l += W) {
		vf u = VLOAD(a + l), v = VLOAD(b + l);
		VSTORE(a + l, VMIN(u, v));
		VSTORE(b + l, VMAX(u, v));
	}
}

static inline __attribute__((always_inline)) void ISA(exchange_ids)(float *a, float *b, int32_t *ia, int32_t *ib) {
	for (int l = 0; l < TILE; l += W) {
		vf u = VLOAD(a + l), v = VLOAD(b + l);
		vi iu = VILOAD(ia + l), iv = VILOAD(ib + l);
		vm m = VLT(v, u);
		VSTORE(a + l, VMIN(u, v));
		VSTORE(b + l, VMAX(u, v));
		VISTORE(ia + l, VISEL(m, iv, iu));
		VISTORE(ib + l, VISEL(m, iu, iv));
	}
}

// sort_tile sorts n x TILE values by column, with their ids when there are any, by Batcher's merge
// exchange (Knuth 5.2.2, algorithm M), which works for every n.
static inline __attribute__((always_inline)) void ISA(sort_tile)(float *v, int32_t *id, int n) {
	int top = 1;
	while (top < n) top <<= 1;
	for (int p = top >> 1; p > 0; p >>= 1) {
		int q = top >> 1, r = 0, d = p;
		for (;;) {
			for (int run = r; run < n - d; run += 2 * p) {
				int end = run + p < n - d ? run + p : n - d;
				for (int i = run; i < end; i++) {
					if (id)
						ISA(exchange_ids)(v + i * TILE, v + (i + d) * TILE, id + i * TILE, id + (i + d) * TILE);
					else
						ISA(exchange)(v + i * TILE, v + (i + d) * TILE);
				}
			}
			if (q == p) break;
			d = q - p;
			q >>= 1;
			r = p;
		}
	}
}

// settle_ties orders equal distances by id among the first ranks, which the network leaves open.
static void ISA(settle_ties)(float *v, int32_t *id, int n, int ranks) {
	uint32_t tied = 0;
	for (int i = 0; i < ranks && i + 1 < n; i++)
		for (int l = 0; l < TILE; l += W) {
			vf a = VLOAD(v + i * TILE + l), b = VLOAD(v + (i + 1) * TILE + l);
			tied |= VBITS(VAND(VEQ(a, b), VLT(a, V1(FAR)))) << l;
		}
	for (; tied; tied &= tied - 1) {
		int l = __builtin_ctz(tied);
		for (int i = 1; i < n; i++) {
			int32_t x = id[i * TILE + l];
			float y = v[i * TILE + l];
			int j = i;
			for (; j > 0 && v[(j - 1) * TILE + l] == y && id[(j - 1) * TILE + l] > x; j--)
				id[j * TILE + l] = id[(j - 1) * TILE + l];
			id[j * TILE + l] = x;
		}
	}
}

// deltas computes the differences of count listed landmarks to the base, of which twice holds
// 2 (x - L_base). Results go to out[i*stride]; up to three more than count are written. The list is
// padded.
static void ISA(deltas)(const bl_plan *p, const float *twice, const float *base, int32_t *list, int count, float *out, size_t stride) {
	int dp = p->dp;
	for (int i = 0; i < 3; i++) list[count + i] = 0;
	for (int i = 0; i < count; i += 4) {
		const float *l0 = p->rows + (size_t)list[i] * dp, *l1 = p->rows + (size_t)list[i + 1] * dp;
		const float *l2 = p->rows + (size_t)list[i + 2] * dp, *l3 = p->rows + (size_t)list[i + 3] * dp;
		vf s0 = V1(0), s1 = s0, s2 = s0, s3 = s0;
		for (int c = 0; c < dp; c += W) {
			vf b = VLOAD(base + c), t = VLOAD(twice + c);
			vf v0 = b - VLOAD(l0 + c), v1 = b - VLOAD(l1 + c), v2 = b - VLOAD(l2 + c), v3 = b - VLOAD(l3 + c);
			s0 = VFMA(v0, t + v0, s0);
			s1 = VFMA(v1, t + v1, s1);
			s2 = VFMA(v2, t + v2, s2);
			s3 = VFMA(v3, t + v3, s3);
		}
		VSUM4(s0, s1, s2, s3, out + i * stride, stride);
	}
}

static int ISA(before)(float da, int32_t ia, float db, int32_t ib) { return da < db || (da == db && ia < ib); }

static void ISA(swap)(float *v, int32_t *id, int i, int j) {
	float tv = v[i];
	int32_t ti = id[i];
	v[i] = v[j], id[i] = id[j];
	v[j] = tv, id[j] = ti;
}

// sift lets entry i of a heap with the farthest on top sink to its place.
static void ISA(sift)(float *v, int32_t *id, int i, int size) {
	for (;;) {
		int c = 2 * i + 1;
		if (c >= size) return;
		if (c + 1 < size && ISA(before)(v[c], id[c], v[c + 1], id[c + 1])) c++;
		if (!ISA(before)(v[i], id[i], v[c], id[c])) return;
		ISA(swap)(v, id, i, c);
		i = c;
	}
}

// select_heap keeps the find nearest of count listed landmarks and sorts them, in place: for the
// rare point with more survivors than the network takes.
static void ISA(select_heap)(float *v, int32_t *id, int count, int find) {
	for (int i = find / 2 - 1; i >= 0; i--) ISA(sift)(v, id, i, find);
	for (int j = find; j < count; j++) {
		if (!ISA(before)(v[j], id[j], v[0], id[0])) continue;
		ISA(swap)(v, id, 0, j);
		ISA(sift)(v, id, 0, find);
	}
	for (int size = find - 1; size > 0; size--) {
		ISA(swap)(v, id, 0, size);
		ISA(sift)(v, id, 0, size);
	}
}

// distance2 is the squared distance of a scaled point from landmark i, by direct differences.
static float ISA(distance2)(const bl_plan *p, const float *x, int32_t i) {
	const float *l = p->rows + (size_t)i * p->dp;
	vf sum = V1(0);
	for (int c = 0; c < p->dp; c += W) {
		vf v = VLOAD(x + c) - VLOAD(l + c);
		sum = VFMA(v, v, sum);
	}
	return VSUM(sum);
}

// survivors lists the landmarks of row q not farther than most, and finds one at least, the nearest.
static int ISA(survivors)(const float *q, int gp, float most, float least, int32_t *list, int32_t *nearest) {
	int n = 0;
	int32_t found[W], best = 0;
	vf limit = V1(most), lowest = V1(least);
	vi at = VI1(0); // vector in which each lane saw the nearest
	for (int j = 0; j < gp; j += W) {
		vf v = VLOAD(q + j);
		n += emit(list + n, VLE(v, limit), j);
		at = VISEL(VLE(v, lowest), VI1(j + W), at);
	}
	VISTORE(found, at);
	for (int l = 0; l < W; l++)
		if (found[l]) best = found[l] - W + l;
	*nearest = best;
	return n;
}

// transpose copies 4 x 4 values from rows of n to columns of a tile.
static inline __attribute__((always_inline)) void ISA(transpose)(const float *from, size_t n, float *to) {
#if defined(__SSE2__)
	__m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + n), c = _mm_loadu_ps(from + 2 * n), d = _mm_loadu_ps(from + 3 * n);
	_MM_TRANSPOSE4_PS(a, b, c, d);
	_mm_storeu_ps(to, a), _mm_storeu_ps(to + TILE, b), _mm_storeu_ps(to + 2 * TILE, c), _mm_storeu_ps(to + 3 * TILE, d);
#else
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++) to[j * TILE + i] = from[i * n + j];
#endif
}

static void ISA(tile)(const bl_plan *p, const float *x, int n, int find, int groups, scratch *s, uint32_t wanted,
	uint16_t *ids, float *delta, float *near) {
	int gp = p->gp, dp = p->dp;
	float state[TILE], margin[TILE], least[TILE], most[TILE];
	int32_t count[TILE], base[TILE], longest = 0;
	ISA(load)(p, x, n, s, state, margin);
	ISA(filter)(p, s, groups);
	for (int i = 0; i < TILE; i++) most[i] = least[i] = 1e38f;
	if (groups) {
		for (int i = 0; i < TILE; i += 4)
			for (int j = 0; j < groups; j += 4) ISA(transpose)(s->minima + i * groups + j, groups, s->sorted + j * TILE + i);
		ISA(sort_tile)(s->sorted, NULL, groups);
		for (int i = 0; i < TILE; i++) {
			least[i] = s->sorted[i];
			float t = s->sorted[(find - 1) * TILE + i] + margin[i];
			if (t < most[i]) most[i] = t;
		}
	} else {
		for (int i = 0; i < TILE; i++)
			for (int j = 0; j < p->g; j++)
				if (s->q[(size_t)i * gp + j] < least[i]) least[i] = s->q[(size_t)i * gp + j];
	}
	for (int i = 0; i < TILE; i++) {
		count[i] = 0;
		if (!(wanted >> i & 1)) continue;
		near[i] = state[i];
		if (state[i] != 0) {
			for (int r = 0; r < find; r++) ids[r * TILE + i] = 0, delta[r * TILE + i] = 0;
			continue;
		}
		base[i] = 0;
		int c = ISA(survivors)(s->q + (size_t)i * gp, gp, most[i], least[i], s->list, &base[i]);
		const float *xi = s->x + (size_t)i * dp, *lb = p->rows + (size_t)base[i] * dp;
		vf sum = V1(0);
		for (int q = 0; q < dp; q += W) {
			vf u = VLOAD(xi + q) - VLOAD(lb + q);
			VSTORE(s->twice + q, u + u);
			sum = VFMA(u, u, sum);
		}
		near[i] = VSUM(sum);
		if (c <= SORTED) {
			count[i] = c;
			if (c > longest) longest = c;
			ISA(deltas)(p, s->twice, lb, s->list, c, s->delta + i, TILE);
			for (int r = 0; r < c; r++) s->id[r * TILE + i] = s->list[r];
		} else {
			ISA(deltas)(p, s->twice, lb, s->list, c, s->heap_delta, 1);
			ISA(select_heap)(s->heap_delta, s->list, c, find);
			if (s->list[0] != base[i]) near[i] = ISA(distance2)(p, xi, s->list[0]);
			for (int r = 0; r < find; r++) {
				ids[r * TILE + i] = (uint16_t)s->list[r];
				delta[r * TILE + i] = s->heap_delta[r] - s->heap_delta[0];
			}
		}
	}
	if (!longest) return;
	int shortest = longest;
	uint32_t ready = 0; // points that the network sorts
	for (int i = 0; i < TILE; i++) {
		if (count[i] < shortest) shortest = count[i];
		ready |= (uint32_t)(count[i] > 0) << i;
	}
	for (int r = shortest; r < longest; r++)
		for (int l = 0; l < TILE; l += W) {
			vm in = VLT(V1((float)r), VFLOAT(VILOAD(count + l)));
			float *v = s->delta + r * TILE + l;
			VSTORE(v, VSEL(in, VLOAD(v), V1(FAR)));
		}
	ISA(sort_tile)(s->delta, s->id, longest);
	ISA(settle_ties)(s->delta, s->id, longest, find);
	for (int i = 0; i < TILE; i++)
		if (count[i] && s->id[i] != base[i]) near[i] = ISA(distance2)(p, s->x + (size_t)i * dp, s->id[i]);
	for (int r = 0; r < find; r++) {
		const float *v = s->delta + r * TILE;
		const int32_t *id = s->id + r * TILE;
		if (ready == 0xffff)
			for (int l = 0; l < TILE; l += W) {
				VSTORE16(ids + r * TILE + l, VILOAD(id + l));
				VSTORE(delta + r * TILE + l, VLOAD(v + l) - VLOAD(s->delta + l));
			}
		else
			for (int i = 0; i < TILE; i++)
				if (ready >> i & 1) ids[r * TILE + i] = (uint16_t)id[i], delta[r * TILE + i] = v[i] - s->delta[i];
	}
}

void ISA(bl_neighbours)(const bl_plan *p, const float *x, int64_t from, int64_t to, int32_t find,
	uint16_t *ids, float *delta, float *near, void *memory) {
	scratch s;
	scratch_layout(&s, p, find, memory);
	int groups = TILE;
	while (2 * groups < 3 * find) groups *= 2;
	if (groups > MAX_GROUPS || 2 * groups > p->gp) groups = 0;
	for (int64_t a = from / TILE * TILE; a < to; a += TILE) {
		int lo = a < from ? (int)(from - a) : 0, hi = to - a < TILE ? (int)(to - a) : TILE;
		uint32_t wanted = ((1u << hi) - 1) & ~((1u << lo) - 1);
		size_t tile = (size_t)(a / TILE) * find * TILE;
		ISA(tile)(p, x + a * p->d, hi, find, groups, &s, wanted, ids + tile, delta + tile, near + a);
	}
}
