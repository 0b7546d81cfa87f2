// The convolution: transforms of W columns, or W frequencies, at a time. A vector of numbers is {real, imaginary} in
// two vectors of lanes. After T. G. Stockham, "High-speed convolution and correlation" (1966): no pass that reorders.

#define RE(a, k) VLOAD((a) + (size_t)(k) * 2 * W)
#define IM(a, k) VLOAD((a) + (size_t)(k) * 2 * W + W)
#define SET(a, k, re, im) (VSTORE((a) + (size_t)(k) * 2 * W, re), VSTORE((a) + (size_t)(k) * 2 * W + W, im))

typedef struct { vf re, im; } ISA(number);
#define NUMBER ISA(number)

static inline __attribute__((always_inline)) NUMBER ISA(add)(NUMBER a, NUMBER b) {
	return (NUMBER){a.re + b.re, a.im + b.im};
}
static inline __attribute__((always_inline)) NUMBER ISA(sub)(NUMBER a, NUMBER b) {
	return (NUMBER){a.re - b.re, a.im - b.im};
}
// turn is -i a forward, i a backward.
static inline __attribute__((always_inline)) NUMBER ISA(turn)(NUMBER a, const int back) {
	return back ? (NUMBER){V1(0) - a.im, a.re} : (NUMBER){a.im, V1(0) - a.re};
}
// times multiplies by the factor at w; backward, by its conjugate.
static inline __attribute__((always_inline)) NUMBER ISA(times)(NUMBER a, const float *w, const int back) {
	vf c = V1(w[0]), s = V1(back ? -w[1] : w[1]);
	return (NUMBER){VFMA(a.re, c, V1(0) - a.im * s), VFMA(a.re, s, a.im * c)};
}

// butterfly is the transform over r numbers, in place.
static inline __attribute__((always_inline)) void ISA(butterfly)(NUMBER *a, const int r, const int back) {
#define ADD ISA(add)
#define SUB ISA(sub)
	if (r == 2) {
		NUMBER t = a[1];
		a[1] = SUB(a[0], t), a[0] = ADD(a[0], t);
	} else if (r == 3) {
		NUMBER t = ADD(a[1], a[2]), u = ISA(turn)(SUB(a[1], a[2]), back);
		const vf half = V1(-0.5f), root = V1(0.866025403784438647f);
		NUMBER v = {VFMA(half, t.re, a[0].re), VFMA(half, t.im, a[0].im)};
		a[0] = ADD(a[0], t);
		a[1] = (NUMBER){VFMA(root, u.re, v.re), VFMA(root, u.im, v.im)};
		a[2] = (NUMBER){v.re - root * u.re, v.im - root * u.im};
	} else if (r == 4) {
		NUMBER t = ADD(a[0], a[2]), u = SUB(a[0], a[2]), v = ADD(a[1], a[3]), w = ISA(turn)(SUB(a[1], a[3]), back);
		a[0] = ADD(t, v), a[1] = ADD(u, w), a[2] = SUB(t, v), a[3] = SUB(u, w);
	} else {
		const vf c1 = V1(0.309016994374947424f), c2 = V1(-0.809016994374947424f);
		const vf s1 = V1(0.951056516295153572f), s2 = V1(0.587785252292473129f);
		NUMBER t = ADD(a[1], a[4]), u = ADD(a[2], a[3]);
		NUMBER v = ISA(turn)(SUB(a[1], a[4]), back), w = ISA(turn)(SUB(a[2], a[3]), back);
		NUMBER p = {VFMA(c1, t.re, VFMA(c2, u.re, a[0].re)), VFMA(c1, t.im, VFMA(c2, u.im, a[0].im))};
		NUMBER q = {VFMA(c2, t.re, VFMA(c1, u.re, a[0].re)), VFMA(c2, t.im, VFMA(c1, u.im, a[0].im))};
		NUMBER g = {VFMA(s1, v.re, s2 * w.re), VFMA(s1, v.im, s2 * w.im)};
		NUMBER h = {s2 * v.re - s1 * w.re, s2 * v.im - s1 * w.im};
		a[0] = ADD(a[0], ADD(t, u));
		a[1] = ADD(p, g), a[4] = SUB(p, g), a[2] = ADD(q, h), a[3] = SUB(q, h);
	}
#undef ADD
#undef SUB
}

