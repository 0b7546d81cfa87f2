// What neighbours.comp does with its lists.
layout(std430, binding = 0) readonly buffer Points { vec4 x[]; }; // in tiles of 32, see arrange.comp
layout(std430, binding = 1) readonly buffer Code { vec4 code[]; }; // g rows of quads, scaled, padded with 0; their centre
// The landmarks as the passes need them, in tiles of TILE x CHUNK (and of those, parts for a tile): less their
// centre, then from plain on as they are. Rows that are none are 0 or far away.
layout(std430, binding = 7) readonly buffer Staged { vec4 staged[]; };
layout(std430, binding = 5) readonly buffer Norms { float norms[]; }; // |L|^2 of the former
layout(std430, binding = 6) buffer Lists { uint list[]; }; // of each column: first the minima; then distance, number, and so on
// The cache, in tiles of 32 points: two 16-bit ids to a word; of squared distances rank 0 holds that of
// the nearest (or a negative mark), the others the difference to it.
layout(std430, binding = 3) writeonly buffer Ids { uint ids[]; };
layout(std430, binding = 4) writeonly buffer Deltas { float deltas[]; };

uniform int from, count; // of the points in x
uniform int outFrom;     // the place of the first in the cache
uniform int quads, g, find;
uniform int parts, plain;
uniform int groups, members; // landmark l is in group l mod groups; a multiple of TILE, at most 2 CAP
uniform float scale;
uniform float slack, reach; // rounding of the first pass in units of |x|^2 + reach, the largest norm

const float INVALID = -1.0, TOO_FAR = -2.0, TO_DO = -3.0;
const float BLUR = 16.0; // rounding of a distance in units of that of the differences which is borne
const float FAR = 3e38;
const float AWAY = 1e18; // coordinates of rows that are none, see glcompute/staged.go; points are below 1e9
const int TURNS = 4;     // of the search for the bound, which may be a little high

// quad is a part of a point whose coordinates begin at first.
vec4 quad(int first, int q) {
#ifdef PARTS
	return q < quads ? x[first + 32 * q] * scale : vec4(0);
#else
	return x[first + 32 * q] * scale;
#endif
}

// bound finds a number that at least need of the minima of a column do not exceed. Each turn cuts the range
// of the bits by eight: comparing seven times costs less than reading the minima three times.
uint bound(int column, int need, uint low, uint high) {
	for (int turn = 0; turn < TURNS && low < high; turn++) {
		uint part = (high - low) / 8u;
#each h
		uint at$h = low + $hu * part + part;
		int n$h = 0;
#end
		for (int m = column; m < column + groups * WIDTH; m += 8 * WIDTH) {
#each u
			uint v$u = list[m + $u * WIDTH];
#end
#each u
#each h
			n$h += int(v$u <= at$h);
#end
#end
		}
#each h
		if (n$h < need) low = at$h + 1u;
		else high = min(high, at$h);
#end
	}
	return high;
}

// rank notes in the upper half of the r-th number the place of rank r, for the ranks below need: how many
// of the n are nearer, or as near and of a lower number, which are listed before. Eight places at a time.
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

// nearestListed is one to start from for far.comp.
uint nearestListed(int column, int size) {
	uint best = floatBitsToUint(FAR), id = 0u;
	for (int i = 0; i < size; i++) {
		uint v = list[2 * i * WIDTH + column];
		if (v < best) {
			best = v;
			id = list[(2 * i + 1) * WIDTH + column];
		}
	}
	return id;
}

// finish ranks the size listed landmarks of a column and writes the nearest into the cache, or base if the
// list will not do.
void finish(int n, int column, int first, uint top, int size, int need, uint base) {
	if (n >= count) return;
	int point = outFrom + n, lane = point % 32;
	int word = point / 32 * ((find + 1) / 2) * 32 + lane, at = point / 32 * find * 32 + lane;
	if (top >= floatBitsToUint(1e9)) { // also Inf and NaN; scaling may have made an Inf
		float mark = TOO_FAR;
		for (int q = 0; q < quads; q++)
			if (any(greaterThanEqual(floatBitsToUint(x[first + 32 * q]) & 0x7fffffffu, uvec4(0x7f800000u)))) mark = INVALID;
		deltas[at] = mark;
		return;
	}
	if (size < need || size >= CAP - 1) {
		deltas[at] = TO_DO;
		ids[word] = base;
		return;
	}
	rank(column, size, need);
	float nearest = distanceOf(column, 0), last = distanceOf(column, need - 1);
	// The last bit of the distance says how the differences came about: 1 in far.comp.
	float rounded = uintBitsToFloat(floatBitsToUint(nearest) & ~1u);
	deltas[at] = rounded <= BLUR * (last - rounded) ? rounded : TO_DO;
	for (int r = 0; r < find; r += 2) {
		int a = placeOf(column, r);
		uint two = list[a + WIDTH] & 0xffffu;
		if (r > 0) deltas[at + 32 * r] = uintBitsToFloat(list[a]) - nearest;
		if (r + 1 < find) {
			int b = placeOf(column, r + 1);
			deltas[at + 32 * (r + 1)] = uintBitsToFloat(list[b]) - nearest;
			two |= list[b + WIDTH] << 16;
		}
		ids[word + 16 * r] = two;
	}
}
