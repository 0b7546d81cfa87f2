// Attraction, divergence, a unit's movement, and repulsion of all pairs.

// DIFFERENCES takes W columns from e on: r = y_i - y_j, d = 1 + |r|^2.
#define DIFFERENCES(m, e) \
	vf rx, ry, rz = V1(0); \
	if (dims == 2) VGATHER2(m->y, m->column + (e), &rx, &ry); \
	else VGATHER4(m->y, m->column + (e), &rx, &ry, &rz), rz = pz - rz; \
	rx = px - rx, ry = py - ry; \
	vf d = VFMA(ry, ry, VFMA(rx, rx, V1(1))); \
	if (dims == 3) d = VFMA(rz, rz, d);

static inline __attribute__((always_inline)) void ISA(attract)(const bl_map *m, int32_t from, int32_t to, const int dims) {
	const int stride = dims == 2 ? 2 : 4;
	for (int32_t i = from; i < to; i++) {
		const float *y = m->y + (size_t)i * stride;
		vf px = V1(y[0]), py = V1(y[1]), pz = V1(dims == 3 ? y[2] : 0);
		vf ax = V1(0), ay = V1(0), az = V1(0);
		for (size_t e = (size_t)m->start[i] * W, end = (size_t)m->start[i + 1] * W; e < end; e += W) {
			DIFFERENCES(m, e)
			vf w = VLOAD(m->value + e) * VRCP(d);
			ax = VFMA(w, rx, ax), ay = VFMA(w, ry, ay);
			if (dims == 3) az = VFMA(w, rz, az);
		}
		float *a = m->att + (size_t)i * stride;
		a[0] = VSUM(ax), a[1] = VSUM(ay);
		if (dims == 3) a[2] = VSUM(az);
	}
}

void ISA(bl_attract)(const bl_map *m, int32_t from, int32_t to) {
	if (m->dims == 2) ISA(attract)(m, from, to, 2);
	else ISA(attract)(m, from, to, 3);
}

// logs is ln of each of 1 to 3e38: x = 2^k (1+f), ln(1+f) = 2 atanh(f / (2+f)) with f in -0.3 to 0.42.
static inline __attribute__((always_inline)) void ISA(logs)(float *v) {
	for (int i = 0; i < W; i++) {
		int32_t bits;
		memcpy(&bits, v + i, 4);
		int32_t k = (bits - 0x3f3504f3) >> 23;
		bits -= (int32_t)((uint32_t)k << 23);
		float x;
		memcpy(&x, &bits, 4);
		float s = (x - 1) / (x + 1), t = s * s;
		float p = s * (2 + t * (2 / 3.f + t * (2 / 5.f + t * (2 / 7.f + t * (2 / 9.f)))));
		v[i] = (float)k * 0.693147180559945f + p;
	}
}

static inline __attribute__((always_inline)) double ISA(divergence)(const bl_map *m, int32_t from, int32_t to, const int dims) {
	const int stride = dims == 2 ? 2 : 4;
	double sum = 0;
	for (int32_t i = from; i < to; i++) {
		const float *y = m->y + (size_t)i * stride;
		vf px = V1(y[0]), py = V1(y[1]), pz = V1(dims == 3 ? y[2] : 0), row = V1(0);
		for (size_t e = (size_t)m->start[i] * W, end = (size_t)m->start[i + 1] * W; e < end; e += W) {
			DIFFERENCES(m, e)
			float l[W];
			VSTORE(l, d);
			ISA(logs)(l);
			row = VFMA(VLOAD(m->value + e), VLOAD(l), row);
		}
		sum += VSUM(row);
	}
	return sum;
}

double ISA(bl_divergence)(const bl_map *m, int32_t from, int32_t to) {
	return m->dims == 2 ? ISA(divergence)(m, from, to, 2) : ISA(divergence)(m, from, to, 3);
}

void ISA(bl_move)(const bl_map *m, const bl_push *p, int32_t from, int32_t to, bl_moved *out) {
	const int stride = m->stride;
	float iota[W], lows[W], highs[W];
	for (int i = 0; i < W; i++) {
		iota[i] = (float)i;
		lows[i] = p->bound ? p->lo[i % stride & 1] : -FAR;
		highs[i] = p->bound ? p->hi[i % stride & 1] : FAR;
	}
	vf zero = V1(0), at = VLOAD(iota), floor = VLOAD(lows), roof = VLOAD(highs);
	vf lo = V1(FAR), hi = V1(-FAR), v2 = zero, y2 = zero, sum = zero;
	size_t end = (size_t)to * stride;
	for (size_t i = (size_t)from * stride; i < end; i += W) {
		vf v = VLOAD(m->v + i), gain = VLOAD(m->gain + i);
		vf g = V1(p->e) * VLOAD(m->att + i) - V1(p->over) * VLOAD(m->rep + i);
		vm same = VOR(VOR(VAND(VLT(zero, g), VLT(zero, v)), VAND(VLT(g, zero), VLT(v, zero))),
			VAND(VEQ(g, zero), VEQ(v, zero)));
		gain = VSEL(same, VMAX(V1(0.01f), V1(0.8f) * gain), gain + V1(0.2f));
		v = V1(p->mu) * v - V1(p->eta) * gain * g;
		vf square = v * v;
		square = square + VSWAP1(square);
		if (stride == 4) square = square + VSWAP2(square);
		vf length = VSQRT(square);
		v = VSEL(VLT(V1(5), length), v * (V1(5) / length), v) * VLOAD(m->loose + i);
		vf y = VMIN(roof, VMAX(floor, VLOAD(m->y + i) + v));
		vm own = VLT(at, V1((float)(end - i))); // lanes of points before to
		v = VSEL(own, v, zero);
		vf place = VSEL(own, y, zero);
		if (end - i >= W) {
			VSTORE(m->v + i, v), VSTORE(m->gain + i, gain), VSTORE(m->next + i, y);
		} else {
			float part[3][W];
			VSTORE(part[0], v), VSTORE(part[1], gain), VSTORE(part[2], y);
			for (size_t q = 0; q < end - i; q++)
				m->v[i + q] = part[0][q], m->gain[i + q] = part[1][q], m->next[i + q] = part[2][q];
		}
		lo = VMIN(lo, VSEL(own, y, lo)), hi = VMAX(hi, VSEL(own, y, hi));
		v2 = VFMA(v, v, v2), y2 = VFMA(place, place, y2), sum = sum + place;
	}
	float l[5][W];
	VSTORE(l[0], lo), VSTORE(l[1], hi), VSTORE(l[2], v2), VSTORE(l[3], y2), VSTORE(l[4], sum);
	for (int c = 0; c < 3; c++) out->lo[c] = FAR, out->hi[c] = -FAR, out->y[c] = 0;
	out->v2 = out->y2 = 0;
	for (int i = 0; i < W; i++) {
		int c = i % stride;
		if (c >= m->dims) continue;
		if (l[0][i] < out->lo[c]) out->lo[c] = l[0][i];
		if (l[1][i] > out->hi[c]) out->hi[c] = l[1][i];
		out->v2 += l[2][i], out->y2 += l[3][i], out->y[c] += l[4][i];
	}
}

