// Stage A: the find nearest landmarks of every point by direct float32 distances, in two passes over the
// landmarks. The first keeps the minima of groups of them; the need-th smallest of these is a bound that at
// least need landmarks do not exceed, and few more. The second lists those, and the list is put in order.
// The first takes |L|^2 - 2 x.L + |x|^2 of centred coordinates for the distances, which is half the work, and
// allows for its rounding: it decides nothing else. What does not fit into the list (ties), what the bound
// fails, and a point so far from all landmarks that rounding would blur their order, is left to far.comp.
//
// One invocation has POINTS points: two take each landmark from shared memory once. That memory is little, for
// drivers give it to few groups at a time: the lists, of which each point has a column, are in a buffer, and
// stay in caches. There are no arrays of its own, which drivers keep in slow memory: what stands between
// #each and #end is written once for each b (point), c (vec4 of a point), l (landmark of a tile), u (of
// eight) or h (of seven), with $b, $c, $l, $u, $h for its number (see glcompute/template.go).
// Defined by the program: THREADS; POINTS; CAP (room in the list, one more than may be in it); CHUNK (vec4
// of a point in registers at a time, all of them unless PARTS is defined, too); TILE (landmarks at a time);
// STAGE (in shared memory at a time, a multiple of TILE); EXACT (precise, where it costs nothing).
layout(local_size_x = THREADS) in;

const int WIDTH = POINTS * THREADS;
const int STRIDE = TILE * CHUNK;
shared vec4 stage[STAGE / TILE][STRIDE];
shared float norm[STAGE];

#include search.glsl

vec4 centre(int q) { return code[g * quads + min(q, quads - 1)]; }

// bring copies the landmarks of tiles from tile on, as many as the stage holds, or if PARTS is defined part
// part of one tile's, from where it is at in staged: all is there in the order in which it is needed.
void bring(int at, int tile, int part) {
#ifdef PARTS
	tile = tile * parts + part;
#endif
	memoryBarrierShared();
	barrier();
	for (int k = int(gl_LocalInvocationID.x); k < STAGE * CHUNK; k += THREADS) stage[k / STRIDE][k % STRIDE] = staged[at + tile * STRIDE + k];
	memoryBarrierShared();
	barrier();
}

// bringNorms is for the same landmarks, before bring.
void bringNorms(int tile) {
	memoryBarrierShared();
	barrier();
	for (int k = int(gl_LocalInvocationID.x); k < STAGE; k += THREADS) norm[k] = norms[tile * TILE + k];
}

