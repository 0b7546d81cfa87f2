// Stage A as neighbours.comp does it, for points of many coordinates on cards: an invocation has the products
// of 8 points and 4 landmarks in registers, the group those of 64 and 32. So a number from shared memory
// counts for many multiply-adds. Each of the 64 has a column of the list, that of one point; the others put
// landmarks there, too, in any order. A full list is of no use, for who came first is chance.
// Defined by the program: CAP (room in the list, one more than may be in it); STEP (coordinates in shared
// memory at a time, a multiple of 4). TILE is 32.
layout(local_size_x = 64) in;

const int WIDTH = 64;
shared vec4 a[STEP * 16]; // of each coordinate the 64 points
shared vec4 b[STEP * 8];  // and the 32 landmarks
shared float limits[WIDTH];
shared int listed[WIDTH];

#include search.glsl

int place(int column) {
	int n = int(gl_WorkGroupID.x) * WIDTH + column, at = from + (n < count ? n : 0);
	return at / 32 * d * 32 + at % 32;
}

// What the invocation brings of the points: four of them, of every fourth coordinate.
ivec4 firsts;

float centre(int at) {
	vec4 v = code[g * quads + at / 4];
	return at % 4 < 2 ? at % 4 == 0 ? v.x : v.y : at % 4 == 2 ? v.z : v.w;
}

vec4 row(int l, int q, int first) {
	if (q >= quads) return vec4(0);
	return l < g ? code[(first + l) * quads + q] : vec4(first == 0 ? AWAY : 0.0);
}

// bring fetches STEP coordinates from at on, of 32 landmarks from base on and of the points, if they are not
// all there already. Centred points come times -2.
void bring(int base, int at, bool centred, bool again) {
	int id = int(gl_LocalInvocationID.x), first = centred ? g + 1 : 0;
	memoryBarrierShared();
	barrier();
	for (int k = id / 16; k < STEP && (d > STEP || !again); k += 4) {
		int c = at + k;
		vec4 v = vec4(0);
		if (c < d) {
			v = vec4(x[firsts.x + 32 * c], x[firsts.y + 32 * c], x[firsts.z + 32 * c], x[firsts.w + 32 * c]) * scale;
			if (centred) v = (v - centre(c)) * -2.0;
		}
		a[k * 16 + id % 16] = v;
	}
	for (int k = id; k < 2 * STEP; k += 64) {
		int l = base + k % 8 * 4, q = at / 4 + k / 8, to = k / 8 * 32 + k % 8;
		vec4 v0 = row(l, q, first), v1 = row(l + 1, q, first), v2 = row(l + 2, q, first), v3 = row(l + 3, q, first);
		b[to] = vec4(v0.x, v1.x, v2.x, v3.x);
		b[to + 8] = vec4(v0.y, v1.y, v2.y, v3.y);
		b[to + 16] = vec4(v0.z, v1.z, v2.z, v3.z);
		b[to + 24] = vec4(v0.w, v1.w, v2.w, v3.w);
	}
	memoryBarrierShared();
	barrier();
}

// nearest is for a list that overflowed.
uint nearest(int first) {
	float best = FAR;
	uint id = 0u;
	for (int i = 0; i < g; i++) {
		float s = 0.0;
		for (int c = 0; c < quads; c++) {
			vec4 v = vec4(coordinate(first, 4 * c), coordinate(first, 4 * c + 1), coordinate(first, 4 * c + 2), coordinate(first, 4 * c + 3)) - code[i * quads + c];
			s += dot(v, v);
		}
		if (s < best) {
			best = s;
			id = uint(i);
		}
	}
	return id;
}

// put lists those of four distances of a point that its bound lets through.
void put(int point, vec4 v, float limit, int l) {
	int hits = int(v.x <= limit) + int(v.y <= limit) + int(v.z <= limit) + int(v.w <= limit);
	if (hits == 0) return;
	int at = atomicAdd(listed[point], hits);
#each l
	if (v[$l] <= limit) {
		if (at < CAP) {
			list[2 * at * WIDTH + point] = floatBitsToUint(v[$l]);
			list[(2 * at + 1) * WIDTH + point] = uint(l + $l);
		}
		at++;
	}
#end
}

