// Nearest points: the filter. A panel of points against four rows at a time, as in neighbours.h; what may be among the
// k nearest of a row is listed, and decided on in knn.c.

// enough returns a value that at least k of n bounds (n a multiple of W) are not above, and few more: bisection.
static float ISA(enough)(const float *key, const float *off, int n, int k) {
	vf least = V1(FAR), most = V1(-FAR);
	for (int i = 0; i < n; i += W) {
		vf b = VLOAD(key + i) + VLOAD(off + i);
		least = VMIN(least, b), most = VMAX(most, b);
	}
	float at[W], lo = FAR, hi = -FAR;
	VSTORE(at, least);
	for (int i = 0; i < W; i++) lo = at[i] < lo ? at[i] : lo;
	VSTORE(at, most);
	for (int i = 0; i < W; i++) hi = at[i] > hi ? at[i] : hi;
	for (int round = 0; round < 10; round++) {
		float mid = lo + (hi - lo) / 2;
		vf limit = V1(mid);
		int count = 0;
		for (int i = 0; i < n; i += W)
			count += __builtin_popcount(VBITS(VLE(VLOAD(key + i) + VLOAD(off + i), limit)));
		if (count >= k)
			hi = mid;
		else
			lo = mid;
		if (count >= k && count <= k + k / 16) break;
	}
	return hi;
}

// thin drops pending ones of row r that k others are certainly nearer than.
static void ISA(thin)(bl_knn_search *w, int32_t r) {
	int n = w->count[r], whole = n / W * W, kept = 0;
	float *key = w->key + (size_t)r * w->cap, *off = w->off + (size_t)r * w->cap, limit = w->limit[r];
	int32_t *slot = w->slot + (size_t)r * w->cap;
	if (whole <= w->k) return;
	float now = ISA(enough)(key, off, whole, w->k);
	if (now < limit) limit = w->limit[r] = now;
	for (int i = 0; i < n; i++) {
		float f = key[i], m = off[i];
		int32_t t = slot[i];
		key[kept] = f, off[kept] = m, slot[kept] = t;
		kept += f - m <= limit;
	}
	w->count[r] = kept;
}

// full makes room among the pending ones of row r, of which there are as many as there is room for.
static void ISA(full)(const bl_knn_set *s, bl_knn_search *w, int32_t r) {
	ISA(thin)(w, r);
	// What the filter cannot tell apart is decided on now, and stays so from then on.
	if (w->count[r] > w->cap - w->cap / 4) bl_knn_decide(s, w, r);
}

// bl_knn_settle decides on what is pending of row r, so that its k-th nearest so far is known to the last bit.
void ISA(bl_knn_settle)(const bl_knn_set *s, bl_knn_search *w, int32_t r) {
	ISA(thin)(w, r);
	bl_knn_decide(s, w, r);
}

// sweep compares rows, the numbers of which are in which, with the panels [from, to).
static void ISA(sweep)(const bl_knn_set *s, bl_knn_search *w, const int32_t *which, int32_t rows, int64_t from,
	int64_t to) {
	int d = s->d;
	for (int64_t p = from; p < to; p++) {
		const float *panel = s->panel + (size_t)p * d * (NV * W), *norm = s->norm + p * (NV * W);
		for (int i = 0; i < rows; i += KNN_FOUR) {
			const float *x[KNN_FOUR];
			for (int r = 0; r < KNN_FOUR; r++) x[r] = w->u + (size_t)which[i + r < rows ? i + r : i] * d;
			const float *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3];
			vf a[KNN_FOUR][NV];
			for (int v = 0; v < NV; v++) a[0][v] = a[1][v] = a[2][v] = a[3][v] = VLOAD(norm + v * W);
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
			for (int r = 0; r < KNN_FOUR; r++) {
				if (i + r >= rows) break;
				int me = which[i + r];
				float both = w->size[me] + s->reach[p];
				float m = w->slack * both * both + 1e-37f;
				vf most = V1(w->limit[me] + m);
				uint64_t hits = 0;
#pragma GCC unroll 4
				for (int v = 0; v < NV; v++) hits |= (uint64_t)VBITS(VLE(a[r][v], most)) << (v * W);
				if (!hits) continue;
				float q[NV * W];
#pragma GCC unroll 4
				for (int v = 0; v < NV; v++) VSTORE(q + v * W, a[r][v]);
				float *key = w->key + (size_t)me * w->cap, *off = w->off + (size_t)me * w->cap;
				int32_t *slot = w->slot + (size_t)me * w->cap, n = w->count[me], self = w->self[me];
				for (; hits; hits &= hits - 1) {
					int32_t at = (int32_t)(p * (NV * W)) + __builtin_ctzll(hits);
					key[n] = q[at - (int32_t)(p * (NV * W))], off[n] = m, slot[n] = at;
					n += s->id[at] != self;
					if (n == w->cap) {
						w->count[me] = n;
						ISA(full)(s, w, me);
						n = w->count[me];
					}
				}
				w->count[me] = n;
			}
		}
	}
}

