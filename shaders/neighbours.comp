// Stage A: the find nearest landmarks of every point by direct float32 distances. One invocation has POINTS
// points, 1 or 2: two take each landmark from shared memory once. Landmarks come there in tiles; what is
// below the farthest kept so far waits in a small buffer, so that the invocations of a group sort
// together. A point so far from all landmarks that rounding would blur their order is left to far.comp.
// Defined by the program: POINTS; C (kept, a multiple of 4, >= find); CHUNK (vec4 of a point in registers at
// a time, all of them unless PARTS is defined, too); TILE (landmarks whose distances are in registers at a
// time); STAGE (in shared memory at a time, a multiple of TILE); CHAIN(b) (STEP of every rank from C-1 down
// to 1) and CACHE(b) (PUT of every second rank up from 0). What is in arrays must be in registers, so they
// are indexed by constants alone.
layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Points { float x[]; }; // in tiles of 32, see arrange.comp
layout(std430, binding = 1) readonly buffer Code { vec4 code[]; }; // g rows of quads, scaled, padded with 0
// The cache, in tiles of 32 points: two 16-bit ids to a word; of squared distances rank 0 holds that of
// the nearest (or a negative mark), the others the difference to it.
layout(std430, binding = 3) writeonly buffer Ids { uint ids[]; };
layout(std430, binding = 4) writeonly buffer Deltas { float deltas[]; };

uniform int from, count; // of the points in x
uniform int outFrom;     // the place of the first in the cache
uniform int d, quads, g, find;
uniform float scale;

const float INVALID = -1.0, TOO_FAR = -2.0, TO_DO = -3.0;
const float BLUR = 16.0; // rounding of a distance in units of that of the differences which is borne
const int THREADS = 64, FULL = 8, WAIT = FULL + TILE - 1;
const float FAR = 3e38;
shared vec4 stage[STAGE * CHUNK];
shared float waitDist[POINTS * WAIT * THREADS];
shared uint waitId[POINTS * WAIT * THREADS];

// What there is of each point b, one after another.
float dist[POINTS * C];
uint id[POINTS * C];
vec4 p[POINTS * CHUNK];
float sum[POINTS * TILE];
int waiting[POINTS];
uint top[POINTS]; // bits of the largest coordinate: they are in the order of the numbers

#if POINTS == 2
#define EACH(WHAT) WHAT(0) WHAT(1)
#else
#define EACH(WHAT) WHAT(0)
#endif

// Ties stay in the order of the landmarks, for a later one must be strictly nearer.
#define STEP(b, r) { bool up = v < dist[b * C + r - 1]; \
	id[b * C + r] = up ? id[b * C + r - 1] : (v < dist[b * C + r] ? i : id[b * C + r]); \
	dist[b * C + r] = up ? dist[b * C + r - 1] : min(v, dist[b * C + r]); }

#define SETTLE(b) { for (int w = 0; w < waiting[b]; w++) { \
	int at = (b * WAIT + w) * THREADS + int(gl_LocalInvocationID.x); \
	float v = waitDist[at]; \
	uint i = waitId[at]; \
	if (v < dist[b * C + C - 1]) { \
		CHAIN(b) \
		id[b * C] = v < dist[b * C] ? i : id[b * C]; \
		dist[b * C] = min(v, dist[b * C]); \
	} } waiting[b] = 0; }

vec4 part(int first, int q) { // first: where the point's coordinates begin
	vec4 v;
	for (int c = 0; c < 4; c++) {
		int at = 4 * q + c;
		v[c] = at < d ? x[first + 32 * at] * scale : 0.0;
	}
	return v;
}

// fetch brings the coordinates from quad q on of point b into p, and looks at them the first time.
#define FETCH(b) for (int c = 0; c < CHUNK; c++) { \
	vec4 v = part(first[b], q + c); \
	p[b * CHUNK + c] = v; \
	if (look) { \
		uvec4 bits = floatBitsToUint(v) & 0x7fffffffu; \
		top[b] = max(max(top[b], max(bits.x, bits.y)), max(bits.z, bits.w)); \
	} }

int first[POINTS]; // where the point's coordinates begin

void fetch(int q, bool look) { EACH(FETCH) }

