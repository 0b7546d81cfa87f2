// Stage B: positions from cached neighbours. Lanes are points, so every line below is a line of the
// formula. Per pair of neighbours i < j with squared distances relative to the nearest, delta:
//
//	e = t - 1/2 = (delta_i - delta_j) / (2q),   q = |L_j - L_i|^2
//	S/H = s_i s_j exp2(log2((1+H)^-adjust / H) - log2(e) e^2)
//
// and the pair's equation along h = l_j - l_i has the right side e H + (|l_j|^2 - |l_i|^2) / 2.
// Positions are relative to that of the nearest landmark.

// Two conditions on rounding, in units of the float32 rounding of the deltas:
#define REFINE 512.f // a pair whose e may be off by this is computed from the coordinates
#define HOPELESS 2e3f // a point whose pairs with the nearest are, is left to the reference

// A point whose equations are so near to parallel that float32 cannot add them up is done again with sums in double
// (again); for those sums pairs are computed from the coordinates earlier. What is nearer than this goes to the
// reference: the smallest determinant as a part of the trace squared on the plane, cubed in space.
#define REFINE_AGAIN 16.f
#define PARALLEL 1e-8

// A determinant below this is too near the end of float32 to divide by (a high boost makes such).
#define TINY_DET 1e-30f

// exp2v is 2^x for x up to 127, 0 below -126.5.
static inline __attribute__((always_inline)) vf ISA(exp2v)(vf x) {
	x = VMAX(x, V1(-127.f)); // also for NaN; nothing here is above 127
	vi n = VROUND(x);
	vf f = x - VFLOAT(n);
	// near-minimax polynomial of 2^f on [-1/2, 1/2], relative error 2e-8 before rounding
	vf p = V1(1.5403530e-4f);
	p = VFMA(p, f, V1(1.3398874e-3f));
	p = VFMA(p, f, V1(9.6180291e-3f));
	p = VFMA(p, f, V1(5.5503324e-2f));
	p = VFMA(p, f, V1(2.4022651e-1f));
	p = VFMA(p, f, V1(6.9314718e-1f));
	p = VFMA(p, f, V1(1.f));
	return p * VCASTF(VSHL(VIADD(n, VI1(127)), 23)); // n = -127 gives exactly 0
}

// log2v is log2 of a positive normal number, to about 1e-7 absolute or relative.
static inline __attribute__((always_inline)) vf ISA(log2v)(vf x) {
	vi bits = VCASTI(x);
	vi e = VIADD(VSHR(bits, 23), VI1(-127));
	vf m = VCASTF(VIOR(VIAND(bits, VI1(0x7fffff)), VI1(0x3f800000))); // [1, 2)
	vm big = VLT(V1(1.41421356f), m);
	m = VSEL(big, m * V1(0.5f), m);
	vf n = VFLOAT(e) + VSEL(big, V1(1.f), V1(0.f));
	vf s = (m - V1(1.f)) / (m + V1(1.f)), s2 = s * s;
	vf p = V1(2.f / 9);
	p = VFMA(p, s2, V1(2.f / 7));
	p = VFMA(p, s2, V1(2.f / 5));
	p = VFMA(p, s2, V1(2.f / 3));
	p = VFMA(p, s2, V1(2.f));
	return VFMA(s * p, V1(1.44269504f), n);
}

// bl_pairs fills 1/(2q) of rows [from, to) of the pair table. A q of 0 marks a pair without a line.
void ISA(bl_pairs)(bl_plan *p, int32_t from, int32_t to) {
	int32_t g = p->g, gp = p->gp, d = p->d;
	for (int32_t i = from; i < to; i++) {
		const float *li = p->rows + (size_t)i * p->dp;
		float *out = p->pair + 2 * (size_t)i * g;
		for (int32_t j = 0; j < g; j += W) {
			vf q = V1(0);
			for (int32_t c = 0; c < d; c++) {
				vf t = VLOAD(p->cols + (size_t)c * gp + j) - V1(li[c]);
				q = VFMA(t, t, q);
			}
			float r[W];
			VSTORE(r, VMIN(V1(0.5f) / q, V1(1e30f)));
			for (int32_t l = 0; l < W && j + l < g; l++) out[2 * (j + l)] = r[l];
		}
	}
}

