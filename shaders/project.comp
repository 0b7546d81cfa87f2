// Stage B: a position from cached neighbours. Per pair of neighbours i < j, with squared distances less
// that of the nearest, delta:
//
//	e = t - 1/2 = (delta_i - delta_j) / (2q),   q = |L_j - L_i|^2
//	S/H = s_i s_j exp2(log2((1+H)^-adjust / H) - log2(e) e^2)
//
// and the pair's equation along h = l_j - l_i has the right side e H + (|l_j|^2 - |l_i|^2) / 2.
// Positions are relative to that of the nearest landmark. What float32 cannot do fairly is listed for
// the reference. An invocation has one point, whose neighbours it keeps in shared memory; it goes through
// the pairs four rows at a time. Defined by the program: CAP >= k, a multiple of 4; DIMS; THREADS; and for
// software, whose functions are too coarse, OWN_EXP.
layout(local_size_x = THREADS) in;

layout(std430, binding = 0) readonly buffer Points { vec4 x[]; }; // in tiles of 32, see arrange.comp
layout(std430, binding = 1) readonly buffer Code { vec4 code[]; };
layout(std430, binding = 2) writeonly buffer Out { uint y[]; }; // floats; as bits, for NaN must arrive
layout(std430, binding = 3) readonly buffer Ids { uint ids[]; };
layout(std430, binding = 4) readonly buffer Deltas { float deltas[]; };
layout(std430, binding = 5) buffer Hard { uint hards; uint hard[]; }; // 1 + (find+1)/2 words each: point, ids
layout(std430, binding = 6) readonly buffer Pairs { float pairs[]; }; // 1/(2q), see pairs.comp
layout(std430, binding = 7) readonly buffer Places { vec4 places[]; };

uniform int from, count, quads, g, k, find;
uniform int outFrom; // the point that y begins with
uniform int listed;  // whether points with pairs that REFINE is for are left, too
uniform float scale, boost, adjust;

const float NO_LINE = -1e4, FAR = 3e38, INVALID = -1.0;
// Conditions on rounding, in units of the float32 rounding of the deltas: a pair whose e may be off by
// REFINE is computed from the coordinates; a point whose pairs with the nearest are HOPELESS is left.
const float REFINE = 512.0, HOPELESS = 2e3;
const float TINY_DET = 1e-30; // too near the end of float32 to divide by

#if DIMS == 3
#define VEC vec3
#define OF(p) (p).xyz
#else
#define VEC vec2
#define OF(p) (p).xy
#endif
#define AT(r) ((r) * THREADS + int(gl_LocalInvocationID.x))
shared vec2 near[CAP * THREADS]; // score, delta; rank by rank
shared uint id[CAP * THREADS];
VEC origin;

struct Neighbour {
	float score, delta;
	VEC l;
	float half2; // |l|^2 / 2
	int id;
};

Neighbour get(int r) {
	Neighbour n;
	n.id = int(id[AT(r)]);
	vec2 v = near[AT(r)];
	n.l = OF(places[n.id]) - origin;
	n.score = v.x;
	n.delta = v.y;
	n.half2 = 0.5 * dot(n.l, n.l);
	return n;
}

float exp2fine(float v) {
#ifdef OWN_EXP
	v = max(v, -127.0);
	float n = round(v), f = v - n;
	float p = 1.5403530e-4;
	p = fma(p, f, 1.3398874e-3);
	p = fma(p, f, 9.6180291e-3);
	p = fma(p, f, 5.5503324e-2);
	p = fma(p, f, 2.4022651e-1);
	p = fma(p, f, 6.9314718e-1);
	p = fma(p, f, 1.0);
	return p * uintBitsToFloat(uint(int(n) + 127) << 23);
#else
	return exp2(max(v, -127.0));
#endif
}

#ifdef OWN_EXP
// log2 of a positive normal number to about 1e-7.
float log2fine(float x) {
	uint bits = floatBitsToUint(x);
	float e = float(int(bits >> 23) - 127), m = uintBitsToFloat(bits & 0x7fffffu | 0x3f800000u);
	if (m > 1.41421356) {
		m *= 0.5;
		e += 1.0;
	}
	float s = (m - 1.0) / (m + 1.0), s2 = s * s;
	float p = fma(2.0 / 9.0, s2, 2.0 / 7.0);
	p = fma(p, s2, 2.0 / 5.0);
	p = fma(p, s2, 2.0 / 3.0);
	p = fma(p, s2, 2.0);
	return fma(s * p, 1.44269504, e);
}
#else
#define log2fine log2
#endif

// slope is 1/(2q) of a pair. The table is symmetric: one half of it is enough, and stays in caches the better.
float slope(int i, int j) { return pairs[min(i, j) * g + max(i, j)]; }

