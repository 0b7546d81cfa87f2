// Repulsion by the tree: for a group of points, nodes are taken or opened, those taken form a list, and the list acts
// on all of the group.

void ISA(bl_leaves)(const bl_map *m, int32_t from, int32_t to) {
	for (int32_t b = from; b < to; b++) {
		int32_t first = b * LEAF, count = m->n - first < LEAF ? m->n - first : LEAF;
		float side = 0;
		for (int c = 0; c < m->dims; c++) {
			const float *v = m->flat[c] + first;
			float lo = v[0], hi = v[0], sum[4] = {0};
			for (int i = 0; i < count; i++) {
				lo = v[i] < lo ? v[i] : lo, hi = v[i] > hi ? v[i] : hi;
				sum[i & 3] += v[i] - v[0]; // the mean of points far from the origin, too
			}
			m->lo[c][b] = lo, m->hi[c][b] = hi;
			m->mean[c][b] = v[0] + (sum[0] + sum[1] + sum[2] + sum[3]) / (float)count;
			side = hi - lo > side ? hi - lo : side;
		}
		m->mass[b] = (float)count, m->side2[b] = side * side;
	}
}

enum { LIST = 1024, OPEN = 512 };

typedef struct {
	const bl_map *m;
	const float *group[3];
	float lo[3], hi[3], theta2;
	int32_t count;
	float list[3][LIST + 2 * W + LEAF], mass[LIST + 2 * W + LEAF];
	double z[GROUP], f[3][GROUP];
} ISA(walk);

static inline __attribute__((always_inline)) void ISA(empty)(ISA(walk) *s) {
	const float *list[3] = {s->list[0], s->list[1], s->list[2]};
	if (s->m->dims == 2) ISA(near)(s->group, list, s->mass, s->count, 0, s->z, s->f, 2);
	else ISA(near)(s->group, list, s->mass, s->count, 0, s->z, s->f, 3);
	s->count = 0;
}

// descend sees the four children of each parent, on this level.
static void ISA(descend)(ISA(walk) *s, int level, const int32_t *parents, int32_t count) {
	const bl_map *m = s->m;
	int32_t base = m->level[level], nodes = m->level[level + 1] - base, opened = 0;
	int32_t open[OPEN + W];
	for (int32_t at = 0; at < count; at += W / 4) {
		int32_t from[W / 4], ids[W];
		for (int q = 0; q < W / 4; q++) from[q] = 4 * parents[at + q < count ? at + q : at];
		int32_t seen = 4 * (count - at);
		vf d = V1(1);
		vf mean[3];
		for (int c = 0; c < m->dims; c++) {
			mean[c] = VQUADS(m->mean[c] + base, from);
			vf r = VMAX(VMAX(V1(s->lo[c]) - mean[c], mean[c] - V1(s->hi[c])), V1(0));
			d = VFMA(r, r, d);
		}
		vm take = VLT(VQUADS(m->side2 + base, from), V1(s->theta2) * d);
		uint32_t there = seen < W ? (1u << seen) - 1 : (uint32_t)((1ull << W) - 1);
		if (from[W / 4 - 1] + 4 > nodes || seen < W)
			for (int q = 0; q < W; q++) {
				int32_t id = from[q / 4] + q % 4;
				if (id >= nodes) there &= ~(1u << q);
			}
		uint32_t taken = VBITS(take) & there, rest = there & ~taken;
		if (taken) {
			int32_t to = s->count;
			for (int c = 0; c < m->dims; c++) VPACK(s->list[c] + to, taken, mean[c]);
			VPACK(s->mass + to, taken, VQUADS(m->mass + base, from));
			s->count += __builtin_popcount(taken);
		}
		for (int q = 0; q < W / 4; q++)
			for (int k = 0; k < 4; k++) ids[4 * q + k] = from[q] + k;
		if (level > 0) {
			while (rest) {
				open[opened++] = ids[__builtin_ctz(rest)];
				rest &= rest - 1;
			}
			if (opened >= OPEN) {
				ISA(descend)(s, level - 1, open, opened);
				opened = 0;
			}
		}
		while (rest) {
			int32_t first = ids[__builtin_ctz(rest)] * LEAF, many = m->n - first < LEAF ? m->n - first : LEAF;
			rest &= rest - 1;
			for (int c = 0; c < m->dims; c++) memcpy(s->list[c] + s->count, m->flat[c] + first, LEAF * sizeof(float));
			for (int i = 0; i < LEAF; i++) s->mass[s->count + i] = 1;
			s->count += many;
			if (s->count > LIST) ISA(empty)(s);
		}
		if (s->count > LIST) ISA(empty)(s);
	}
	if (opened) ISA(descend)(s, level - 1, open, opened);
}

double ISA(bl_walk)(const bl_map *m, float theta2, int32_t group) {
	ISA(walk) s;
	int32_t first = group * GROUP, many = m->n - first < GROUP ? m->n - first : GROUP, top = m->levels - 1, root = 0;
	int32_t own = top > 0 ? m->level[1] + group : 0;
	s.m = m, s.theta2 = theta2, s.count = 0;
	for (int c = 0; c < m->dims; c++) {
		s.group[c] = m->flat[c] + first;
		s.lo[c] = m->lo[c][own], s.hi[c] = m->hi[c][own];
	}
	memset(s.z, 0, sizeof s.z), memset(s.f, 0, sizeof s.f);
	ISA(descend)(&s, top, &root, 1);
	ISA(empty)(&s);
	double sum = 0;
	for (int32_t i = 0; i < many; i++) {
		sum += s.z[i] - 1; // its own
		float *to = m->rep + (size_t)m->curve[first + i] * m->stride;
		for (int c = 0; c < m->dims; c++) to[c] = (float)s.f[c][i];
	}
	return sum;
}