// weight is log2((1+H)^-adjust / H). Of a pair without a line it is NO_LINE.
static inline __attribute__((always_inline)) vf ISA(weight)(vf adjust, vf h) {
	vf w = V1(0) - VFMA(adjust, ISA(log2v)(V1(1.f) + h), ISA(log2v)(h));
	return VSEL(VAND(VLE(V1(1e-10f), h), VLT(h, V1(1e38f))), w, V1(NO_LINE));
}

// bl_lines fills log2((1+H)^-adjust / H) of rows [from, to) of the pair table.
void ISA(bl_lines)(bl_plan *p, float adjust, int32_t from, int32_t to) {
	int32_t g = p->g;
	for (int32_t i = from; i < to; i++) {
		float *out = p->pair + 2 * (size_t)i * g;
		for (int32_t j = 0; j < g; j += W) {
			vf h = V1(0);
			for (int q = 0; q < p->m; q++) {
				vf t = VLOAD(p->pos[q] + j) - V1(p->pos[q][i]);
				h = VFMA(t, t, h);
			}
			float r[W];
			VSTORE(r, ISA(weight)(V1(adjust), h));
			for (int32_t l = 0; l < W && j + l < g; l++)
				out[2 * (j + l) + 1] = out[2 * (j + l)] < 1e30f ? r[l] : NO_LINE;
		}
	}
}

typedef float f4 __attribute__((vector_size(16)));
typedef double d4 __attribute__((vector_size(32)));

// refine computes e of one pair for one point from the coordinates, in double: four sums at a time, since each waits
// for the one before it.
static float ISA(refine)(const bl_plan *p, const float *x, int32_t i, int32_t j) {
	const float *li = p->rows + (size_t)i * p->dp, *lj = p->rows + (size_t)j * p->dp;
	d4 dots = {0}, squares = {0};
	int32_t c = 0;
	for (; c + 4 <= p->d; c += 4) {
		f4 fi, fj, fx;
		memcpy(&fi, li + c, 16);
		memcpy(&fj, lj + c, 16);
		memcpy(&fx, x + c, 16);
		d4 a = __builtin_convertvector(fi, d4), b = __builtin_convertvector(fj, d4);
		d4 xs = __builtin_convertvector(fx, d4) * (double)p->scale, v = b - a;
		squares += v * v;
		dots += v * ((xs - a) + (xs - b));
	}
	double dot = (dots[0] + dots[1]) + (dots[2] + dots[3]);
	double q = (squares[0] + squares[1]) + (squares[2] + squares[3]);
	for (; c < p->d; c++) {
		double v = (double)lj[c] - li[c], xs = (double)x[c] * p->scale;
		q += v * v;
		dot += v * ((xs - li[c]) + (xs - lj[c]));
	}
	return q > 0 ? (float)(dot / (2 * q)) : 0;
}

#define STAGE(what, r) (stage + ((what) * (size_t)find + (r)) * W)
enum { DELTA, SCORE, PX, PY, PZ, HALF, AX, AY, AZ, ROW, PAIRS }; // what is staged per neighbour: AX to AZ are its
// position as it is, where line weights are computed from them; ROW holds int32 ids, and there are two rows of PAIRS,
// of two floats an entry