void main() {
	int begin = int(gl_WorkGroupID.x) * WIDTH + int(gl_LocalInvocationID.x);
	int need = min(g, max(find, 4)); // some more than one, to see whether rounding blurs
#each b
	int n$b = begin + $b * THREADS, place$b = from + (n$b < count ? n$b : 0);
	int first$b = place$b / 32 * quads * 32 + place$b % 32, column$b = int(gl_WorkGroupID.x) * (2 * CAP * WIDTH) + $b * THREADS + int(gl_LocalInvocationID.x);
	uint top$b = 0u; // bits of the largest coordinate: they are in the order of the numbers
	float norm2_$b = 0.0, least$b = FAR, most$b = 0.0;
	for (int q = 0; q < quads; q++) {
		vec4 v = quad(first$b, q);
		uvec4 bits = floatBitsToUint(v) & 0x7fffffffu;
		top$b = max(max(top$b, max(bits.x, bits.y)), max(bits.z, bits.w));
		v -= centre(q);
		norm2_$b += dot(v, v);
	}
#each c
	vec4 p$b_$c;
#end
#each l
	EXACT float s$b_$l;
	float low$b_$l;
#end
#end
	vec4 mark;
	EXACT vec4 away;

	// The first pass: -2 times the centred coordinates in p, sums in s, minima of the groups in low.
	int group = 0, member = 0, at = STAGE / TILE; // at: which tile of the stage is next
#each b
#each l
	low$b_$l = FAR;
#end
#end
#ifndef PARTS
#each b
#each c
	p$b_$c = -2.0 * (quad(first$b, $c) - centre($c));
#end
#end
#endif
	for (int t = 0; t < groups / TILE * members; t++) {
#each b
#each l
		s$b_$l = 0.0;
#end
#end
#ifdef PARTS
		at = 0;
		bringNorms(t);
		for (int part = 0; part < parts; part++) {
			bring(0, t, part);
#each b
#each c
			p$b_$c = -2.0 * (quad(first$b, part * CHUNK + $c) - centre(part * CHUNK + $c));
#end
#end
#else
		if (at >= STAGE / TILE) {
			bringNorms(t);
			bring(0, t, 0);
			at = 0;
		}
		{
#endif
#each l
#each c
			mark = stage[at][$l * CHUNK + $c];
#each b
			s$b_$l = fma(p$b_$c.x, mark.x, s$b_$l);
			s$b_$l = fma(p$b_$c.y, mark.y, s$b_$l);
			s$b_$l = fma(p$b_$c.z, mark.z, s$b_$l);
			s$b_$l = fma(p$b_$c.w, mark.w, s$b_$l);
#end
#end
#end
		}
#each b
#each l
		low$b_$l = min(low$b_$l, s$b_$l + norm[at * TILE + $l]);
#end
#end
		at++;
		if (++member == members) {
#each b
#each l
			s$b_$l = max(low$b_$l + norm2_$b, 0.0);
			list[(group + $l) * WIDTH + column$b] = floatBitsToUint(s$b_$l);
			least$b = min(least$b, s$b_$l);
			if (s$b_$l < AWAY) most$b = max(most$b, s$b_$l);
			low$b_$l = FAR;
#end
#end
			member = 0;
			group += TILE;
		}
	}
#each b
	float limit$b = uintBitsToFloat(bound(column$b, need, floatBitsToUint(least$b), floatBitsToUint(most$b))) + slack * (norm2_$b + reach);
	int end$b = column$b, last$b = column$b + 2 * (CAP - 1) * WIDTH;
#end

	// The second: plain coordinates in p. Those that the bound lets through are listed, the last place being
	// reached when the list is full.
	at = STAGE / TILE;
#ifndef PARTS
#each b
#each c
	p$b_$c = quad(first$b, $c);
#end
#end
#endif
	for (int t = 0; t < (g + TILE - 1) / TILE; t++) {
#each b
#each l
		s$b_$l = 0.0;
#end
#end
#ifdef PARTS
		at = 0;
		for (int part = 0; part < parts; part++) {
			bring(plain, t, part);
#each b
#each c
			p$b_$c = quad(first$b, part * CHUNK + $c);
#end
#end
#else
		if (at >= STAGE / TILE) {
			bring(plain, t, 0);
			at = 0;
		}
		{
#endif
#each l
#each c
			mark = stage[at][$l * CHUNK + $c];
#each b
			away = p$b_$c - mark;
			s$b_$l = fma(away.x, away.x, s$b_$l);
			s$b_$l = fma(away.y, away.y, s$b_$l);
			s$b_$l = fma(away.z, away.z, s$b_$l);
			s$b_$l = fma(away.w, away.w, s$b_$l);
#end
#end
#end
		}
		at++;
#each b
#each l
		if (s$b_$l <= limit$b) {
			list[end$b] = floatBitsToUint(s$b_$l);
			list[end$b + WIDTH] = uint(t * TILE + $l);
			end$b = min(end$b + 2 * WIDTH, last$b);
		}
#end
#end
	}
#each b
	int size$b = (end$b - column$b) / (2 * WIDTH);
	uint base$b = 0u;
	if (size$b < need || size$b >= CAP - 1) base$b = nearestListed(column$b, size$b);
	finish(n$b, column$b, first$b, top$b, size$b, need, base$b);
#end
}