// bl_knn_sweep compares all rows with the panels [from, to).
void ISA(bl_knn_sweep)(const bl_knn_set *s, bl_knn_search *w, int32_t rows, int64_t from, int64_t to) {
	for (int32_t r = 0; r < rows; r++) w->which[r] = r;
	ISA(sweep)(s, w, w->which, rows, from, to);
}

// apart writes the squared distances of rows of u from the centres of a panel. Each is off by some roundings of itself:
// differences are squared, not products subtracted.
static void ISA(apart)(const bl_knn_set *s, const float *u, int32_t rows, int64_t panel, float *out) {
	int d = s->d;
	const float *centre = s->centre + (size_t)panel * d * (NV * W);
	for (int i = 0; i < rows; i += KNN_FOUR) {
		const float *x[KNN_FOUR];
		for (int r = 0; r < KNN_FOUR; r++) x[r] = u + (size_t)(i + r < rows ? i + r : i) * d;
		const float *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3];
		vf a[KNN_FOUR][NV];
		for (int v = 0; v < NV; v++) a[0][v] = a[1][v] = a[2][v] = a[3][v] = V1(0);
		for (int c = 0; c < d; c++) {
			const float *l = centre + (size_t)c * (NV * W);
			vf b0 = V1(x0[c]), b1 = V1(x1[c]), b2 = V1(x2[c]), b3 = V1(x3[c]);
#pragma GCC unroll 4
			for (int v = 0; v < NV; v++) {
				vf lv = VLOAD(l + v * W), e0 = lv - b0, e1 = lv - b1, e2 = lv - b2, e3 = lv - b3;
				a[0][v] = VFMA(e0, e0, a[0][v]);
				a[1][v] = VFMA(e1, e1, a[1][v]);
				a[2][v] = VFMA(e2, e2, a[2][v]);
				a[3][v] = VFMA(e3, e3, a[3][v]);
			}
		}
		for (int r = 0; r < KNN_FOUR; r++)
			for (int v = 0; v < NV; v++) VSTORE(out + (i + r) * NV * W + v * W, a[r][v]);
	}
}

// bl_knn_gaps finds how far each block is from all rows at least, by their centre (bl_knn_middle).
void ISA(bl_knn_gaps)(const bl_knn_set *s, bl_knn_search *w) {
	for (int64_t b = 0; b < s->blocks; b += NV * W) {
		ISA(apart)(s, w->middle, 1, b / (NV * W), w->apart);
		for (int i = 0; i < NV * W; i++) {
			float radius = s->radius[b + i];
			w->gap[b + i] = radius < 0 ? FAR : sqrtf(w->apart[i]) * (1 - w->slack) - radius - w->radius - 1e-18f;
		}
	}
}

// bl_knn_rest compares rows with those of the blocks [from, to) that may hold nearer points, by the gaps and by what is
// settled of the rows.
void ISA(bl_knn_rest)(const bl_knn_set *s, bl_knn_search *w, int32_t rows, int64_t from, int64_t to) {
	const int64_t panels = KNN_BLOCK / (NV * W);
	float most = bl_knn_bounds(s, w, rows);
	for (int64_t b = from / (NV * W) * (NV * W); b < to; b += NV * W) {
		int first = b < from ? (int)(from - b) : 0, last = to - b < NV * W ? (int)(to - b) : NV * W;
		int some = 0, swept = 0;
		for (int i = first; i < last; i++) some += w->gap[b + i] <= most;
		if (!some) continue;
		ISA(apart)(s, w->u, rows, b / (NV * W), w->apart);
		for (int i = first; i < last; i++) {
			if (!(w->gap[b + i] <= most)) continue;
			int32_t n = 0;
			for (int32_t r = 0; r < rows; r++) {
				float near = w->within[r] + s->radius[b + i] + 1e-7f * w->size[r];
				w->which[n] = r;
				n += !(w->apart[r * NV * W + i] * (1 - w->slack) > near * near + 1e-37f); // as squares may underflow
			}
			if (n) ISA(sweep)(s, w, w->which, n, (b + i) * panels, (b + i + 1) * panels);
			swept += n;
		}
		if (swept) most = bl_knn_bounds(s, w, rows);
	}
}