// lineOf is log2((1+H)^-adjust / H), H = hh, of a pair that defines a line.
float lineOf(float slope, float hh) {
	return hh >= 1e-10 && hh < 1e38 && slope < 1e30 ? -fma(adjust, log2fine(1.0 + hh), log2fine(hh)) : NO_LINE;
}

// refine computes e of one pair from the coordinates.
float refine(int first, uint i, uint j) { // first: where the point's coordinates begin
	vec4 dot4 = vec4(0), q4 = vec4(0);
	for (int q = 0; q < quads; q++) {
		vec4 p = x[first + 32 * q] * scale;
		vec4 li = code[int(i) * quads + q], lj = code[int(j) * quads + q], v = lj - li;
		precise vec4 u = p - li, w = p - lj;
		q4 = fma(v, v, q4);
		dot4 = fma(v, u + w, dot4);
	}
	float q = (q4.x + q4.y) + (q4.z + q4.w);
	return q > 0.0 ? ((dot4.x + dot4.y) + (dot4.z + dot4.w)) / (2.0 * q) : 0.0;
}

void leave(int point, int word) {
	int size = 1 + (find + 1) / 2, at = int(atomicAdd(hards, 1u)) * size;
	hard[at] = uint(point) | (deltas[point / 32 * find * 32 + point % 32] < 0.0 ? 0x80000000u : 0u); // marked: has no ids
	for (int r = 1; r < size; r++) hard[at + r] = ids[word + 32 * (r - 1)];
}

// The sums of the equations.
float xx, xy, yy, xz, yz, zz;
VEC right;

void clear() {
	xx = xy = yy = xz = yz = zz = 0.0;
	right = VEC(0);
}

void addOwn(Neighbour u, float pull) {
	float own = pull * u.score;
	xx += own;
	yy += own;
	zz += own;
	right = fma(VEC(own), u.l, right);
}

void addPair(Neighbour u, Neighbour v, VEC h, float hh, float e, float line) {
	e = clamp(e, -64.0, 64.0); // the weight is 0 long before
	float w = u.score * v.score * exp2fine(fma(e * -1.44269504, e, line));
	VEC wh = w * h;
	xx = fma(wh.x, h.x, xx);
	xy = fma(wh.x, h.y, xy);
	yy = fma(wh.y, h.y, yy);
#if DIMS == 3
	xz = fma(wh.x, h.z, xz);
	yz = fma(wh.y, h.z, yz);
	zz = fma(wh.z, h.z, zz);
#endif
	right = fma(wh, VEC(fma(e, hh, v.half2 - u.half2)), right);
}

// pair adds a pair; it returns its 1/(2q), and that again if the pair counts at all, 0 if not.
vec2 pair(Neighbour u, Neighbour v) {
	VEC h = v.l - u.l;
	float hh = dot(h, h), t = slope(u.id, v.id), line = lineOf(t, hh);
	addPair(u, v, h, hh, (u.delta - v.delta) * t, line);
	return vec2(t, line > 0.5 * NO_LINE && u.score > 0.0 && v.score > 0.0 ? t : 0.0);
}

// addRefined does all pairs anew, those steeper than limit from the coordinates; of the nearest those
// steeper than firstLimit.
void addRefined(int point, float pull, float firstLimit, float limit) {
	clear();
	for (int i = 0; i < k; i++) {
		Neighbour u = get(i);
		addOwn(u, pull);
		for (int j = i + 1; j < k; j++) {
			Neighbour v = get(j);
			VEC h = v.l - u.l;
			float hh = dot(h, h), t = slope(u.id, v.id), line = lineOf(t, hh), e = (u.delta - v.delta) * t;
			if (t > (i == 0 ? firstLimit : limit) && line > 0.5 * NO_LINE)
				e = refine(point / 32 * quads * 32 + point % 32, uint(u.id), uint(v.id));
			addPair(u, v, h, hh, e, line);
		}
	}
}

