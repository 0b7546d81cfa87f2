// Stage A: the find nearest landmarks of every point by direct float32 distances, in two passes over the
// landmarks. The first keeps the minima of groups of them; the need-th smallest of these is a bound that at
// least need landmarks do not exceed, and few more. The second lists those, and the list is put in order.
// The first takes |L|^2 - 2 x.L + |x|^2 of centred coordinates for the distances, which is half the work, and
// allows for its rounding: it decides nothing else. What does not fit into the list (ties), what the bound
// fails, and a point so far from all landmarks that rounding would blur their order, is left to far.comp.
//
// One invocation has POINTS points: two take each landmark from shared memory once. It has columns of that
// memory to itself. Arrays that must be in registers are indexed by constants alone.
// Defined by the program: THREADS; POINTS; CAP (room in the list, one more than may be in it); CHUNK (vec4
// of a point in registers at a time, all of them unless PARTS is defined, too); TILE (landmarks at a time);
// STAGE (in shared memory at a time, a multiple of TILE); and for loops EACH(X) (X of every point), ADDS(X,
// l, c) (of that and l, c), SUMS(X) (of every landmark of a tile and every vec4), QUADS(X, b) (of b and of
// every vec4), MARKS(X, b) (of b and of every landmark of a tile).
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

// What there is of each point b, one after another.
vec4 p[POINTS * CHUNK];
float sum[POINTS * TILE], low[POINTS * TILE]; // distances; minima of the groups
float limit[POINTS], least[POINTS], most[POINTS], norm2[POINTS];
int end[POINTS];    // of the list
uint top[POINTS]; // bits of the largest coordinate: they are in the order of the numbers
int first[POINTS]; // where the point's coordinates begin

#define COLUMN(b) (b * THREADS + int(gl_LocalInvocationID.x))

float coordinate(int first, int at) { return at < d ? x[first + 32 * at] * scale : 0.0; }

// fetch brings the coordinates from quad q on into p: for the first pass -2 times the centred ones. It looks
// at them the first time.
#define QUAD(b, c) { int at = 4 * (q + c); \
	vec4 v = vec4(coordinate(first[b], at), coordinate(first[b], at + 1), coordinate(first[b], at + 2), coordinate(first[b], at + 3)); \
	if (look) { \
		uvec4 bits = floatBitsToUint(v) & 0x7fffffffu; \
		top[b] = max(max(top[b], max(bits.x, bits.y)), max(bits.z, bits.w)); \
	} \
	if (pass == 0 && q + c < quads) { \
		v -= code[g * quads + q + c]; \
		if (look) norm2[b] += dot(v, v); \
		v *= -2.0; \
	} \
	p[b * CHUNK + c] = v; }
#define FETCH(b) QUADS(QUAD, b)

void fetch(int q, int pass, bool look) { EACH(FETCH) }

// bring fills the stage with the quads from q on of the landmarks of tiles from tile on. In the first pass
// those of one group follow each other, in the second they are in their own order.
void bring(int tile, int q, int pass) {
	float each = pass == 0 ? float(members) : 1.0;
	barrier();
	for (int k = int(gl_LocalInvocationID.x); k < STAGE * CHUNK; k += THREADS) {
		int l = k / CHUNK, c = q + k % CHUNK, t = tile + l / TILE, group = int((float(t) + 0.5) / each);
		int row = (t - group * int(each)) * groups + group * TILE + l % TILE;
		vec4 v = code[min(row, g - 1) * quads + min(c, quads - 1) + (pass == 0 ? (g + 1) * quads : 0)];
		stage[k] = c >= quads ? vec4(0) : row < g ? v : vec4(pass == 0 ? 0.0 : AWAY);
		if (pass == 0 && k % CHUNK == 0) norm[l] = row < g ? norms[row] : AWAY * AWAY;
	}
	barrier();
}

// What is in p and in the stage from at on is added up: products in the first pass, squares in the second.
#define PRODUCT(b, l, c) { float s = sum[b * TILE + l]; \
	s = fma(p[b * CHUNK + c].x, mark.x, s); \
	s = fma(p[b * CHUNK + c].y, mark.y, s); \
	s = fma(p[b * CHUNK + c].z, mark.z, s); \
	sum[b * TILE + l] = fma(p[b * CHUNK + c].w, mark.w, s); }
#define SQUARE(b, l, c) { vec4 v = p[b * CHUNK + c] - mark; float s = sum[b * TILE + l]; \
	s = fma(v.x, v.x, s); \
	s = fma(v.y, v.y, s); \
	s = fma(v.z, v.z, s); \
	sum[b * TILE + l] = fma(v.w, v.w, s); }
#define PRODUCTS(l, c) { vec4 mark = stage[at + l * CHUNK + c]; ADDS(PRODUCT, l, c) }
#define SQUARES(l, c) { vec4 mark = stage[at + l * CHUNK + c]; ADDS(SQUARE, l, c) }

void addProducts(int at) { SUMS(PRODUCTS) }
void addSquares(int at) { SUMS(SQUARES) }

#define NORM(b, l) sum[b * TILE + l] = norm[at / CHUNK + l];
#define START(b) MARKS(NORM, b)
#define ZERO(b, l) sum[b * TILE + l] = 0.0;
#define CLEAR(b) MARKS(ZERO, b)
#define BEGIN_SUMS if (pass == 0) { EACH(START) } else { EACH(CLEAR) }

#define OPEN(b, l) low[b * TILE + l] = FAR;
#define BEGIN_GROUPS(b) MARKS(OPEN, b)
#define MIN(b, l) low[b * TILE + l] = min(low[b * TILE + l], sum[b * TILE + l]);
#define LOWER(b) MARKS(MIN, b)