// scores stages everything about the neighbours of one vector of points. It returns the factor of
// gravity and sets *fair to the lanes whose scores float32 can give.
static inline __attribute__((always_inline)) vf ISA(scores)(const bl_plan *p, int k, int find, float boost,
	const uint16_t *ids, const float *delta, vf near, float *stage, int dims, int fly, vf *origin, vm *fair) {
	vf d1 = VSQRT(near), mu = V1(0), v = V1(0), last = V1(0);
	float sum = 0;
	for (int r = 0; r < find; r++) {
		vf dl = VLOAD(delta + r * TILE);
		last = dl / VMAX(VSQRT(near + dl) + d1, V1(1e-30f)); // D_r - D_1
		VSTORE(STAGE(SCORE, r), last);
		VSTORE(STAGE(DELTA, r), dl);
		mu = VFMA(last, V1(1.f / (float)(r + 1)), mu);
		sum += 1.f / (float)(r + 1);
	}
	mu = mu * V1(1 / sum);
	for (int r = 0; r < find; r++) {
		vf t = VLOAD(STAGE(SCORE, r)) - mu;
		v = VFMA(t * t, V1(1.f / (float)(r + 1)), v);
	}
	vf per = V1(-boost * 1.44269504f) / VSQRT(v * V1(1 / sum));
	vf steep = V1(10.f) / (d1 + last);
	*fair = VAND(VLT(V1(1e-30f), v), VLT(near, V1(1e30f)));
	for (int r = 0; r < k; r++) {
		vf excess = VLOAD(STAGE(SCORE, r));
		vf s = ISA(exp2v)(excess * per);
		if (k < find) { // f = 1 - exp(z), by its series near 0
			vf z = (excess - last) * steep;
			vf f = V1(-1.f / 720);
			f = VFMA(f, z, V1(-1.f / 120));
			f = VFMA(f, z, V1(-1.f / 24));
			f = VFMA(f, z, V1(-1.f / 6));
			f = VFMA(f, z, V1(-0.5f));
			f = VFMA(f, z, V1(-1.f)) * z;
			s = s * VSEL(VLT(V1(-0.35f), z), f, V1(1.f) - ISA(exp2v)(z * V1(1.44269504f)));
		}
		VSTORE(STAGE(SCORE, r), s);
		vi id = VLOAD16(ids + r * TILE);
		VISTORE((int32_t *)STAGE(ROW, r), id);
		const int32_t *of = (const int32_t *)STAGE(ROW, r);
		float xy[2 * W], zw[2 * W];
		for (int l = 0; l < W; l++) memcpy(xy + 2 * l, p->place + 4 * (size_t)of[l], 8);
		vf l[3], w;
		VPAIRS(xy, &l[0], &l[1]);
		if (dims == 3) {
			for (int q = 0; q < W; q++) memcpy(zw + 2 * q, p->place + 4 * (size_t)of[q] + 2, 8);
			VPAIRS(zw, &l[2], &w);
		}
		vf half = V1(0);
		for (int q = 0; q < dims; q++) {
			if (r == 0) origin[q] = l[q];
			vf t = l[q] - origin[q];
			half = VFMA(t, t, half);
			VSTORE(STAGE(PX + q, r), t);
			if (fly) VSTORE(STAGE(AX + q, r), l[q]);
		}
		VSTORE(STAGE(HALF, r), half * V1(0.5f));
	}
	return V1(1e-5f) * ISA(exp2v)(mu * per);
}

// fetch copies the table entries of neighbour i and all later ones, for a vector of points. Plain
// loads and stores beat gather instructions, and apart from the arithmetic they do not fill the
// processor's window, which would lay open the latency of the long chain there.
static inline __attribute__((always_inline)) void ISA(fetch)(const bl_plan *p, float *stage, int find, int i, int k) {
	const int32_t *id = (const int32_t *)STAGE(ROW, 0);
	float *to = STAGE(PAIRS + (i & 1) * 2, 0);
	size_t g = p->g;
	for (int l = 0; l < W; l += 4) {
		const float *r0 = p->pair + 2 * g * id[i * W + l], *r1 = p->pair + 2 * g * id[i * W + l + 1];
		const float *r2 = p->pair + 2 * g * id[i * W + l + 2], *r3 = p->pair + 2 * g * id[i * W + l + 3];
		for (int j = i + 1; j < k; j++) {
			const int32_t *of = id + j * W + l;
			float *t = to + 2 * (j * W + l);
			memcpy(t, r0 + 2 * (size_t)of[0], 8);
			memcpy(t + 2, r1 + 2 * (size_t)of[1], 8);
			memcpy(t + 4, r2 + 2 * (size_t)of[2], 8);
			memcpy(t + 6, r3 + 2 * (size_t)of[3], 8);
		}
	}
}

// eased takes from e of the pair of neighbours i and j what rounding has done to it, in lanes where that is too much.
static inline __attribute__((always_inline)) vf ISA(eased)(const bl_plan *p, const float *x, const float *stage, int find,
	int i, int j, uint32_t rough, vf e) {
	float fixed[W];
	int32_t a[W], b[W];
	VSTORE(fixed, e);
	VISTORE(a, VILOAD((const int32_t *)STAGE(ROW, i)));
	VISTORE(b, VILOAD((const int32_t *)STAGE(ROW, j)));
	for (; rough; rough &= rough - 1) {
		int l = __builtin_ctz(rough);
		fixed[l] = ISA(refine)(p, x + (size_t)l * p->d, a[l], b[l]);
	}
	return VLOAD(fixed);
}

