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

// full makes room among the pending ones of row r, of which there are as many as there is room for.
static void ISA(full)(const bl_knn_set *s, bl_knn_search *w, int32_t r) {
	int n = w->cap, kept = 0;
	float *key = w->key + (size_t)r * n, *off = w->off + (size_t)r * n, limit = w->limit[r];
	int32_t *slot = w->slot + (size_t)r * n;
	if (!w->decided[r]) {
		float now = ISA(enough)(key, off, n, w->k);
		if (now < limit) limit = w->limit[r] = now;
	}
	for (int i = 0; i < n; i++) {
		float f = key[i], m = off[i];
		int32_t t = slot[i];
		key[kept] = f, off[kept] = m, slot[kept] = t;
		kept += f - m <= limit;
	}
	w->count[r] = kept;
	// What the filter cannot tell apart is decided on now, and stays so from then on.
	if (kept > n - n / 4) bl_knn_decide(s, w, r);
}

// bl_knn_sweep compares rows with the panels [from, to).
void ISA(bl_knn_sweep)(const bl_knn_set *s, bl_knn_search *w, int32_t rows, int64_t from, int64_t to) {
	int d = s->d;
	for (int64_t p = from; p < to; p++) {
		const float *panel = s->panel + (size_t)p * d * (NV * W), *norm = s->norm + p * (NV * W);
		for (int i = 0; i < rows; i += KNN_FOUR) {
			const float *x[KNN_FOUR];
			for (int r = 0; r < KNN_FOUR; r++) x[r] = w->u + (size_t)(i + r < rows ? i + r : i) * d;
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
				float both = w->size[i + r] + s->reach[p];
				float m = w->slack * both * both + 1e-37f;
				vf most = V1(w->limit[i + r] + m);
				uint64_t hits = 0;
#pragma GCC unroll 4
				for (int v = 0; v < NV; v++) hits |= (uint64_t)VBITS(VLE(a[r][v], most)) << (v * W);
				if (!hits) continue;
				float q[NV * W];
#pragma GCC unroll 4
				for (int v = 0; v < NV; v++) VSTORE(q + v * W, a[r][v]);
				float *key = w->key + (size_t)(i + r) * w->cap, *off = w->off + (size_t)(i + r) * w->cap;
				int32_t *slot = w->slot + (size_t)(i + r) * w->cap, n = w->count[i + r], self = w->self[i + r];
				for (; hits; hits &= hits - 1) {
					int32_t at = (int32_t)(p * (NV * W)) + __builtin_ctzll(hits);
					key[n] = q[at - (int32_t)(p * (NV * W))], off[n] = m, slot[n] = at;
					n += s->id[at] != self;
					if (n == w->cap) {
						w->count[i + r] = n;
						ISA(full)(s, w, i + r);
						n = w->count[i + r];
					}
				}
				w->count[i + r] = n;
			}
		}
	}
}
