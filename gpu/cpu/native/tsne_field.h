// Repulsion by the field: charges on a lattice, their potential by a convolution, its gradient at the points.

// Splines of 4 and 6 points: coefficients of t^k for the nodes from floor(u) - spline/2 + 1 on, t = u - floor(u).
typedef float v4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef float v8 __attribute__((vector_size(32), aligned(4), may_alias));

static inline __attribute__((always_inline)) void ISA(cubic)(float t, v4 *w, v4 *d) {
	const v4 c0 = {1 / 6.f, 4 / 6.f, 1 / 6.f, 0}, c1 = {-3 / 6.f, 0, 3 / 6.f, 0};
	const v4 c2 = {3 / 6.f, -6 / 6.f, 3 / 6.f, 0}, c3 = {-1 / 6.f, 3 / 6.f, -3 / 6.f, 1 / 6.f};
	*w = ((c3 * t + c2) * t + c1) * t + c0;
	*d = (c3 * (3 * t) + c2 * 2) * t + c1;
}

static inline __attribute__((always_inline)) void ISA(quintic)(float t, v8 *w, v8 *d) {
	const v8 c0 = {1, 26, 66, 26, 1, 0, 0, 0}, c1 = {-5, -50, 0, 50, 5, 0, 0, 0};
	const v8 c2 = {10, 20, -60, 20, 10, 0, 0, 0}, c3 = {-10, 20, 0, -20, 10, 0, 0, 0};
	const v8 c4 = {5, -20, 30, -20, 5, 0, 0, 0}, c5 = {-1, 5, -10, 10, -5, 1, 0, 0};
	const float over = 1 / 120.f;
	*w = (((((c5 * t + c4) * t + c3) * t + c2) * t + c1) * t + c0) * over;
	*d = ((((c5 * (5 * t) + c4 * 4) * t + c3 * 3) * t + c2 * 2) * t + c1) * over;
}

// PLACE finds where slot i is: row and column of its lowest node, and how far it is beyond the next ones.
#define PLACE(i) \
	float u = (m->y[2 * (size_t)(i)] - l->x0) * l->over, v = (m->y[2 * (size_t)(i) + 1] - l->y0) * l->over; \
	const float last = (float)(l->n - 4); \
	u = u > 3 ? u < last ? u : last : 3, v = v > 3 ? v < last ? v : last : 3; \
	int32_t column = (int32_t)u, row = (int32_t)v; \
	float tu = u - (float)column, tv = v - (float)row; \
	float *c = l->value + (size_t)(row - l->spline / 2 + 1) * l->n + column - l->spline / 2 + 1;

void ISA(bl_spread)(const bl_map *m, const bl_lattice *l, int32_t from, int32_t to) {
	for (int32_t q = from; q < to; q++) {
		PLACE(m->bin[q])
		if (l->spline == 4) {
			v4 wx, wy, d;
			ISA(cubic)(tu, &wx, &d), ISA(cubic)(tv, &wy, &d);
			for (int b = 0; b < 4; b++, c += l->n) *(v4 *)c += wx * wy[b];
		} else {
			v8 wx, wy, d;
			ISA(quintic)(tu, &wx, &d), ISA(quintic)(tv, &wy, &d);
			for (int b = 0; b < 6; b++, c += l->n) *(v8 *)c += wx * wy[b];
		}
	}
}

void ISA(bl_interpolate)(const bl_map *m, const bl_lattice *l, int32_t from, int32_t to) {
	const float f = -0.5f * l->over;
	for (int32_t i = from; i < to; i++) {
		PLACE(i)
		float gx = 0, gy = 0;
		if (l->spline == 4) {
			v4 wx, wy, dx, dy;
			ISA(cubic)(tu, &wx, &dx), ISA(cubic)(tv, &wy, &dy);
			v4 along = {0}, across = {0};
			for (int b = 0; b < 4; b++, c += l->n) along += *(v4 *)c * wy[b], across += *(v4 *)c * dy[b];
			along *= dx, across *= wx;
			gx = along[0] + along[2] + (along[1] + along[3]), gy = across[0] + across[2] + (across[1] + across[3]);
		} else {
			v8 wx, wy, dx, dy;
			ISA(quintic)(tu, &wx, &dx), ISA(quintic)(tv, &wy, &dy);
			v8 along = {0}, across = {0};
			for (int b = 0; b < 6; b++, c += l->n) along += *(v8 *)c * wy[b], across += *(v8 *)c * dy[b];
			along *= dx, across *= wx;
			for (int a = 0; a < 6; a++) gx += along[a], gy += across[a];
		}
		m->rep[2 * (size_t)i] = f * gx, m->rep[2 * (size_t)i + 1] = f * gy;
	}
}
