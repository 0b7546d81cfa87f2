// The winner of each point, for training: the filter of neighbours.h leaves those landmarks that may be it, the
// differences of their distances leave fewer, and where two are left float64 decides (winner.c).
//
// The filter computes |l|^2 - 2 t.l of the centred x and L, t and l, each off by u = 2^-24 of itself. With reach the
// longest l, |l|^2 is off by 3 u reach^2, the products by 4 u |t| reach, and each of at most d sums by u (reach^2 + 2 |t|
// reach) (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1): together by (d+3) u
// (reach^2 + 2 |t| reach), twice which is what margin has with d+8 for d+3. So the nearest landmark survives. An eighth
// of margin is added for terms with u^2 below 10^5 columns, and for float64, which off by 2^-53 (d+2) |x-L|^2 does not
// take another for the nearest unless |t| is above 2^20 reach: such points are left to float64 altogether. Margins of
// the coarse filter are beside this one (scratch.h).
//
// The difference to the distance of a survivor b is the sum of v (t+v), v = L_b-L and t = 2 (x-L_b), these and their
// sums off by u of themselves, products and sums too. With a = |x-L_b| and r = |x-L| it is |v| <= a+r, |t| = 2a, and
// |t+v| <= a+r, so all of it is off by u ((d+3) (a+r)^2 + (a+r) (3a+r)), less than u (d+6) (a+r)^2 <= 2 u (d+6) (a^2 +
// r^2). Of two differences that are compared, the least one has r <= a but for that. So the winner is among those that
// are at most u (d+6) (4 a^2 + 2 (a^2 + r^2)) above it; below, r^2 is a^2 and the difference, and the factors are
// larger for terms with u^2, float64, and computing this.

// ISA(left) keeps in list those of count survivors that may be the winner, by their differences to the base, which is as
// near as near says. It returns how many.
static int32_t ISA(left)(const bl_plan *p, int32_t *list, int32_t count, const float *delta, float near) {
	float least = delta[0], share = (float)(p->d + 8) * 0x1.2p-24f;
	for (int32_t r = 1; r < count; r++)
		if (delta[r] < least) least = delta[r];
	int32_t n = 0;
	for (int32_t r = 0; r < count; r++) {
		float more = delta[r] > 0 ? delta[r] : 0;
		if (delta[r] - least <= share * (8 * near + 2 * more) + 1e-30f) list[n++] = list[r];
	}
	return n;
}

// bl_winners writes the winners of the points [from, to) to out, -1 for one with NaN or Inf. code has the landmarks as
// they were given. The work of scratch is that of one neighbour.
void ISA(bl_winners)(const bl_plan *p, const float *code, const float *x, int64_t from, int64_t to, int32_t *out,
	void *memory) {
	enum { FIND = 1 };
	scratch s;
	scratch_layout(&s, p, FIND, memory);
	int groups = 2 * TILE > p->gp ? 0 : TILE;
	for (int64_t a = from; a < to; a += TILE) {
		int n = to - a < TILE ? (int)(to - a) : TILE;
		const float *tile = x + a * p->d;
		float state[TILE], margin[TILE], size[TILE];
		int32_t count[TILE] = {0}, base[TILE] = {0};
		uint32_t todo = 0;
		ISA(load)(p, tile, n, &s, state, margin, size);
		for (int i = 0; i < n; i++) {
			margin[i] *= 1.125f;
			if (state[i] != state[i])
				out[a + i] = -1;
			else if (state[i] != 0 || !(size[i] <= 0x1p20f * p->reach))
				out[a + i] = bl_winner(tile + (size_t)i * p->d, code, p->d, NULL, p->g);
			else
				todo |= 1u << i;
		}
		if (todo) ISA(search)(p, &s, FIND, groups, margin, size, todo, count, base);
		for (; todo; todo &= todo - 1) {
			int i = __builtin_ctz(todo);
			int32_t *list = s.list + i * listed(p), some = count[i];
			if (some > 1) {
				float near = ISA(recheck)(p, &s, i, base[i], some, s.heap_delta);
				some = ISA(left)(p, list, some, s.heap_delta, near);
			}
			out[a + i] = some == 1 ? list[0] : bl_winner(tile + (size_t)i * p->d, code, p->d, some ? list : NULL,
				some ? some : p->g);
		}
	}
}
