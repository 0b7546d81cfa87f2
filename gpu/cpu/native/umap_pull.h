// What moves a point of UMAP in a sub-step: edges that act, and points drawn at random for each. Both are lanes of the
// same vectors, edges first, as both have p = a s^b:
//
//	edge: 2 clip(-2b p / (s (1+p)) r)        drawn: clip(2b / ((0.001+s)(1+p)) r)

// SMALL stands for squares that are too small for a logarithm, POWER bounds log2 p so that products stay finite.
#define SMALL 1e-30f
#define POWER 60.f

// draw writes count points drawn at random, and up to W more.
static inline __attribute__((always_inline)) void ISA(draw)(const bl_epoch *p, uint32_t counter, int32_t n, int32_t count,
	int32_t *out) {
	int32_t first[W];
	for (int l = 0; l < W; l++) first[l] = l;
	vi one = VI1((int32_t)p->one), two = VI1((int32_t)p->two), many = VI1(n), iota = VILOAD(first);
	vi f = VI1(0x7feb352d), g = VI1((int32_t)0x846ca68bu);
	for (int32_t at = 0; at < count; at += W) {
		vi x = VIXOR(VIADD(iota, VI1((int32_t)(counter + (uint32_t)at))), one);
		x = VIXOR(VIMUL(VIXOR(x, VSHR(x, 16)), f), two);
		x = VIMUL(VIXOR(x, VSHR(x, 15)), g);
		VISTORE(out + at, VUHIGH(VIXOR(x, VSHR(x, 16)), many));
	}
}

// power is 2^a t^b, to 1e-6 of it, and at most 2^POWER; t is positive and normal.
static inline __attribute__((always_inline)) vf ISA(power)(vf t, vf a, vf b) {
	vi bits = VCASTI(t), over = VIADD(bits, VI1(0x3f800000 - 0x3f3504f3)); // from sqrt(1/2) to sqrt(2) it is 2^0
	vi e = VIADD(VSHR(over, 23), VI1(-127));
	vf f = VCASTF(VISUB(bits, VSHL(e, 23))) - V1(1);
	vf l = V1(0.16818659f); // log2(1+f) / f
	l = VFMA(l, f, V1(-0.26796386f));
	l = VFMA(l, f, V1(0.29611957f));
	l = VFMA(l, f, V1(-0.35952446f));
	l = VFMA(l, f, V1(0.48061311f));
	l = VFMA(l, f, V1(-0.72136021f));
	l = VFMA(l, f, V1(1.44269657f));
	vf x = VFMA(b, VFMA(l, f, VFLOAT(e)), a);
	x = VMAX(V1(-120), VMIN(V1(POWER), x));
	vi n = VROUND(x);
	f = x - VFLOAT(n);
	vf p = V1(1.33908633e-3f); // 2^f
	p = VFMA(p, f, V1(9.67603177e-3f));
	p = VFMA(p, f, V1(5.55035695e-2f));
	p = VFMA(p, f, V1(2.40221068e-1f));
	p = VFMA(p, f, V1(6.93147182e-1f));
	p = VFMA(p, f, V1(1));
	return VCASTF(VIADD(VCASTI(p), VSHL(n, 23)));
}

