// Nearest points: the filter. A panel of points against four rows at a time, as in neighbours.h; what may be among the
// k nearest of a row is listed, and decided on in knn.c.

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
				vf most = V1(w->limit[i + r] + (w->slack * both * both + 1e-37f));
				uint64_t hits = 0;
#pragma GCC unroll 4
				for (int v = 0; v < NV; v++) hits |= (uint64_t)VBITS(VLE(a[r][v], most)) << (v * W);
				if (!hits) continue;
				float q[NV * W];
#pragma GCC unroll 4
				for (int v = 0; v < NV; v++) VSTORE(q + v * W, a[r][v]);
				float *key = w->key + (size_t)(i + r) * w->cap;
				int32_t *slot = w->slot + (size_t)(i + r) * w->cap, n = w->count[i + r], self = w->self[i + r];
				for (; hits; hits &= hits - 1) {
					int32_t at = (int32_t)(p * (NV * W)) + __builtin_ctzll(hits);
					key[n] = q[at - (int32_t)(p * (NV * W))], slot[n] = at;
					n += s->id[at] != self;
					if (n == w->cap) {
						w->count[i + r] = n;
						bl_knn_full(s, w, i + r);
						n = w->count[i + r];
					}
				}
				w->count[i + r] = n;
			}
		}
	}
}