// stage is one stage of a transform: m r numbers left to transform, s transforms side by side.
static inline __attribute__((always_inline)) void ISA(stage)(const float *x, float *y, int32_t m, int32_t s, const float *w,
	const int r, const int back) {
	for (int32_t p = 0; p < m; p++, w += 2 * (r - 1))
		for (int32_t q = 0; q < s; q++) {
			NUMBER a[5];
#pragma GCC unroll 5
			for (int j = 0; j < r; j++) {
				size_t at = q + (size_t)s * (p + m * j);
				a[j] = (NUMBER){RE(x, at), IM(x, at)};
			}
			ISA(butterfly)(a, r, back);
			if (p > 0)
#pragma GCC unroll 5
				for (int j = 1; j < r; j++) a[j] = ISA(times)(a[j], w + 2 * (j - 1), back);
#pragma GCC unroll 5
			for (int j = 0; j < r; j++) {
				size_t at = q + (size_t)s * (r * p + j);
				SET(y, at, a[j].re, a[j].im);
			}
		}
}

// transform goes from x to y, from there to z and so on; it returns where it ends. z may be x.
static inline __attribute__((always_inline)) float *ISA(transform)(const bl_lattice *l, const float *x, float *y, float *z,
	const int back) {
	const float *w = l->twiddle;
	for (int32_t k = 0, s = 1, left = l->n; k < l->stages; k++) {
		int32_t r = l->radix[k], m = left / r;
		switch (r) {
		case 2: ISA(stage)(x, y, m, s, w, 2, back); break;
		case 3: ISA(stage)(x, y, m, s, w, 3, back); break;
		case 4: ISA(stage)(x, y, m, s, w, 4, back); break;
		default: ISA(stage)(x, y, m, s, w, 5, back);
		}
		w += (size_t)2 * m * (r - 1), s *= r, left = m;
		x = y, y = z, z = (float *)x;
	}
	return (float *)x;
}

static __attribute__((noinline)) float *ISA(forward)(const bl_lattice *l, const float *x, float *y, float *z) {
	return ISA(transform)(l, x, y, z, 0);
}
static __attribute__((noinline)) float *ISA(backward)(const bl_lattice *l, const float *x, float *y, float *z) {
	return ISA(transform)(l, x, y, z, 1);
}

// shift multiplies by half, which makes odd frequencies of the even ones.
static inline __attribute__((always_inline)) void ISA(shift)(const bl_lattice *l, float *x) {
	for (int32_t k = 0; k < l->n; k++) {
		NUMBER a = ISA(times)((NUMBER){RE(x, k), IM(x, k)}, l->half + 2 * k, 0);
		SET(x, k, a.re, a.im);
	}
}

// columns transforms two times W columns of charges at a time, one as real, one as imaginary numbers, and takes their
// spectra apart: A = z(k) + conj z(-k), B = (z(k) - conj z(-k)) / i, both twice what they are.
static void ISA(columns)(const bl_lattice *l, int32_t first, float *a, float *b, float *c) {
	int32_t n = l->n, second = first + W < n ? first + W : -1, group = 0;
	for (int32_t k = 0; k < n; k++) {
		const float *row = l->value + (size_t)k * n;
		SET(a, k, VLOAD(row + first), second < 0 ? V1(0) : VLOAD(row + second));
	}
	for (int odd = 0; odd < 2; odd++) {
		if (odd) ISA(shift)(l, a);
		const float *z = ISA(forward)(l, a, b, c);
		int32_t most = odd ? n / 2 : n / 2 + 1;
		for (int32_t k = 0; k < most; k += W, group++) {
			vf t[4][W];
			for (int i = 0; i < W; i++) {
				if (k + i >= most) {
					t[0][i] = t[1][i] = t[2][i] = t[3][i] = V1(0);
					continue;
				}
				int32_t to = odd ? n - 1 - k - i : (n - k - i) % n;
				vf p = RE(z, k + i), q = IM(z, k + i), u = RE(z, to), v = IM(z, to);
				t[0][i] = p + u, t[1][i] = q - v, t[2][i] = q + v, t[3][i] = u - p;
			}
			for (int i = 0; i < 4; i++) VTRANSPOSE(t[i]);
			float *out = l->plane + (size_t)group * n * 2 * W;
			for (int i = 0; i < W; i++) SET(out, first + i, t[0][i], t[1][i]);
			if (second >= 0)
				for (int i = 0; i < W; i++) SET(out, second + i, t[2][i], t[3][i]);
		}
	}
}

