// Stage A of the points that neighbours.comp leaves: the find nearest of all landmarks by differences of
// squared distances to a near one b,
//
//	|x-L_i|^2 - |x-L_b|^2 = (L_b-L_i) . ((x-L_b) + (x-L_i)),
//
// which do not cancel. Defined by the program: C >= find.
layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Points { vec4 x[]; }; // in tiles of 32, see arrange.comp
layout(std430, binding = 1) readonly buffer Code { vec4 code[]; };
layout(std430, binding = 3) buffer Ids { uint ids[]; };
layout(std430, binding = 4) buffer Deltas { float deltas[]; };

uniform int from, count, quads, g, find;
uniform int outFrom; // the place of the first point in the cache
uniform float scale;

const float TO_DO = -3.0;

int first; // where the point's coordinates begin
float dist[C];
uint id[C];

vec4 raw(int q) { return x[first + 32 * q]; }

float near2(uint i) {
	vec4 s = vec4(0);
	for (int q = 0; q < quads; q++) {
		vec4 v = raw(q) * scale - code[int(i) * quads + q];
		s = fma(v, v, s);
	}
	return (s.x + s.y) + (s.z + s.w);
}

float delta(uint i, uint b) {
	vec4 s = vec4(0);
	if (i == b) return 0.0;
	for (int q = 0; q < quads; q++) {
		vec4 p = raw(q) * scale, lb = code[int(b) * quads + q], l = code[int(i) * quads + q];
		precise vec4 u = p - lb, w = p - l;
		s = fma(lb - l, u + w, s);
	}
	return (s.x + s.y) + (s.z + s.w);
}

// place puts a landmark among the first size that are in order, of which there is room for room.
int place(float v, uint i, int size, int room) {
	int r = size;
	if (size == room) {
		if (!(v < dist[size - 1] || v == dist[size - 1] && i < id[size - 1])) return size;
		r--;
	} else
		size++;
	for (; r > 0 && (v < dist[r - 1] || v == dist[r - 1] && i < id[r - 1]); r--) {
		dist[r] = dist[r - 1];
		id[r] = id[r - 1];
	}
	dist[r] = v;
	id[r] = i;
	return size;
}

// rank puts all in order of their difference to b.
void rank(uint b) {
	for (int size = 0; size < find;) {
		uint i = id[size];
		size = place(delta(i, b), i, size, find);
	}
}

void main() {
	int n = int(gl_GlobalInvocationID.x);
	if (n >= count) return;
	int point = outFrom + n, lane = point % 32, word = point / 32 * ((find + 1) / 2) * 32 + lane, at = point / 32 * find * 32 + lane;
	if (deltas[at] != TO_DO) return;
	first = (from + n) / 32 * quads * 32 + (from + n) % 32;
	uint b = ids[word] & 0xffffu;
	int have = 0;
	for (int i = 0; i < g; i++) have = place(delta(uint(i), b), uint(i), have, find);
	if (id[0] != b) rank(id[0]); // rounding had another one first
	// The last bit says that these are not differences of rounded distances.
	deltas[at] = uintBitsToFloat(floatBitsToUint(near2(id[0])) | 1u);
	for (int r = 1; r < find; r++) deltas[at + 32 * r] = dist[r] - dist[0];
	for (int r = 0; r < find; r += 2) ids[word + 16 * r] = id[r] | (r + 1 < find ? id[r + 1] << 16 : 0u);
}