// near adds what the bodies of a list do to a group: w to z and w^2 r to f. Bodies have a mass, but for all pairs
// (mass NULL), where that at index self is the group's first point, and no point acts on itself.
static inline __attribute__((always_inline)) void ISA(near)(const float *const *group, const float *const *list,
	const float *mass, int32_t count, const int self, double *z, double (*f)[GROUP], const int dims) {
	const int NI = (W == 16 ? 2 : 1) * (dims == 2 ? 2 : 1); // vectors of points at a time, as registers hold
	float iota[W];
	for (int i = 0; i < W; i++) iota[i] = (float)i;
	for (int at = 0; at < GROUP; at += NI * W) {
		vf px[4], py[4], pz[4], sz[4], sx[4], sy[4], s3[4], id[4];
#pragma GCC unroll 4
		for (int q = 0; q < NI; q++) {
			px[q] = VLOAD(group[0] + at + q * W), py[q] = VLOAD(group[1] + at + q * W);
			if (dims == 3) pz[q] = VLOAD(group[2] + at + q * W);
			sz[q] = sx[q] = sy[q] = s3[q] = V1(0);
			id[q] = VLOAD(iota) + V1((float)(at + q * W));
		}
		for (int32_t j = 0; j < count; j++) {
			vf x = V1(list[0][j]), y = V1(list[1][j]), zz = dims == 3 ? V1(list[2][j]) : x;
			vf many = mass ? V1(mass[j]) : x;
#pragma GCC unroll 4
			for (int q = 0; q < NI; q++) {
				vf rx = px[q] - x, ry = py[q] - y, rz = x;
				vf d = VFMA(ry, ry, VFMA(rx, rx, V1(1)));
				if (dims == 3) rz = pz[q] - zz, d = VFMA(rz, rz, d);
				vf w = VRCP(d);
				if (self) w = VSEL(VEQ(id[q], V1((float)j)), V1(0), w);
				vf u = w;
				if (mass) u = many * w;
				sz[q] = sz[q] + u;
				u = u * w;
				sx[q] = VFMA(u, rx, sx[q]), sy[q] = VFMA(u, ry, sy[q]);
				if (dims == 3) s3[q] = VFMA(u, rz, s3[q]);
			}
		}
		for (int q = 0; q < NI; q++) {
			float part[4][W];
			VSTORE(part[0], sz[q]), VSTORE(part[1], sx[q]), VSTORE(part[2], sy[q]), VSTORE(part[3], s3[q]);
			for (int i = 0; i < W; i++) {
				int to = at + q * W + i;
				z[to] += part[0][i], f[0][to] += part[1][i], f[1][to] += part[2][i];
				if (dims == 3) f[2][to] += part[3][i];
			}
		}
	}
}

enum { CHUNK = 256 }; // bodies whose sums fit float32

static inline __attribute__((always_inline)) double ISA(exact)(const bl_map *m, int32_t from, int32_t to, const int dims) {
	double z[GROUP] = {0}, f[3][GROUP] = {{0}}, sum = 0;
	const float *group[3] = {m->flat[0] + from, m->flat[1] + from, m->flat[2] + from};
	int32_t bounds[4] = {0, from, to, m->n};
	for (int part = 0; part < 3; part++)
		for (int32_t j = bounds[part]; j < bounds[part + 1]; j += CHUNK) {
			int32_t count = bounds[part + 1] - j < CHUNK ? bounds[part + 1] - j : CHUNK;
			const float *list[3] = {m->flat[0] + j, m->flat[1] + j, m->flat[2] + j};
			if (part == 1) ISA(near)(group, list, NULL, count, 1, z, f, dims);
			else ISA(near)(group, list, NULL, count, 0, z, f, dims);
		}
	for (int32_t i = from; i < to; i++) {
		sum += z[i - from];
		for (int c = 0; c < dims; c++) m->rep[(size_t)i * m->stride + c] = (float)f[c][i - from];
	}
	return sum;
}

double ISA(bl_exact)(const bl_map *m, int32_t from, int32_t to) {
	return m->dims == 2 ? ISA(exact)(m, from, to, 2) : ISA(exact)(m, from, to, 3);
}
