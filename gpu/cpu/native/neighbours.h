// Stage A: the nearest landmarks of each point.
//
// A matrix product gives filter distances |L|^2 - 2 x.L (both centred), with bfloat16 factors where
// that pays (kernel_half.c). The find-th smallest of some group minima bounds the find-th smallest of
// all; landmarks below it, with a margin for the rounding of the filter, survive. For those the
// difference to the distance of a near landmark b, (L_b-L_i) . (2 (x-L_b) + (L_b-L_i)), is computed
// from the uncentred coordinates; it does not cancel. Sorting networks, lanes across points, put
// them in order (sort.h).

// load scales a tile of points; it returns their state in near (0, NAN or INFINITY), the margins for
// the rounding of float32, and the lengths of the centred points.
static void ISA(load)(const bl_plan *p, const float *x, int n, scratch *s, float *near, float *margin, float *size) {
	int d = p->d, dp = p->dp;
	const float slack = (float)(d + 8) * 0x1p-23f;
	vf scale = V1(p->scale);
	for (int i = 0; i < TILE; i++) {
		float *row = s->x + (size_t)i * dp, *centred = s->centred + (size_t)i * dp;
		const float *from = x + (size_t)i * d;
		vf norm = V1(0);
		for (int c = 0; c < dp; c += W) {
			vf v;
			if (i < n && c + W <= d) {
				v = VLOAD(from + c);
			} else {
				float rest[W] = {0};
				if (i < n) memcpy(rest, from + c, (d - c) * sizeof(float));
				v = VLOAD(rest);
			}
			v = v * scale;
			vf t = v - VLOAD(p->mean + c);
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
		size[i] = sqrtf(length2);
		margin[i] = slack * p->reach * (2 * size[i] + p->reach);
	}
}

// filter fills s->q, and the minima of groups groups of landmarks when groups is not 0.
static __attribute__((noinline)) void ISA(filter)(const bl_plan *p, scratch *s, int groups) {
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
				int parts = NV;
				if (NV > 2 && turns < 2) { // vectors of one panel that go to the same minima
					parts = 2;
					a[r][0] = VMIN(a[r][0], a[r][2 % NV]);
					a[r][1] = VMIN(a[r][1], a[r][3 % NV]);
				}
#pragma GCC unroll 4
				for (int v = 0; v < NV; v++) {
					if (v >= parts) break;
					float *at = m + ((turn + v) & turns) * W;
					VSTORE(at, VMIN(VLOAD(at), a[r][v]));
				}
			}
		}
		turn += NV;
	}
}

// deltas computes the differences of count listed landmarks to the base, of which twice holds
// 2 (x - L_base). Up to three more than count are written to out; the list is padded.
static void ISA(deltas)(const bl_plan *p, const float *twice, const float *base, int32_t *list, int count, float *out) {
	int dp = p->dp;
	for (int i = 0; i < 3; i++) list[count + i] = 0;
	for (int i = 0; i < count; i += 4) {
		const float *l0 = p->rows + (size_t)list[i] * dp, *l1 = p->rows + (size_t)list[i + 1] * dp;
		const float *l2 = p->rows + (size_t)list[i + 2] * dp, *l3 = p->rows + (size_t)list[i + 3] * dp;
		vf b = VLOAD(base), t = VLOAD(twice);
		vf v0 = b - VLOAD(l0), v1 = b - VLOAD(l1), v2 = b - VLOAD(l2), v3 = b - VLOAD(l3);
		vf s0 = v0 * (t + v0), s1 = v1 * (t + v1), s2 = v2 * (t + v2), s3 = v3 * (t + v3);
		for (int c = W; c < dp; c += W) {
			b = VLOAD(base + c), t = VLOAD(twice + c);
			v0 = b - VLOAD(l0 + c), v1 = b - VLOAD(l1 + c), v2 = b - VLOAD(l2 + c), v3 = b - VLOAD(l3 + c);
			s0 = VFMA(v0, t + v0, s0);
			s1 = VFMA(v1, t + v1, s1);
			s2 = VFMA(v2, t + v2, s2);
			s3 = VFMA(v3, t + v3, s3);
		}
		VSUM4(s0, s1, s2, s3, out + i);
	}
}

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