// bring fills the stage with the quads from q on of STAGE landmarks.
void bring(int at, int q) {
	barrier();
	for (int k = int(gl_LocalInvocationID.x); k < STAGE * CHUNK; k += THREADS) {
		int l = at + k / CHUNK, c = q + k % CHUNK;
		stage[k] = l < g && c < quads ? code[l * quads + c] : vec4(0);
	}
	barrier();
}

// add adds the squares of what is in p and in the stage from landmark at on.
#define ADD(b) { vec4 v = p[b * CHUNK + c] - mark; float s = sum[b * TILE + l]; \
	s = fma(v.x, v.x, s); \
	s = fma(v.y, v.y, s); \
	s = fma(v.z, v.z, s); \
	sum[b * TILE + l] = fma(v.w, v.w, s); }

void add(int at) {
	for (int l = 0; l < TILE; l++)
		for (int c = 0; c < CHUNK; c++) {
			vec4 mark = stage[(at + l) * CHUNK + c];
			EACH(ADD)
		}
}

void clear() {
	for (int l = 0; l < POINTS * TILE; l++) sum[l] = 0.0;
}

// sift lets those wait that are nearer than the farthest kept; at is the first of them.
#define SIFT(b) { float limit = dist[b * C + C - 1]; \
	for (int l = 0; l < TILE; l++) \
		if (sum[b * TILE + l] < limit && at + l < g) { \
			int to = (b * WAIT + waiting[b]) * THREADS + int(gl_LocalInvocationID.x); \
			waitDist[to] = sum[b * TILE + l]; \
			waitId[to] = uint(at + l); \
			waiting[b]++; \
		} \
	if (waiting[b] >= FULL) SETTLE(b) }

void sift(int at) { EACH(SIFT) }

#define PUT(b, r) { if (r > 0 && r < find) deltas[at + 32 * r] = dist[b * C + r] - dist[b * C]; \
	if (r + 1 < find) deltas[at + 32 * (r + 1)] = dist[b * C + r + 1] - dist[b * C]; \
	if (r < find) ids[word + 16 * r] = id[b * C + r] | id[b * C + r + 1] << 16; }

// The last bit of the distance says how the differences came about: 1 in far.comp.
#define FINISH(b) { int n = begin + b * THREADS; \
	if (n < count) { \
		int point = outFrom + n, lane = point % 32; \
		int word = point / 32 * ((find + 1) / 2) * 32 + lane, at = point / 32 * find * 32 + lane; \
		float nearest = uintBitsToFloat(floatBitsToUint(dist[b * C]) & ~1u), last = nearest; \
		if (top[b] >= floatBitsToUint(1e9)) { /* also Inf and NaN; scaling may have made an Inf */ \
			nearest = TOO_FAR; \
			for (int c = 0; c < d; c++) \
				if ((floatBitsToUint(x[first[b] + 32 * c]) & 0x7fffffffu) >= 0x7f800000u) nearest = INVALID; \
		} else { \
			for (int r = 1; r < C; r++) \
				if (dist[b * C + r] < FAR) last = dist[b * C + r]; \
			if (!(nearest <= BLUR * (last - nearest))) nearest = TO_DO; \
		} \
		deltas[at] = nearest; \
		CACHE(b) \
	} }

#define BEGIN(b) { int n = begin + b * THREADS; \
	int place = from + (n < count ? n : 0); \
	first[b] = place / 32 * d * 32 + place % 32; \
	waiting[b] = 0; \
	top[b] = 0u; }

void main() {
	int begin = int(gl_WorkGroupID.x) * POINTS * THREADS + int(gl_LocalInvocationID.x);
	for (int r = 0; r < POINTS * C; r++) {
		dist[r] = FAR;
		id[r] = 0u;
	}
	EACH(BEGIN)
#ifdef PARTS
	for (int at = 0; at < g; at += TILE) {
		clear();
		for (int q = 0; q < quads; q += CHUNK) {
			bring(at, q);
			fetch(q, at == 0);
			add(0);
		}
		sift(at);
	}
#else
	fetch(0, true);
	for (int at = 0; at < g; at += STAGE) {
		bring(at, 0);
		int end = min(STAGE, g - at); // not known before, so that this loop is not unrolled
		for (int l = 0; l < end; l += TILE) {
			clear();
			add(l);
			sift(at + l);
		}
	}
#endif
	EACH(SETTLE)
	EACH(FINISH)
}