// rows convolves W frequencies of columns along the rows, and returns their share of sum rho c.
static double ISA(rows)(const bl_lattice *l, int32_t group, float *a, float *b, float *c) {
	int32_t n = l->n;
	float *x = l->plane + (size_t)group * n * 2 * W;
	const float *g = l->spectrum + (size_t)group * (n + 1) * W;
	double sums[W] = {0};
	float *parts[2];
	for (int odd = 0; odd < 2; odd++) {
		if (odd) ISA(shift)(l, x), g += (size_t)(n / 2 + 1) * W;
		// The even part ends in a or b; c and what it does not use are left for the odd one.
		float *to = odd && parts[0] == a ? b : a, *other = odd ? c : b;
		float *z = ISA(forward)(l, x, to, other);
		vf sum = V1(0);
		for (int32_t k = 0; k < n; k++) {
			int32_t at = odd ? k < n / 2 ? k : n - 1 - k : k <= n / 2 ? k : n - k;
			vf s = VLOAD(g + (size_t)at * W), re = RE(z, k), im = IM(z, k);
			vf u = re * s, v = im * s;
			sum = VFMA(u, re, VFMA(v, im, sum));
			SET(z, k, u, v);
			if (k % 64 == 63 || k == n - 1) {
				float part[W];
				VSTORE(part, sum);
				for (int i = 0; i < W; i++) sums[i] += part[i];
				sum = V1(0);
			}
		}
		parts[odd] = ISA(backward)(l, z, z == to ? other : to, z);
	}
	for (int32_t k = 0; k < n; k++) {
		NUMBER o = ISA(times)((NUMBER){RE(parts[1], k), IM(parts[1], k)}, l->half + 2 * k, 1);
		SET(x, k, RE(parts[0], k) + o.re, IM(parts[0], k) + o.im);
	}
	double total = 0;
	for (int i = 0; i < W; i++) total += sums[i] * l->weight[(size_t)group * W + i];
	return total;
}

// back is columns the other way: spectra of two times W columns are put together and become their potential.
static void ISA(back)(const bl_lattice *l, int32_t first, float *a, float *b, float *c) {
	int32_t n = l->n, second = first + W < n ? first + W : -1, group = 0;
	float *parts[2];
	for (int odd = 0; odd < 2; odd++) {
		float *z = odd ? c : a;
		int32_t most = odd ? n / 2 : n / 2 + 1;
		for (int32_t k = 0; k < most; k += W, group++) {
			const float *in = l->plane + (size_t)group * n * 2 * W;
			vf t[4][W];
			for (int i = 0; i < W; i++) {
				t[0][i] = RE(in, first + i), t[1][i] = IM(in, first + i);
				t[2][i] = second < 0 ? V1(0) : RE(in, second + i), t[3][i] = second < 0 ? V1(0) : IM(in, second + i);
			}
			for (int i = 0; i < 4; i++) VTRANSPOSE(t[i]);
			for (int i = 0; i < W && k + i < most; i++) {
				int32_t to = odd ? n - 1 - k - i : (n - k - i) % n;
				SET(z, to, t[0][i] + t[3][i], t[2][i] - t[1][i]);
				SET(z, k + i, t[0][i] - t[3][i], t[1][i] + t[2][i]);
			}
		}
		parts[odd] = odd ? ISA(backward)(l, z, parts[0] == a ? b : a, z) : ISA(backward)(l, z, b, z);
	}
	for (int32_t k = 0; k < n; k++) {
		NUMBER o = ISA(times)((NUMBER){RE(parts[1], k), IM(parts[1], k)}, l->half + 2 * k, 1);
		float *row = l->value + (size_t)k * n;
		VSTORE(row + first, RE(parts[0], k) + o.re);
		if (second >= 0) VSTORE(row + second, IM(parts[0], k) + o.im);
	}
}

double ISA(bl_convolve)(const bl_lattice *l, int32_t step, int32_t block, int32_t worker) {
	float *a = l->scratch + l->room * worker, *b = a + (size_t)l->n * 2 * W, *c = b + (size_t)l->n * 2 * W;
	if (step == 1) return ISA(rows)(l, block, a, b, c);
	if (step == 0) ISA(columns)(l, 2 * W * block, a, b, c);
	else ISA(back)(l, 2 * W * block, a, b, c);
	return 0;
}