void main() {
	int id = int(gl_LocalInvocationID.x), px = id % 8, ly = id / 8 * 4;
	int need = min(g, max(find, 4)); // some more than one, to see whether rounding blurs
	int own = place(id);
	firsts = ivec4(place(id % 16 * 4), place(id % 16 * 4 + 1), place(id % 16 * 4 + 2), place(id % 16 * 4 + 3));
	listed[id] = 0;

	// The first pass: sums of 8 points, of each of 4 landmarks ($l), and minima.
#each l
	vec4 sA$l, sB$l, lowA$l, lowB$l;
#end
	vec4 u, v, mark;
	for (int group = 0; group < groups; group += 32) {
#each l
		lowA$l = lowB$l = vec4(FAR);
#end
		for (int base = group; base < g; base += groups) {
#each l
			sA$l = sB$l = vec4(0);
#end
			for (int c = 0; c < d; c += STEP) {
				bring(base, c, true, base > 0);
				for (int k = 0; k < STEP; k += 4) {
#each k
					u = a[(k + $k) * 16 + px];
					v = a[(k + $k) * 16 + px + 8];
					mark = b[(k + $k) * 8 + ly / 4];
#each l
					sA$l = fma(u, vec4(mark[$l]), sA$l);
					sB$l = fma(v, vec4(mark[$l]), sB$l);
#end
#end
				}
			}
#each l
			float norm$l = base + ly + $l < g ? norms[base + ly + $l] : AWAY * AWAY;
			lowA$l = min(lowA$l, sA$l + norm$l);
			lowB$l = min(lowB$l, sB$l + norm$l);
#end
		}
#each l
#each c
		list[(group + ly + $l) * WIDTH + px * 4 + $c] = floatBitsToUint(lowA$l[$c]);
		list[(group + ly + $l) * WIDTH + px * 4 + 32 + $c] = floatBitsToUint(lowB$l[$c]);
#end
#end
	}
	memoryBarrierShared();
	barrier();

	uint top = 0u; // bits of the largest coordinate: they are in the order of the numbers
	float norm2 = 0.0, least = FAR, most = 0.0;
	for (int c = 0; c < d; c++) {
		float v = coordinate(own, c);
		top = max(top, floatBitsToUint(v) & 0x7fffffffu);
		v -= centre(c);
		norm2 = fma(v, v, norm2);
	}
	for (int m = id; m < groups * WIDTH; m += WIDTH) {
		float v = max(uintBitsToFloat(list[m]) + norm2, 0.0);
		list[m] = floatBitsToUint(v);
		least = min(least, v);
		if (v < AWAY) most = max(most, v);
	}
	limits[id] = uintBitsToFloat(bound(id, need, floatBitsToUint(least), floatBitsToUint(most))) + slack * (norm2 + reach);
	memoryBarrierShared();
	barrier();

	// The second: sums of squares, and what the bound lets through.
	EXACT vec4 away;
#each l
	EXACT vec4 eA$l, eB$l;
#end
#each c
	float limitA$c = limits[px * 4 + $c], limitB$c = limits[px * 4 + 32 + $c];
#end
	for (int base = 0; base < g; base += 32) {
#each l
		eA$l = eB$l = vec4(0);
#end
		for (int c = 0; c < d; c += STEP) {
			bring(base, c, false, base > 0);
			for (int k = 0; k < STEP; k += 4) {
#each k
				u = a[(k + $k) * 16 + px];
				v = a[(k + $k) * 16 + px + 8];
				mark = b[(k + $k) * 8 + ly / 4];
#each l
				away = u - vec4(mark[$l]);
				eA$l = fma(away, away, eA$l);
				away = v - vec4(mark[$l]);
				eB$l = fma(away, away, eB$l);
#end
#end
			}
		}
#each c
		put(px * 4 + $c, vec4(eA0[$c], eA1[$c], eA2[$c], eA3[$c]), limitA$c, base + ly);
		put(px * 4 + 32 + $c, vec4(eB0[$c], eB1[$c], eB2[$c], eB3[$c]), limitB$c, base + ly);
#end
	}
	memoryBarrierShared();
	barrier();
	int n = int(gl_WorkGroupID.x) * WIDTH + id, size = listed[id];
	uint base = 0u;
	if (n < count && size < need) base = nearestListed(id, size);
	else if (n < count && size >= CAP - 1) base = nearest(own);
	finish(n, id, own, top, size, need, base);
}