// line is the line weight of the pair of neighbours i and j from their positions: to the bit what the table would have.
static inline __attribute__((always_inline)) vf ISA(line)(const bl_plan *p, const float *stage, int find, int i, int j,
	int dims, vf iq) {
	vf h = V1(0);
	for (int q = 0; q < dims; q++) {
		vf t = VLOAD(STAGE(AX + q, j)) - VLOAD(STAGE(AX + q, i));
		h = VFMA(t, t, h);
	}
	return VSEL(VLT(iq, V1(1e30f)), ISA(weight)(V1(p->adjust), h), V1(NO_LINE));
}

typedef double vd __attribute__((vector_size(8 * W)));
#define VLONG(a) __builtin_convertvector(a, vd)

// again solves the equations of points whose neighbours are staged, with everything about them that adds up in double.
// It returns the lanes that are left.
static __attribute__((noinline)) uint32_t ISA(again)(const bl_plan *p, const float *x, uint32_t wanted, int k, int find,
	const vf *pull, const vf *limit, const vf *origin, float *out, float *stage, int dims) {
	vd sum[9] = {{0}}; // xx xy yy xz yz zz cx cy cz
	vf tight = *limit * V1(REFINE_AGAIN / REFINE);
	for (int i = 0; i < k; i++) {
		vf si = VLOAD(STAGE(SCORE, i)), di = VLOAD(STAGE(DELTA, i));
		vd a[3] = {{0}}, own = VLONG(*pull * si);
		for (int q = 0; q < dims; q++) {
			a[q] = VLONG(VLOAD(STAGE(PX + q, i)));
			sum[6 + q] += own * a[q];
		}
		sum[0] += own, sum[2] += own, sum[5] += own;
		ISA(fetch)(p, stage, find, i, k);
		const float *pairs = STAGE(PAIRS + (i & 1) * 2, 0);
		for (int j = i + 1; j < k; j++) {
			vf iq, lw;
			VPAIRS(pairs + 2 * j * W, &iq, &lw);
			if (p->fly) lw = ISA(line)(p, stage, find, i, j, dims, iq);
			vf e = (di - VLOAD(STAGE(DELTA, j))) * iq;
			uint32_t rough = VBITS(VAND(VLT(tight, iq), VLT(V1(0.5f * NO_LINE), lw))) & wanted;
			if (rough) e = ISA(eased)(p, x, stage, find, i, j, rough, e);
			e = VMIN(VMAX(e, V1(-64.f)), V1(64.f));
			vf weight = si * VLOAD(STAGE(SCORE, j)) * ISA(exp2v)(VFMA(e * V1(-1.44269504f), e, lw));
			vd w = VLONG(weight), h[3] = {{0}}, h2 = {0}, mid = {0};
			for (int q = 0; q < dims; q++) {
				vd b = VLONG(VLOAD(STAGE(PX + q, j)));
				h[q] = b - a[q];
				h2 += h[q] * h[q];
				mid += h[q] * (b + a[q]);
			}
			vd right = VLONG(e) * h2 + 0.5 * mid, wx = w * h[0], wy = w * h[1], wz = w * h[2];
			sum[0] += wx * h[0], sum[1] += wx * h[1], sum[2] += wy * h[1];
			sum[6] += wx * right, sum[7] += wy * right;
			if (dims == 3) {
				sum[3] += wx * h[2], sum[4] += wy * h[2], sum[5] += wz * h[2];
				sum[8] += wz * right;
			}
		}
	}
	float at[3][W];
	for (int q = 0; q < dims; q++) VSTORE(at[q], origin[q]);
	for (uint32_t lanes = wanted; lanes; lanes &= lanes - 1) {
		int l = __builtin_ctz(lanes);
		double xx = sum[0][l], xy = sum[1][l], yy = sum[2][l], xz = sum[3][l], yz = sum[4][l], zz = sum[5][l];
		double cx = sum[6][l], cy = sum[7][l], cz = sum[8][l], y[3];
		double least = xx + yy;
		if (dims == 2) {
			double det = xx * yy - xy * xy;
			least *= PARALLEL * least;
			if (!(det > least && det > 1e-60)) continue;
			y[0] = (cx * yy - cy * xy) / det;
			y[1] = (cy * xx - cx * xy) / det;
		} else {
			double axx = yy * zz - yz * yz, axy = xz * yz - xy * zz, axz = xy * yz - xz * yy;
			double ayy = xx * zz - xz * xz, ayz = xy * xz - xx * yz, azz = xx * yy - xy * xy;
			double det = xx * axx + xy * axy + xz * axz;
			least += zz;
			least *= PARALLEL * least * least;
			if (!(det > least && det > 1e-60)) continue;
			y[0] = (axx * cx + axy * cy + axz * cz) / det;
			y[1] = (axy * cx + ayy * cy + ayz * cz) / det;
			y[2] = (axz * cx + ayz * cy + azz * cz) / det;
		}
		for (int q = 0; q < dims; q++) out[l * dims + q] = (float)(y[q] + at[q][l]);
		wanted &= ~(1u << l);
	}
	return wanted;
}