// survivors lists the landmarks of row q not farther than most, and finds one at least, the nearest.
static inline int ISA(survivors)(const float *q, int gp, float most, float least, int32_t *list, int32_t *nearest) {
	int n = 0;
	int32_t found[W];
	vf limit = V1(most), lowest = V1(least);
	vi at = VI1(0); // vector in which each lane saw the nearest, a mark above it
	for (int j = 0; j < gp; j += W) {
		vf v = VLOAD(q + j);
		n += emit(list + n, VLE(v, limit), j);
		at = VISEL(VLE(v, lowest), VI1(j + W), at);
	}
	VISTORE(found, at);
	uint32_t lanes = VBITS(VLT(V1(0), VFLOAT(at)));
	int lane = lanes ? __builtin_ctz(lanes) : 0;
	*nearest = lanes ? found[lane] - W + lane : 0;
	return n;
}

// threshold finds, for each point of a tile, the least filter distance and a bound for that of the
// neighbours.
static void ISA(threshold)(const bl_plan *p, scratch *s, int find, int groups, const float *margin,
	const float *size, float coarse, float *least, float *most) {
	for (int i = 0; i < TILE; i++) most[i] = least[i] = 1e38f;
	if (!groups) {
		for (int i = 0; i < TILE; i++) {
			const float *q = s->q + (size_t)i * p->gp;
			for (int j = 0; j < p->g; j++)
				if (q[j] < least[i]) least[i] = q[j];
		}
		return;
	}
	for (int i = 0; i < TILE; i += STEP)
		for (int j = 0; j < groups; j += STEP) TRANSPOSE(s->minima + i * groups + j, groups, s->sorted + j * TILE + i);
	ISA(sort_tile)(s->sorted, NULL, groups, find);
	const float *last = s->sorted + (find - 1) * TILE;
	for (int l = 0; l < TILE; l += W) {
		VSTORE(least + l, VMIN(VLOAD(s->sorted + l), V1(1e38f)));
		vf more = VFMA(V1(coarse), VLOAD(size + l), VLOAD(margin + l));
		VSTORE(most + l, VMIN(VLOAD(last + l) + more, V1(1e38f)));
	}
}

// list finds the survivors of the points in todo; it returns those points that have more than few.
static uint32_t ISA(list)(const bl_plan *p, scratch *s, uint32_t todo, int few, const float *least, const float *most,
	int32_t *count, int32_t *base) {
	uint32_t over = 0;
	for (; todo; todo &= todo - 1) {
		int i = __builtin_ctz(todo);
		count[i] = ISA(survivors)(s->q + (size_t)i * p->gp, p->gp, most[i], least[i], s->list + i * listed(p), &base[i]);
		over |= (uint32_t)(count[i] > few) << i;
	}
	return over;
}

// search lists the survivors of the points in todo. What it lists for one point does not depend on
// the others.
static void ISA(search)(const bl_plan *p, scratch *s, int find, int groups, const float *margin, const float *size,
	uint32_t todo, int32_t *count, int32_t *base) {
	float least[TILE], most[TILE];
#if W == 16
	if (p->coarse && groups) {
		bl_filter_half(p, s, groups);
		ISA(threshold)(p, s, find, groups, margin, size, HALF_MARGIN * p->reach, least, most);
		todo = ISA(list)(p, s, todo, FEW, least, most, count, base);
		if (!todo) return;
	}
#endif
	ISA(filter)(p, s, groups);
	ISA(threshold)(p, s, find, groups, margin, size, 0, least, most);
	ISA(list)(p, s, todo, p->gp, least, most, count, base);
}

// recheck computes the deltas of count survivors of point i of a tile to a base, and its distance
// from that.
static inline float ISA(recheck)(const bl_plan *p, scratch *s, int i, int32_t base, int count, float *out) {
	int dp = p->dp;
	const float *x = s->x + (size_t)i * dp, *lb = p->rows + (size_t)base * dp;
	vf sum = V1(0);
	for (int q = 0; q < dp; q += W) {
		vf u = VLOAD(x + q) - VLOAD(lb + q);
		VSTORE(s->twice + q, u + u);
		sum = VFMA(u, u, sum);
	}
	ISA(deltas)(p, s->twice, lb, s->list + i * listed(p), count, out);
	return VSUM(sum);
}

