// Sorting networks. TILE points lie side by side, one in each lane, so that one exchange orders two
// rows of all of them. Runs of 8 rows are sorted in registers and merged bitonically: the stages of
// a merge at distances of 4, 2 and 1 stay in registers too, which saves most of the stores.

enum { RUN = 8 };

#define INLINED static inline __attribute__((always_inline))

// order puts two rows in order, with their ids where there are any.
INLINED void ISA(order)(vf *a, vf *b, vi *ia, vi *ib, int with) {
	vf u = *a, v = *b;
	*a = VMIN(u, v);
	*b = VMAX(u, v);
	if (!with) return;
	vm m = VLT(v, u);
	vi iu = *ia, iv = *ib;
	*ia = VISEL(m, iv, iu);
	*ib = VISEL(m, iu, iv);
}

// exchange is order for rows in memory.
INLINED void ISA(exchange)(float *v, int32_t *id, int a, int b) {
	for (int l = 0; l < TILE; l += W) {
		float *va = v + a * TILE + l, *vb = v + b * TILE + l;
		int32_t *pa = id ? id + a * TILE + l : NULL, *pb = id ? id + b * TILE + l : NULL;
		vf u = VLOAD(va), w = VLOAD(vb);
		vi iu = VI1(0), iw = iu;
		if (id) iu = VILOAD(pa), iw = VILOAD(pb);
		ISA(order)(&u, &w, &iu, &iw, id != NULL);
		VSTORE(va, u);
		VSTORE(vb, w);
		if (id) VISTORE(pa, iu), VISTORE(pb, iw);
	}
}

// run sorts the 8 rows from row at on. With whole they may be in any order; else they are a bitonic
// sequence, after they have kept the lesser, and left the greater, of a comparison with the rows
// other, other + step, ..., when step is not 0.
INLINED void ISA(run)(float *v, int32_t *id, int at, int whole, int other, int step) {
#define ORDER(i, j) ISA(order)(&a[i], &a[j], &k[i], &k[j], id != NULL);
	for (int l = 0; l < TILE; l += W) {
		vf a[RUN];
		vi k[RUN];
#pragma GCC unroll 8
		for (int i = 0; i < RUN; i++) {
			a[i] = VLOAD(v + (at + i) * TILE + l);
			k[i] = id ? VILOAD(id + (at + i) * TILE + l) : VI1(0);
		}
		if (step) {
#pragma GCC unroll 8
			for (int i = 0; i < RUN; i++) {
				int o = (other + step * i) * TILE + l;
				vf b = VLOAD(v + o);
				vi kb = id ? VILOAD(id + o) : VI1(0);
				ISA(order)(&a[i], &b, &k[i], &kb, id != NULL);
				VSTORE(v + o, b);
				if (id) VISTORE(id + o, kb);
			}
		}
		if (whole) {
			ORDER(0, 1) ORDER(2, 3) ORDER(4, 5) ORDER(6, 7)
			ORDER(0, 2) ORDER(1, 3) ORDER(4, 6) ORDER(5, 7)
			ORDER(1, 2) ORDER(5, 6)
			ORDER(0, 4) ORDER(1, 5) ORDER(2, 6) ORDER(3, 7)
			ORDER(2, 4) ORDER(3, 5)
			ORDER(1, 2) ORDER(3, 4) ORDER(5, 6)
		} else {
			ORDER(0, 4) ORDER(1, 5) ORDER(2, 6) ORDER(3, 7)
			ORDER(0, 2) ORDER(1, 3) ORDER(4, 6) ORDER(5, 7)
			ORDER(0, 1) ORDER(2, 3) ORDER(4, 5) ORDER(6, 7)
		}
#pragma GCC unroll 8
		for (int i = 0; i < RUN; i++) {
			VSTORE(v + (at + i) * TILE + l, a[i]);
			if (id) VISTORE(id + (at + i) * TILE + l, k[i]);
		}
	}
#undef ORDER
}

// sort_tile sorts n x TILE values by column, with their ids when there are any. n is a multiple of
// 8. Only the first ranks rows need come out in order; the others are not less.
//
// A merge of p and p rows compares rows i and 2p-1-i, which leaves two bitonic halves, the lesser
// first. Rows from n on count as infinite: no exchange would move them, so it is left out.
INLINED void ISA(sort_tile)(float *v, int32_t *id, int n, int ranks) {
	for (int s = 0; s < n; s += RUN) ISA(run)(v, id, s, 1, 0, 0);
	for (int p = RUN; p < n; p *= 2) {
		int most = 2 * p >= n ? ranks : n;
		for (int b = 0; b + p < n; b += 2 * p) {
			int end = b + 2 * p < n ? b + 2 * p : n;
			if (p > RUN)
				for (int i = b + 2 * p - end; i < p; i++) ISA(exchange)(v, id, b + i, b + 2 * p - 1 - i);
			for (int k = p / 2; k > RUN; k /= 2)
				for (int s = b; s < end && s < most; s += 2 * k)
					for (int i = s; i < s + k && i + k < end; i++) ISA(exchange)(v, id, i, i + k);
			for (int s = b; s < end && s < most; s += 2 * RUN) {
				int two = s + RUN < end;
				if (p == RUN)
					ISA(run)(v, id, s, 0, s + 2 * RUN - 1, -1);
				else if (two)
					ISA(run)(v, id, s, 0, s + RUN, 1);
				else
					ISA(run)(v, id, s, 0, 0, 0);
				if (two && s + RUN < most) ISA(run)(v, id, s + RUN, 0, 0, 0);
			}
		}
	}
}

static int ISA(before)(float da, int32_t ia, float db, int32_t ib) { return da < db || (da == db && ia < ib); }

// settle_ties orders equal distances by id among the first ranks, which the network leaves open. A
// later row comes in only where it ties with the last of them; what it pushes out is lost.
static void ISA(settle_ties)(float *v, int32_t *id, int n, int ranks) {
	uint32_t tied = 0;
	for (int i = 0; i < ranks && i + 1 < n; i++)
		for (int l = 0; l < TILE; l += W) {
			vf a = VLOAD(v + i * TILE + l), b = VLOAD(v + (i + 1) * TILE + l);
			tied |= VBITS(VAND(VEQ(a, b), VLT(a, V1(FAR)))) << l;
		}
	for (; tied; tied &= tied - 1) {
		float *tv = v + __builtin_ctz(tied);
		int32_t *ti = id + __builtin_ctz(tied);
		for (int i = 1; i < n; i++) {
			float y = tv[i * TILE];
			int32_t x = ti[i * TILE];
			int j = i;
			if (i >= ranks) {
				j = ranks - 1;
				if (!ISA(before)(y, x, tv[j * TILE], ti[j * TILE])) continue;
			}
			for (; j > 0 && ISA(before)(y, x, tv[(j - 1) * TILE], ti[(j - 1) * TILE]); j--) {
				tv[j * TILE] = tv[(j - 1) * TILE];
				ti[j * TILE] = ti[(j - 1) * TILE];
			}
			tv[j * TILE] = y;
			ti[j * TILE] = x;
		}
	}
}
