// Stage A: the find nearest landmarks of every point by direct float32 distances, in two passes over the
// landmarks. The first keeps the minima of groups of them; the need-th smallest of these is a bound that at
// least need landmarks do not exceed, and few more. The second lists those, and the list is put in order.
// The first takes |L|^2 - 2 x.L + |x|^2 of centred coordinates for the distances, which is half the work, and
// allows for its rounding: it decides nothing else. What does not fit into the list (ties), what the bound
// fails, and a point so far from all landmarks that rounding would blur their order, is left to far.comp.
//
// One invocation has POINTS points: two take each landmark from shared memory once. It has columns of that
// memory to itself. There are no arrays of its own, which drivers keep in slow memory: what stands between
// #each and #end is written once for each b (point), c (vec4 of a point), l (landmark of a tile) or u (of
// eight), with $b, $c, $l, $u for its number (see glcompute/template.go).
// Defined by the program: THREADS; POINTS; CAP (room in the list, one more than may be in it); CHUNK (vec4
// of a point in registers at a time, all of them unless PARTS is defined, too); TILE (landmarks at a time);
// STAGE (in shared memory at a time, a multiple of TILE); EXACT (precise, where it costs nothing).
layout(local_size_x = THREADS) in;

const int WIDTH = POINTS * THREADS;
shared vec4 stage[STAGE * CHUNK];
shared float norm[STAGE];

#include search.glsl

vec4 quad(int first, int q) {
	return vec4(coordinate(first, 4 * q), coordinate(first, 4 * q + 1), coordinate(first, 4 * q + 2), coordinate(first, 4 * q + 3));
}

vec4 centre(int q) { return code[g * quads + min(q, quads - 1)]; }

// bring fills the stage with the quads from q on of the landmarks of tiles from tile on. In the first pass
// those of one group follow each other, in the second they are in their own order.
void bring(int tile, int q, bool centred) {
	float each = centred ? float(members) : 1.0;
	memoryBarrierShared();
	barrier();
	for (int k = int(gl_LocalInvocationID.x); k < STAGE * CHUNK; k += THREADS) {
		int l = k / CHUNK, c = q + k % CHUNK, t = tile + l / TILE, group = int((float(t) + 0.5) / each);
		int row = (t - group * int(each)) * groups + group * TILE + l % TILE;
		vec4 v = code[min(row, g - 1) * quads + min(c, quads - 1) + (centred ? (g + 1) * quads : 0)];
		stage[k] = c >= quads ? vec4(0) : row < g ? v : vec4(centred ? 0.0 : AWAY);
		if (centred && k % CHUNK == 0) norm[l] = row < g ? norms[row] : AWAY * AWAY;
	}
	memoryBarrierShared();
	barrier();
}

void main() {
	int begin = int(gl_WorkGroupID.x) * WIDTH + int(gl_LocalInvocationID.x);
	int need = min(g, max(find, 4)); // some more than one, to see whether rounding blurs
#each b
	int n$b = begin + $b * THREADS, place$b = from + (n$b < count ? n$b : 0);
	int first$b = place$b / 32 * d * 32 + place$b % 32, column$b = $b * THREADS + int(gl_LocalInvocationID.x);
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
	int group = 0, member = 0, at = STAGE * CHUNK;
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
#ifdef PARTS
		at = 0;
#else
		if (at >= STAGE * CHUNK) {
			bring(t, 0, true);
			at = 0;
		}
#endif
		int base = member * groups + group;
		if (base < g) {
#each b
#each l
			s$b_$l = 0.0;
#end
#end
#ifdef PARTS
			for (int q = 0; q < quads; q += CHUNK) {
				bring(t, q, true);
#each b
#each c
				p$b_$c = -2.0 * (quad(first$b, q + $c) - centre(q + $c));
#end
#end
#else
			{
#endif
#each l
#each c
				mark = stage[at + $l * CHUNK + $c];
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
			low$b_$l = min(low$b_$l, s$b_$l + norm[at / CHUNK + $l]);
#end
#end
		}
		at += TILE * CHUNK;
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

	// The second: plain coordinates in p. Those that the bound lets through are listed: each is put at the
	// end of the list, which moves on if it is to stay, for a branch would cost more. The last place is
	// reached when the list is full.
	at = STAGE * CHUNK;
#ifndef PARTS
#each b
#each c
	p$b_$c = quad(first$b, $c);
#end
#end
#endif
	for (int t = 0; t < (g + TILE - 1) / TILE; t++) {
#ifdef PARTS
		at = 0;
#else
		if (at >= STAGE * CHUNK) {
			bring(t, 0, false);
			at = 0;
		}
#endif
		int base = t * TILE;
		if (base < g) {
#each b
#each l
			s$b_$l = 0.0;
#end
#end
#ifdef PARTS
			for (int q = 0; q < quads; q += CHUNK) {
				bring(t, q, false);
#each b
#each c
				p$b_$c = quad(first$b, q + $c);
#end
#end
#else
			{
#endif
#each l
#each c
				mark = stage[at + $l * CHUNK + $c];
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
#each b
#each l
			list[end$b] = floatBitsToUint(s$b_$l);
			list[end$b + WIDTH] = uint(base + $l);
			end$b = s$b_$l <= limit$b ? min(end$b + 2 * WIDTH, last$b) : end$b;
#end
#end
		}
		at += TILE * CHUNK;
	}
#each b
	int size$b = (end$b - column$b) / (2 * WIDTH);
	uint base$b = 0u;
	if (size$b < need || size$b >= CAP - 1) base$b = nearestListed(column$b, size$b);
	finish(n$b, column$b, first$b, top$b, size$b, need, base$b);
#end
}