// rebase does the neighbours of point i over, in s->list, from the nearest of them, the first: for
// the rare point whose base was another one, as deltas are rounded in proportion to that one's distance.
static float ISA(rebase)(const bl_plan *p, scratch *s, int i, int find, float *out) {
	int32_t *list = s->list + i * listed(p);
	float near = ISA(recheck)(p, s, i, list[0], find, out);
	for (int r = 1; r < find; r++) {
		int32_t id = list[r];
		float v = out[r];
		int j = r;
		for (; j > 0 && ISA(before)(v, id, out[j - 1], list[j - 1]); j--) out[j] = out[j - 1], list[j] = list[j - 1];
		out[j] = v, list[j] = id;
	}
	return near;
}

static void ISA(tile)(const bl_plan *p, const float *x, int n, int find, int groups, scratch *s, uint32_t wanted,
	uint16_t *ids, float *delta, float *near) {
	float state[TILE], margin[TILE], size[TILE];
	int32_t count[TILE] = {0}, base[TILE] = {0}, longest = 0;
	uint32_t todo = 0, ready = 0; // points that have neighbours, and those that the network sorts
	ISA(load)(p, x, n, s, state, margin, size);
	for (int i = 0; i < TILE; i++) {
		if (!(wanted >> i & 1)) continue;
		near[i] = state[i];
		if (state[i] == 0)
			todo |= 1u << i;
		else
			for (int r = 0; r < find; r++) ids[r * TILE + i] = 0, delta[r * TILE + i] = 0;
	}
	if (!todo) return;
	ISA(search)(p, s, find, groups, margin, size, todo, count, base);
	for (; todo; todo &= todo - 1) {
		int i = __builtin_ctz(todo), c = count[i];
		if (c <= SORTED) {
			if (c > longest) longest = c;
			ready |= 1u << i;
			continue;
		}
		int32_t *list = s->list + i * listed(p);
		near[i] = ISA(recheck)(p, s, i, base[i], c, s->heap_delta);
		ISA(select_heap)(s->heap_delta, list, c, find);
		if (list[0] != base[i]) near[i] = ISA(rebase)(p, s, i, find, s->heap_delta);
		for (int r = 0; r < find; r++) {
			ids[r * TILE + i] = (uint16_t)list[r];
			delta[r * TILE + i] = s->heap_delta[r] - s->heap_delta[0];
		}
		count[i] = 0;
	}
	if (!ready) return;
	int rows = (longest + RUN - 1) / RUN * RUN;
	for (int i = 0; i < TILE; i++) {
		float *out = s->rough + i * ROUGH;
		if (ready >> i & 1) near[i] = ISA(recheck)(p, s, i, base[i], count[i], out);
		for (int r = count[i]; r < rows; r += W) VSTORE(out + r, V1(FAR));
	}
	for (int i = 0; i < TILE; i += STEP)
		for (int r = 0; r < rows; r += STEP) {
			TRANSPOSE(s->rough + i * ROUGH + r, ROUGH, s->delta + r * TILE + i);
			TRANSPOSE(s->list + i * listed(p) + r, listed(p), s->id + r * TILE + i);
		}
	ISA(sort_tile)(s->delta, s->id, rows, find + 1);
	ISA(settle_ties)(s->delta, s->id, rows, find);
	for (int i = 0; i < TILE; i++) {
		if (!count[i] || s->id[i] == base[i]) continue;
		int32_t *list = s->list + i * listed(p);
		for (int r = 0; r < find; r++) list[r] = s->id[r * TILE + i];
		near[i] = ISA(rebase)(p, s, i, find, s->rough);
		for (int r = 0; r < find; r++) s->id[r * TILE + i] = list[r], s->delta[r * TILE + i] = s->rough[r];
	}
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