void main() {
	int n = int(gl_GlobalInvocationID.x);
	if (n >= count) return;
	int point = from + n, lane = point % 32;
	int word = point / 32 * ((find + 1) / 2) * 32 + lane, at = point / 32 * find * 32 + lane;
	int to = (point - outFrom) * DIMS;
	float nearest = deltas[at];
	if (nearest < 0.0) {
		if (nearest == INVALID)
			for (int q = 0; q < DIMS; q++) y[to + q] = 0x7fc00000u;
		else
			leave(point, word);
		return;
	}

	// scores
	float d1 = sqrt(nearest), mu = 0.0, v = 0.0, last = 0.0, sum = 0.0, spread = 0.0;
	for (int r = 0; r < find; r++) {
		spread = r > 0 ? deltas[at + 32 * r] : 0.0;
		last = spread / max(sqrt(nearest + spread) + d1, 1e-30); // D_r - D_1
		if (r < k) {
			near[AT(r)].x = last;
			near[AT(r)].y = spread;
		}
		float w = 1.0 / float(r + 1);
		mu = fma(last, w, mu);
		sum += w;
	}
	mu /= sum;
	for (int r = 0; r < find; r++) {
		float t = (r < k ? near[AT(r)].x : last) - mu;
		v = fma(t * t, 1.0 / float(r + 1), v);
	}
	bool fair = v > 1e-30 && nearest < 1e30;
	float per = -boost * 1.44269504 / sqrt(v / sum), steep = 10.0 / (d1 + last);
	for (int r = 0; r < k; r++) {
		float excess = near[AT(r)].x, s = exp2fine(excess * per);
		if (k < find) { // f = 1 - exp(z), by its series near 0
			float z = (excess - last) * steep;
			float f = -1.0 / 720.0;
			f = fma(f, z, -1.0 / 120.0);
			f = fma(f, z, -1.0 / 24.0);
			f = fma(f, z, -1.0 / 6.0);
			f = fma(f, z, -0.5);
			f = fma(f, z, -1.0) * z;
			s *= z > -0.35 ? f : 1.0 - exp2fine(z * 1.44269504);
		}
		uint w = ids[word + 32 * (r / 2)], i = r % 2 == 0 ? w & 0xffffu : w >> 16;
		if (r == 0) origin = OF(places[i]);
		near[AT(r)].x = s;
		id[AT(r)] = i;
	}
	for (int r = k; r % 4 != 0; r++) { // up to a multiple of four, of no weight
		near[AT(r)].x = near[AT(r)].y = 0.0;
		id[AT(r)] = id[AT(0)];
	}
	float pull = 1e-5 * exp2fine(mu * per);

	// equations
	clear();
	float flattest = FAR, steepest = 0.0, first = 0.0; // of the pairs of the nearest; of other pairs; of those of the nearest
	for (int i = 0; i < k; i += 4) {
		Neighbour a = get(i), b = get(i + 1), c = get(i + 2), e = get(i + 3);
		addOwn(a, pull);
		addOwn(b, pull);
		addOwn(c, pull);
		addOwn(e, pull);
		float others = max(max(pair(b, c).y, pair(b, e).y), pair(c, e).y);
		vec2 ab = pair(a, b), ac = pair(a, c), ae = pair(a, e);
		float flat4 = min(min(ab.x, ac.x), ae.x), own = max(max(ab.y, ac.y), ae.y);
		for (int j = i + 4; j < k; j++) {
			Neighbour v = get(j);
			vec2 av = pair(a, v);
			flat4 = min(flat4, av.x);
			own = max(own, av.y);
			others = max(max(max(others, pair(b, v).y), pair(c, v).y), pair(e, v).y);
		}
		if (i == 0) {
			flattest = flat4;
			first = own;
		} else
			others = max(others, own);
		steepest = max(steepest, others);
	}

	// |v|, the length of the longest difference to the nearest, and the rounding it brings: a delta of
	// far.comp, whose distances end with bit 1, is rounded in proportion to |v| (2 D_1 + |v|), one to a
	// near landmark less; the difference of two distances to D_1^2 more, all of them alike.
	bool differences = (floatBitsToUint(nearest) & 1u) != 0u;
	float v2 = 0.5 / flattest, rounding = fma(2.0 * sqrt(v2), d1, v2) + (differences ? 0.0 : nearest);
	float limit = REFINE / rounding, firstLimit = differences ? FAR : limit;
	bool rough = first > firstLimit || steepest > limit;
	if (!(fair && rounding * flattest < HOPELESS && rounding * 1e-4 < spread) || rough && listed != 0) {
		leave(point, word);
		return;
	}
	if (rough) addRefined(point, pull, firstLimit, limit);
	VEC b = right, p;
#if DIMS == 3
	float axx = fma(yy, zz, -yz * yz), axy = fma(xz, yz, -xy * zz), axz = fma(xy, yz, -xz * yy);
	float ayy = fma(xx, zz, -xz * xz), ayz = fma(xy, xz, -xx * yz), azz = fma(xx, yy, -xy * xy);
	float det = fma(xx, axx, fma(xy, axy, xz * axz)), tr = xx + yy + zz;
	bool good = fair && det > max(1e-3 * tr * tr * tr, TINY_DET) && det < FAR;
	p = VEC(fma(axx, b.x, fma(axy, b.y, axz * b.z)), fma(axy, b.x, fma(ayy, b.y, ayz * b.z)), fma(axz, b.x, fma(ayz, b.y, azz * b.z)));
#else
	float det = fma(xx, yy, -xy * xy), tr = xx + yy;
	bool good = fair && det > max(5e-4 * tr * tr, TINY_DET) && det < FAR;
	p = VEC(fma(b.x, yy, -b.y * xy), fma(b.y, xx, -b.x * xy));
#endif
	if (!good) {
		leave(point, word);
		return;
	}
	p = p / det + origin;
	for (int q = 0; q < DIMS; q++) y[to + q] = floatBitsToUint(p[q]);
}