// gather adds up what points do to i, edges of which are edges.
static inline __attribute__((always_inline)) void ISA(gather)(const bl_graph *g, const bl_epoch *p, int32_t i, int32_t *points,
	int32_t edges, int32_t count, vf *sum, float *odd, const int dims) {
	const int stride = dims == 2 ? 2 : 4;
	const float *y = g->y + (size_t)i * stride;
	vf px = V1(y[0]), py = V1(y[1]), pz = V1(dims == 3 ? y[2] : 0);
	vf one = V1(1), least = V1(-4), most = V1(4), twice = V1(2 * p->b), many = V1((float)edges);
	float iota[W];
	for (int l = 0; l < W; l++) iota[l] = (float)l, points[count + l] = i;
	for (int32_t at = 0; at < count; at += W) {
		vf rx, ry, rz = V1(0);
		if (dims == 2) VGATHER2(g->y, points + at, &rx, &ry);
		else VGATHER4(g->y, points + at, &rx, &ry, &rz), rz = pz - rz;
		rx = px - rx, ry = py - ry;
		vf s = VFMA(ry, ry, rx * rx);
		if (dims == 3) s = VFMA(rz, rz, s);
		vm edge = VLT(VLOAD(iota) + V1((float)at), many);
		uint32_t spot = VBITS(VEQ(s, V1(0)));
		vf t = VMAX(s, V1(SMALL));
		vf q = ISA(power)(t, V1(p->a), V1(p->b));
		vf under = VSEL(edge, t, V1(1e-3f) + s) * (one + q);
		vf c = VSEL(edge, V1(0) - twice * q, twice) * VRCP(under), often = VSEL(edge, V1(2), one);
		sum[0] = VFMA(often, VMIN(most, VMAX(least, c * rx)), sum[0]);
		sum[1] = VFMA(often, VMIN(most, VMAX(least, c * ry)), sum[1]);
		if (dims == 3) sum[2] = VFMA(often, VMIN(most, VMAX(least, c * rz)), sum[2]);
		for (; __builtin_expect(spot != 0, 0); spot &= spot - 1) {
			int32_t k = at + __builtin_ctz(spot);
			float push[3];
			if (k < edges || k >= count || points[k] == i) continue;
			bl_apart(i, points[k], dims, push);
			for (int d = 0; d < dims; d++) odd[d] += push[d];
		}
	}
}

static inline __attribute__((always_inline)) void ISA(pull)(const bl_graph *g, const bl_epoch *p, int32_t from, int32_t to,
	const int dims) {
	const int stride = dims == 2 ? 2 : 4;
	int32_t points[ACTING * (1 + DRAWN) + 2 * WIDEST];
	vi epoch = VI1((int32_t)p->epoch);
	for (int32_t i = from; i < to; i++) {
		const float *y = g->y + (size_t)i * stride;
		float *next = g->next + (size_t)i * stride, odd[3] = {0};
		if (g->loose[i] == 0) {
			for (int c = 0; c < stride; c++) next[c] = y[c];
			continue;
		}
		vf sum[3] = {V1(0), V1(0), V1(0)};
		uint32_t counter = (uint32_t)g->start[i] * p->negatives, turn = p->epoch % p->parts;
		int32_t acting = 0;
		for (int64_t e = g->start[i], end = g->start[i + 1]; e < end; e += W) {
			vi rate = VILOAD((const int32_t *)g->rate + e);
			uint32_t bits = ~VBITS(VULT(rate, VIMUL(epoch, VIADD(rate, VI1(1)))));
			bits &= end - e < W ? (1u << (end - e)) - 1 : (uint32_t)((1ull << W) - 1);
			for (; bits; bits &= bits - 1) {
				points[acting] = g->column[e + __builtin_ctz(bits)];
				acting += turn == p->part;
				turn = turn + 1 == p->parts ? 0 : turn + 1;
			}
			if (acting > ACTING - W || (acting && end - e <= W)) {
				int32_t drawn = acting * (int32_t)p->negatives;
				ISA(draw)(p, counter, g->n, drawn, points + acting);
				ISA(gather)(g, p, i, points, acting, acting + drawn, sum, odd, dims);
				counter += (uint32_t)drawn, acting = 0;
			}
		}
		float f = p->alpha * g->loose[i];
		next[0] = y[0] + f * (VSUM(sum[0]) + odd[0]);
		next[1] = y[1] + f * (VSUM(sum[1]) + odd[1]);
		if (dims == 3) next[2] = y[2] + f * (VSUM(sum[2]) + odd[2]), next[3] = 0;
	}
}

void ISA(bl_pull)(const bl_graph *g, const bl_epoch *p, int32_t from, int32_t to) {
	if (g->dims == 2) ISA(pull)(g, p, from, to, 2);
	else ISA(pull)(g, p, from, to, 3);
}