// vector projects W points that lie side by side in a tile. It returns the lanes that float32
// could not do; their output is not written.
static inline __attribute__((always_inline)) uint32_t ISA(vector)(const bl_plan *p, const float *x, uint32_t wanted, int k, int find,
	float boost, const uint16_t *ids, const float *delta, const float *near, float *out, float *stage, int dims, int fly) {
	vf origin[3] = {V1(0), V1(0), V1(0)}, n = VLOAD(near);
	vm fair;
	vf pull = ISA(scores)(p, k, find, boost, ids, delta, n, stage, dims, fly, origin, &fair);
	vf xx = V1(0), xy = V1(0), yy = V1(0), xz = V1(0), yz = V1(0), zz = V1(0), cx = V1(0), cy = V1(0), cz = V1(0);
	vf weights = V1(0), limit = V1(FAR);
	ISA(fetch)(p, stage, find, 0, k);
	vf flattest = V1(FAR); // least 1/(2q) of the pairs with the nearest
	for (int i = 0; i < k; i++) {
		vf si = VLOAD(STAGE(SCORE, i)), di = VLOAD(STAGE(DELTA, i)), hi = VLOAD(STAGE(HALF, i));
		vf xi = VLOAD(STAGE(PX, i)), yi = VLOAD(STAGE(PY, i)), zi = dims == 3 ? VLOAD(STAGE(PZ, i)) : V1(0);
		vf own = pull * si;
		weights = weights + own;
		cx = VFMA(own, xi, cx);
		cy = VFMA(own, yi, cy);
		if (dims == 3) cz = VFMA(own, zi, cz);
		if (i + 2 < k) ISA(fetch)(p, stage, find, i + 1, k); // while the fetched ones settle in the cache
		const float *pairs = STAGE(PAIRS + (i & 1) * 2, 0);
		for (int j = i + 1; j < k; j++) {
			vf iq, lw;
			VPAIRS(pairs + 2 * j * W, &iq, &lw);
			if (fly) lw = ISA(line)(p, stage, find, i, j, dims, iq);
			vf e = (di - VLOAD(STAGE(DELTA, j))) * iq;
			if (i == 0) flattest = VMIN(flattest, iq);
			uint32_t rough = VBITS(VAND(VLT(limit, iq), VLT(V1(0.5f * NO_LINE), lw))) & wanted;
			if (__builtin_expect(rough != 0, 0)) e = ISA(eased)(p, x, stage, find, i, j, rough, e);
			e = VMIN(VMAX(e, V1(-64.f)), V1(64.f)); // the weight is 0 long before
			vf w = si * VLOAD(STAGE(SCORE, j)) * ISA(exp2v)(VFMA(e * V1(-1.44269504f), e, lw));
			vf hx = VLOAD(STAGE(PX, j)) - xi, hy = VLOAD(STAGE(PY, j)) - yi, h2 = VFMA(hx, hx, hy * hy);
			vf hz = V1(0);
			if (dims == 3) {
				hz = VLOAD(STAGE(PZ, j)) - zi;
				h2 = VFMA(hz, hz, h2);
			}
			vf r = VFMA(e, h2, VLOAD(STAGE(HALF, j)) - hi), wx = w * hx, wy = w * hy;
			xx = VFMA(wx, hx, xx);
			xy = VFMA(wx, hy, xy);
			yy = VFMA(wy, hy, yy);
			cx = VFMA(wx, r, cx);
			cy = VFMA(wy, r, cy);
			if (dims == 3) {
				vf wz = w * hz;
				xz = VFMA(wx, hz, xz);
				yz = VFMA(wy, hz, yz);
				zz = VFMA(wz, hz, zz);
				cz = VFMA(wz, r, cz);
			}
		}
		if (i == 0) {
			// |v|, the length of the longest difference to the nearest, and the rounding it brings:
			// a delta is rounded in proportion to |v| (2 D_1 + |v|).
			vf v2 = V1(0.5f) / flattest, rounding = VFMA(VSQRT(v2) * V1(2.f), VSQRT(n), v2);
			limit = V1(REFINE) / rounding;
			vf spread = VLOAD(delta + (find - 1) * TILE);
			fair = VAND(fair, VAND(VLT(rounding * flattest, V1(HOPELESS)), VLT(rounding * V1(1e-4f), spread)));
		}
	}
	xx = xx + weights;
	yy = yy + weights;
	float y[3][W];
	vm good;
	if (dims == 2) {
		vf det = VFMA(xx, yy, V1(0) - xy * xy), tr = xx + yy;
		good = VAND(fair, VLT(VMAX(V1(5e-4f) * tr * tr, V1(TINY_DET)), det));
		vf inv = V1(1.f) / det;
		VSTORE(y[0], VFMA(cx, yy, V1(0) - cy * xy) * inv + origin[0]);
		VSTORE(y[1], VFMA(cy, xx, V1(0) - cx * xy) * inv + origin[1]);
	} else {
		zz = zz + weights;
		vf axx = VFMA(yy, zz, V1(0) - yz * yz), axy = VFMA(xz, yz, V1(0) - xy * zz), axz = VFMA(xy, yz, V1(0) - xz * yy);
		vf ayy = VFMA(xx, zz, V1(0) - xz * xz), ayz = VFMA(xy, xz, V1(0) - xx * yz), azz = VFMA(xx, yy, V1(0) - xy * xy);
		vf det = VFMA(xx, axx, VFMA(xy, axy, xz * axz)), tr = xx + yy + zz;
		good = VAND(fair, VLT(VMAX(V1(1e-3f) * tr * tr * tr, V1(TINY_DET)), det));
		vf inv = V1(1.f) / det;
		VSTORE(y[0], VFMA(axx, cx, VFMA(axy, cy, axz * cz)) * inv + origin[0]);
		VSTORE(y[1], VFMA(axy, cx, VFMA(ayy, cy, ayz * cz)) * inv + origin[1]);
		VSTORE(y[2], VFMA(axz, cx, VFMA(ayz, cy, azz * cz)) * inv + origin[2]);
	}
	uint32_t ok = VBITS(good) & wanted;
	for (int l = 0; l < W; l++)
		if (ok >> l & 1)
			for (int q = 0; q < dims; q++) out[l * dims + q] = y[q][l];
	uint32_t left = wanted & ~ok, more = left & VBITS(fair);
	if (more) left = (left & ~more) | ISA(again)(p, x, more, k, find, &pull, &limit, origin, out, stage, dims);
	return left;
}

