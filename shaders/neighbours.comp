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

layout(std430, binding = 0) readonly buffer Points { float x[]; }; // in tiles of 32, see arrange.comp
layout(std430, binding = 1) readonly buffer Code { vec4 code[]; }; // g rows of quads, scaled, padded with 0; their centre; g rows less that
layout(std430, binding = 5) readonly buffer Norms { float norms[]; }; // |L|^2 of the latter
// The cache, in tiles of 32 points: two 16-bit ids to a word; of squared distances rank 0 holds that of
// the nearest (or a negative mark), the others the difference to it.
layout(std430, binding = 3) writeonly buffer Ids { uint ids[]; };
layout(std430, binding = 4) writeonly buffer Deltas { float deltas[]; };

uniform int from, count; // of the points in x
uniform int outFrom;     // the place of the first in the cache
uniform int d, quads, g, find;
uniform int groups, members; // landmark l is in group l mod groups; a multiple of TILE, at most 2 CAP
uniform float scale;
uniform float slack, reach; // rounding of the first pass in units of |x|^2 + reach, the largest norm

const float INVALID = -1.0, TOO_FAR = -2.0, TO_DO = -3.0;
const float BLUR = 16.0; // rounding of a distance in units of that of the differences which is borne
const float FAR = 3e38;
const float AWAY = 1e18; // coordinates of landmarks that are none; points are below 1e9
const int TURNS = 10;    // of the search for the bound, which may be a little high
const int WIDTH = POINTS * THREADS;
shared vec4 stage[STAGE * CHUNK];
shared float norm[STAGE];
shared uint list[2 * CAP * WIDTH]; // of each column: first the minima; then distance, number, and so on


float coordinate(int first, int at) { return at < d ? x[first + 32 * at] * scale : 0.0; }

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

// bound finds a number that at least need of the minima of a column do not exceed, by halves of the bits'
// range.
uint bound(int column, int need, uint low, uint high) {
	for (int turn = 0; turn < TURNS && low < high; turn++) {
		uint middle = low + (high - low) / 2u;
		int n = 0;
		for (int m = column; m < groups * WIDTH; m += 8 * WIDTH) {
#each u
			n += int(list[m + $u * WIDTH] <= middle);
#end
		}
		if (n >= need) high = middle;
		else low = middle + 1u;
	}
	return high;
}

// rank notes in the upper half of the r-th number the place of rank r, for the ranks below need: how many
// of the n are nearer, or as near and listed before. Eight places at a time.
void rank(int column, int n, int need) {
	for (int i = 0; i < n; i += 8) {
#each u
		uint v$u = list[2 * min(i + $u, n - 1) * WIDTH + column];
		int r$u = 0;
#end
		for (int j = 0; j < n; j++) {
			uint w = list[2 * j * WIDTH + column];
#each u
			r$u += int(w < v$u || w == v$u && j < i + $u);
#end
		}
#each u
		if (i + $u < n && r$u < need) list[(2 * r$u + 1) * WIDTH + column] |= uint(i + $u) << 16;
#end
	}
}

int placeOf(int column, int r) { return 2 * int(list[(2 * r + 1) * WIDTH + column] >> 16) * WIDTH + column; }
float distanceOf(int column, int r) { return uintBitsToFloat(list[placeOf(column, r)]); }
uint numberOf(int column, int r) { return list[placeOf(column, r) + WIDTH] & 0xffffu; }

void finish(int n, int column, int first, uint top, int listed, int need) {
	if (n >= count) return;
	int point = outFrom + n, lane = point % 32;
	int word = point / 32 * ((find + 1) / 2) * 32 + lane, at = point / 32 * find * 32 + lane;
	if (top >= floatBitsToUint(1e9)) { // also Inf and NaN; scaling may have made an Inf
		float mark = TOO_FAR;
		for (int c = 0; c < d; c++)
			if ((floatBitsToUint(x[first + 32 * c]) & 0x7fffffffu) >= 0x7f800000u) mark = INVALID;
		deltas[at] = mark;
		return;
	}
	if (listed < need || listed >= CAP - 1) { // far.comp wants a near one to start from
		uint best = floatBitsToUint(FAR), id = 0u;
		for (int i = 0; i < listed; i++) {
			uint v = list[2 * i * WIDTH + column];
			if (v < best) {
				best = v;
				id = list[(2 * i + 1) * WIDTH + column];
			}
		}
		deltas[at] = TO_DO;
		ids[word] = id;
		return;
	}
	rank(column, listed, need);
	float nearest = distanceOf(column, 0), last = distanceOf(column, need - 1);
	// The last bit of the distance says how the differences came about: 1 in far.comp.
	float rounded = uintBitsToFloat(floatBitsToUint(nearest) & ~1u);
	deltas[at] = rounded <= BLUR * (last - rounded) ? rounded : TO_DO;
	for (int r = 1; r < find; r++) deltas[at + 32 * r] = distanceOf(column, r) - nearest;
	for (int r = 0; r < find; r += 2)
		ids[word + 16 * r] = numberOf(column, r) | (r + 1 < find ? numberOf(column, r + 1) << 16 : 0u);
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
	finish(n$b, column$b, first$b, top$b, (end$b - column$b) / (2 * WIDTH), need);
#end
}
