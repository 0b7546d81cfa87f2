// Stage A: the find nearest landmarks of every point by direct float32 distances. One invocation has one
// point. Landmarks come in tiles through shared memory; what is below the farthest kept so far waits in
// a small buffer, so that the invocations of a group sort together. A point so far from all landmarks
// that rounding would blur their order is left to far.comp.
// Defined by the program: C (kept, a multiple of 4, >= find), CHUNK (vec4 of a point in registers at a time;
// all of them unless PARTS is defined, too), TILE (landmarks whose distances are in registers at a time), STAGE (in
// shared memory at a time, a multiple of TILE),
// CHAIN (STEP of every rank from C-1 down to 1), CACHE (PUT of every second rank up from 0).
layout(local_size_x = 128) in;

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
const int THREADS = 128, FULL = 8;
const float FAR = 3e38;
shared vec4 stage[STAGE * CHUNK];
shared float waitDist[(FULL + TILE - 1) * THREADS];
shared uint waitId[(FULL + TILE - 1) * THREADS];

float dist[C];
uint id[C];
int waiting = 0;

// Ties stay in the order of the landmarks, for a later one must be strictly nearer.
#define STEP(r) { bool up = v < dist[r - 1]; \
	id[r] = up ? id[r - 1] : (v < dist[r] ? i : id[r]); \
	dist[r] = up ? dist[r - 1] : min(v, dist[r]); }

void settle() {
	uint t = gl_LocalInvocationID.x;
	for (int p = 0; p < waiting; p++) {
		float v = waitDist[p * THREADS + t];
		uint i = waitId[p * THREADS + t];
		if (v < dist[C - 1]) {
			CHAIN
			id[0] = v < dist[0] ? i : id[0];
			dist[0] = min(v, dist[0]);
		}
	}
	waiting = 0;
}

#define PUT(r) { if (r > 0 && r < find) deltas[at + 32 * r] = dist[r] - dist[0]; \
	if (r + 1 < find) deltas[at + 32 * (r + 1)] = dist[r + 1] - dist[0]; \
	if (r < find) ids[word + 16 * r] = id[r] | id[r + 1] << 16; }

vec4 part(int first, int q) { // first: where the point's coordinates begin
	vec4 v;
	for (int c = 0; c < 4; c++) {
		int at = 4 * q + c;
		v[c] = at < d ? x[first + 32 * at] * scale : 0.0;
	}
	return v;
}

vec4 p[CHUNK];
uint top = 0u; // bits of the largest coordinate: they are in the order of the numbers

// fetch brings the coordinates from quad q on into p, and looks at them the first time.
void fetch(int first, int q, bool look) {
	for (int c = 0; c < CHUNK; c++) {
		p[c] = part(first, q + c);
		if (look) {
			uvec4 bits = floatBitsToUint(p[c]) & 0x7fffffffu;
			top = max(max(top, max(bits.x, bits.y)), max(bits.z, bits.w));
		}
	}
}

// bring fills the stage with the quads from q on of STAGE landmarks.
void bring(int at, int q) {
	barrier();
	for (int k = int(gl_LocalInvocationID.x); k < STAGE * CHUNK; k += THREADS) {
		int l = at + k / CHUNK, c = q + k % CHUNK;
		stage[k] = l < g && c < quads ? code[l * quads + c] : vec4(0);
	}
	barrier();
}

float sum[TILE];

// add adds the squares of what is in p and in the stage from landmark at on.
void add(int at) {
	for (int l = 0; l < TILE; l++) {
		float s = sum[l];
		for (int c = 0; c < CHUNK; c++) {
			vec4 v = p[c] - stage[(at + l) * CHUNK + c];
			s = fma(v.x, v.x, s);
			s = fma(v.y, v.y, s);
			s = fma(v.z, v.z, s);
			s = fma(v.w, v.w, s);
		}
		sum[l] = s;
	}
}

void clear() {
	for (int l = 0; l < TILE; l++) sum[l] = 0.0;
}

// sift lets those wait that are nearer than the farthest kept; at is the first of them.
void sift(int at) {
	uint t = gl_LocalInvocationID.x;
	float limit = dist[C - 1];
	for (int l = 0; l < TILE; l++)
		if (sum[l] < limit && at + l < g) {
			waitDist[waiting * THREADS + t] = sum[l];
			waitId[waiting * THREADS + t] = uint(at + l);
			waiting++;
		}
	if (waiting >= FULL) settle();
}

void main() {
	int n = int(gl_GlobalInvocationID.x);
	bool mine = n < count;
	int place = from + (mine ? n : 0), first = place / 32 * d * 32 + place % 32;
	for (int r = 0; r < C; r++) {
		dist[r] = FAR;
		id[r] = 0u;
	}
#ifdef PARTS
	for (int at = 0; at < g; at += TILE) {
		clear();
		for (int q = 0; q < quads; q += CHUNK) {
			bring(at, q);
			fetch(first, q, at == 0);
			add(0);
		}
		sift(at);
	}
#else
	fetch(first, 0, true);
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
	settle();
	if (!mine) return;
	int point = outFrom + n, lane = point % 32, word = point / 32 * ((find + 1) / 2) * 32 + lane, at = point / 32 * find * 32 + lane;
	// The last bit of the distance says how the differences came about: 1 in far.comp.
	float nearest = uintBitsToFloat(floatBitsToUint(dist[0]) & ~1u);
	if (top >= floatBitsToUint(1e9)) { // also Inf and NaN; scaling may have made an Inf
		nearest = TOO_FAR;
		for (int c = 0; c < d; c++)
			if ((floatBitsToUint(x[first + 32 * c]) & 0x7fffffffu) >= 0x7f800000u) nearest = INVALID;
	} else {
		float last = nearest; // of the distances kept
		for (int r = 1; r < C; r++)
			if (dist[r] < FAR) last = dist[r];
		if (!(nearest <= BLUR * (last - nearest))) nearest = TO_DO;
	}
	deltas[at] = nearest;
	CACHE
}