// At the end of TILE groups their minima go into shared memory.
#define STORE(b, l) { float v = max(low[b * TILE + l] + norm2[b], 0.0); \
	list[(group + l) * WIDTH + COLUMN(b)] = floatBitsToUint(v); \
	least[b] = min(least[b], v); \
	if (v < AWAY) most[b] = max(most[b], v); }
#define END_GROUPS(b) MARKS(STORE, b)

// bound finds a number that at least need of the minima of a column do not exceed, by halves of the bits'
// range.
uint bound(int column, int need, uint low, uint high) {
	for (int turn = 0; turn < TURNS && low < high; turn++) {
		uint middle = low + (high - low) / 2u;
		int n = 0;
		for (int m = column; m < groups * WIDTH; m += 8 * WIDTH) {
#define COUNT(i) n += int(list[m + i * WIDTH] <= middle);
			COUNT(0) COUNT(1) COUNT(2) COUNT(3) COUNT(4) COUNT(5) COUNT(6) COUNT(7)
		}
		if (n >= need) high = middle;
		else low = middle + 1u;
	}
	return high;
}
#define BOUND(b) limit[b] = uintBitsToFloat(bound(COLUMN(b), need, floatBitsToUint(least[b]), floatBitsToUint(most[b]))) + slack * (norm2[b] + reach);

// Those that the bound lets through are listed: each is put at the end of the list, which moves on if it is
// to stay, for a branch would cost more. The last place is reached when the list is full.
#define LAST(b) (COLUMN(b) + 2 * (CAP - 1) * WIDTH)
#define TAKE(b, l) { list[end[b]] = floatBitsToUint(sum[b * TILE + l]); \
	list[end[b] + WIDTH] = uint(base + l); \
	end[b] = sum[b * TILE + l] <= limit[b] ? min(end[b] + 2 * WIDTH, LAST(b)) : end[b]; }
#define SIFT(b) MARKS(TAKE, b)

// rank notes in the upper half of the r-th number the place of rank r, for the ranks below need: how many
// of the n are nearer, or as near and listed before. Eight places at a time.
#define EIGHT(WHAT) WHAT(0) WHAT(1) WHAT(2) WHAT(3) WHAT(4) WHAT(5) WHAT(6) WHAT(7)
void rank(int column, int n, int need) {
	uint v[8];
	int r[8];
	for (int i = 0; i < n; i += 8) {
#define LOAD(u) v[u] = list[2 * min(i + u, n - 1) * WIDTH + column]; r[u] = 0;
#define BEFORE(u) r[u] += int(w <= v[u]);
#define BESIDE(u) r[u] += int(w < v[u] || w == v[u] && j < i + u);
#define AFTER(u) r[u] += int(w < v[u]);
#define NOTE(u) if (i + u < n && r[u] < need) list[(2 * r[u] + 1) * WIDTH + column] |= uint(i + u) << 16;
		EIGHT(LOAD)
		for (int j = 0; j < n; j++) {
			uint w = list[2 * j * WIDTH + column];
			if (j < i) { EIGHT(BEFORE) }
			else if (j < i + 8) { EIGHT(BESIDE) }
			else { EIGHT(AFTER) }
		}
		EIGHT(NOTE)
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

#define BEGIN(b) { int n = begin + b * THREADS; \
	int place = from + (n < count ? n : 0); \
	first[b] = place / 32 * d * 32 + place % 32; \
	end[b] = COLUMN(b); \
	top[b] = 0u; \
	least[b] = FAR; \
	most[b] = 0.0; \
	norm2[b] = 0.0; \
	limit[b] = 0.0; }
#define FINISH(b) finish(begin + b * THREADS, COLUMN(b), first[b], top[b], (end[b] - COLUMN(b)) / (2 * WIDTH), need);

void main() {
	int begin = int(gl_WorkGroupID.x) * WIDTH + int(gl_LocalInvocationID.x);
	int need = min(g, max(find, 4)); // some more than one, to see whether rounding blurs
	EACH(BEGIN)
	for (int pass = 0; pass < 2; pass++) {
		int each = pass == 0 ? members : 1, tiles = pass == 0 ? groups / TILE * members : (g + TILE - 1) / TILE;
		int group = 0, member = 0, at = STAGE * CHUNK;
		EACH(BEGIN_GROUPS)
#ifndef PARTS
		fetch(0, pass, pass == 0);
#endif
		for (int t = 0; t < tiles; t++) {
			int base = member * groups + group;
#ifdef PARTS
			at = 0;
			for (int q = 0; q < quads && base < g; q += CHUNK) {
				bring(t, q, pass);
				fetch(q, pass, pass == 0 && t == 0);
				if (q == 0) { BEGIN_SUMS }
				if (pass == 0) addProducts(0);
				else addSquares(0);
			}
#else
			if (at >= STAGE * CHUNK) {
				bring(t, 0, pass);
				at = 0;
			}
			if (base < g) {
				BEGIN_SUMS
				if (pass == 0) addProducts(at);
				else addSquares(at);
			}
#endif
			if (base < g) {
				if (pass == 0) { EACH(LOWER) }
				else { EACH(SIFT) }
			}
			at += TILE * CHUNK;
			if (++member == each) {
				if (pass == 0) {
					EACH(END_GROUPS)
					EACH(BEGIN_GROUPS)
				}
				member = 0;
				group += TILE;
			}
		}
		if (pass == 0) { EACH(BOUND) }
	}
	EACH(FINISH)
}
