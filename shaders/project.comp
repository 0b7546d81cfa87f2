// Stage B: a position from cached neighbours. Per pair of neighbours i < j, with squared distances less
// that of the nearest, delta:
//
//	e = t - 1/2 = (delta_i - delta_j) / (2q),   q = |L_j - L_i|^2
//	S/H = s_i s_j exp2(log2((1+H)^-adjust / H) - log2(e) e^2)
//
// and the pair's equation along h = l_j - l_i has the right side e H + (|l_j|^2 - |l_i|^2) / 2.
// Positions are relative to that of the nearest landmark. What float32 cannot do fairly is listed for
// the reference. Defined by the program: CAP >= k, DIMS.
layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Points { float x[]; }; // in tiles of 32, see arrange.comp
layout(std430, binding = 1) readonly buffer Code { vec4 code[]; };
layout(std430, binding = 2) writeonly buffer Out { uint y[]; }; // floats; as bits, for NaN must arrive
layout(std430, binding = 3) readonly buffer Ids { uint ids[]; };
layout(std430, binding = 4) readonly buffer Deltas { float deltas[]; };
layout(std430, binding = 5) buffer Hard { uint hards; uint hard[]; }; // 1 + (find+1)/2 words each: point, ids
layout(std430, binding = 6) readonly buffer Pairs { vec2 pair[]; };
layout(std430, binding = 7) readonly buffer Places { vec4 place[]; };

uniform int from, count, d, quads, g, k, find;
uniform int outFrom; // the point that y begins with
uniform int listed;  // whether points with pairs that REFINE is for are left, too
uniform float scale, boost;

const float NO_LINE = -1e4, FAR = 3e38, INVALID = -1.0;
// Conditions on rounding, in units of the float32 rounding of the deltas: a pair whose e may be off by
// REFINE is computed from the coordinates; a point whose pairs with the nearest are HOPELESS is left.
const float REFINE = 512.0, HOPELESS = 2e3;
const float TINY_DET = 1e-30; // too near the end of float32 to divide by

uint id[CAP];
vec4 near[CAP]; // score, delta, x, y
#if DIMS == 3
#define VEC vec3
#define OF(p) (p).xyz
float deep[CAP]; // z
#define PLACE(r, v) vec3((v).zw, deep[r])
#else
#define VEC vec2
#define OF(p) (p).xy
#define PLACE(r, v) (v).zw
#endif

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

// refine computes e of one pair from the coordinates.
float refine(int first, uint i, uint j) { // first: where the point's coordinates begin
	vec4 dot4 = vec4(0), q4 = vec4(0);
	for (int q = 0; q < quads; q++) {
		vec4 p;
		for (int c = 0; c < 4; c++) {
			int at = 4 * q + c;
			p[c] = at < d ? x[first + 32 * at] * scale : 0.0;
		}
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
			near[r].x = last;
			near[r].y = spread;
		}
		float w = 1.0 / float(r + 1);
		mu = fma(last, w, mu);
		sum += w;
	}
	mu /= sum;
	for (int r = 0; r < find; r++) {
		float t = (r < k ? near[r].x : last) - mu;
		v = fma(t * t, 1.0 / float(r + 1), v);
	}
	bool fair = v > 1e-30 && nearest < 1e30;
	float per = -boost * 1.44269504 / sqrt(v / sum), steep = 10.0 / (d1 + last);
	VEC origin = VEC(0);
	for (int r = 0; r < k; r++) {
		float excess = near[r].x, s = exp2fine(excess * per);
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
		near[r].x = s;
		uint w = ids[word + 32 * (r / 2)];
		id[r] = r % 2 == 0 ? w & 0xffffu : w >> 16;
		VEC l = OF(place[id[r]]);
		if (r == 0) origin = l;
		l -= origin;
		near[r].zw = l.xy;
#if DIMS == 3
		deep[r] = l.z;
#endif
	}
	float pull = 1e-5 * exp2fine(mu * per);

	// |v|, the length of the longest difference to the nearest, and the rounding it brings: a delta of
	// far.comp, whose distances end with bit 1, is rounded in proportion to |v| (2 D_1 + |v|), one to a
	// near landmark less; the difference of two distances to D_1^2 more, all of them alike.
	float flattest = FAR;
	for (int j = 1; j < k; j++) flattest = min(flattest, pair[int(id[0]) * g + int(id[j])].x);
	bool differences = (floatBitsToUint(nearest) & 1u) != 0u;
	float v2 = 0.5 / flattest, rounding = fma(2.0 * sqrt(v2), d1, v2) + (differences ? 0.0 : nearest);
	float limit = REFINE / rounding;
	if (!(fair && rounding * flattest < HOPELESS && rounding * 1e-4 < spread)) {
		leave(point, word);
		return;
	}

	// equations
	float weights = 0.0;
	float xx = 0.0, xy = 0.0, yy = 0.0;
	VEC b = VEC(0);
#if DIMS == 3
	float xz = 0.0, yz = 0.0, zz = 0.0;
#endif
	for (int i = 0; i < k; i++) {
		vec4 ni = near[i];
		float si = ni.x, di = ni.y;
		VEC li = PLACE(i, ni);
		float hi = 0.5 * dot(li, li);
		int line = int(id[i]) * g;
		float own = pull * si, most = i == 0 && differences ? FAR : limit;
		weights += own;
		b = fma(VEC(own), li, b);
		for (int j = i + 1; j < k; j++) {
			vec4 nj = near[j];
			vec2 t = pair[line + int(id[j])];
			float e = (di - nj.y) * t.x;
			if (t.x > most && t.y > 0.5 * NO_LINE) {
				fair = fair && listed == 0;
				if (fair) e = refine(point / 32 * d * 32 + lane, id[i], id[j]);
			}
			e = clamp(e, -64.0, 64.0); // the weight is 0 long before
			float w = si * nj.x * exp2fine(fma(e * -1.44269504, e, t.y));
			VEC lj = PLACE(j, nj), h = lj - li;
			float right = fma(e, dot(h, h), fma(0.5, dot(lj, lj), -hi));
			VEC wh = w * h;
			xx = fma(wh.x, h.x, xx);
			xy = fma(wh.x, h.y, xy);
			yy = fma(wh.y, h.y, yy);
#if DIMS == 3
			xz = fma(wh.x, h.z, xz);
			yz = fma(wh.y, h.z, yz);
			zz = fma(wh.z, h.z, zz);
#endif
			b = fma(wh, VEC(right), b);
		}
	}
	xx += weights;
	yy += weights;
	VEC p;
#if DIMS == 3
	zz += weights;
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