int64_t ISA(bl_project)(const bl_plan *p, const float *x, int64_t from, int64_t to, int32_t k, int32_t find, float boost,
	const uint16_t *ids, const float *delta, const float *near, float *out, int32_t *hard, void *memory) {
	scratch s;
	scratch_layout(&s, p, find, memory);
	int64_t n = 0;
	for (int64_t a = from / W * W; a < to; a += W) {
		uint32_t wanted = 0;
		for (int l = 0; l < W; l++) {
			if (a + l < from || a + l >= to) continue;
			if (near[a + l] != near[a + l])
				for (int q = 0; q < p->m; q++) out[(a + l) * p->m + q] = NAN;
			else
				wanted |= 1u << l;
		}
		if (!wanted) continue;
		size_t at = (size_t)(a / TILE) * find * TILE + a % TILE;
		uint32_t left = wanted;
#define VECTOR(m, fly) ISA(vector)(p, x + a * p->d, wanted, k, find, boost, ids + at, delta + at, near + a, \
	out + a * (m), s.stage, m, fly)
		if (p->tabled && p->m == 2)
			left = p->fly ? VECTOR(2, 1) : VECTOR(2, 0);
		else if (p->tabled)
			left = p->fly ? VECTOR(3, 1) : VECTOR(3, 0);
#undef VECTOR
		for (; left; left &= left - 1) hard[n++] = (int32_t)(a - from) + __builtin_ctz(left);
	}
	return n;
}
