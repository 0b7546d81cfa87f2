// Stage B: positions from the cached neighbours by the identity
//
//	t = (L_j-L_i).(x-L_i)/q = 1/2 + (D_i^2 - D_j^2) / (2q)
//
// so a pair costs the same in any number of dimensions: one tabled number and some thirty operations.
// With e = t - 1/2, h = l_j - l_i, H = |h|^2 and positions relative to that of the nearest,
//
//	t + h.l_i/H = (e H + |l_j|^2/2 - |l_i|^2/2) / H.
//
// LANES threads share a point: more points than that would not leave shared memory for the table. They put
// its neighbours into shared memory and go through their pairs four rows at a time, a lane every LANES-th
// column; the six pairs among the four rows are dealt out by giving each lane the rows in another order.
//
// The table is the triangle of tables.cu, or, where that is too large, its first rows: those of the
// landmarks that most points have among their neighbours (order.cu); the others are looked up in global
// memory, of which every lookup costs a sector of 32 bytes. All kernels here do the same operations in the
// same order: a point gets the same bits from each.
//
// What float32 cannot do fairly is listed: points with landmarks so close together that the identity
// loses digits go to projectRough (those pairs from the coordinates), the rest to float64 (exact.cu).
#include "card.cuh"
#include "layout.cuh"

struct PairArgs {
	long long first, slots;      // the slots [first, first+slots), or
	const unsigned *count;       // so many of
	const long long *list;       // these slots, if list is not null
	long long from, to;          // only points in this range are done
	const unsigned short *order; // by slot, within a page; null: slots are points
	const float *x;              // for rough pairs
	const float *codebook;
	int d, g, k, find;
	float boost, adjust;
	const unsigned short *ids;
	const float *d2;
	const float *triangle;       // by rows
	const unsigned *closest;     // by row
	const unsigned short *rowOf; // row by landmark; null, and with all in shared memory: landmarks are rows
	const unsigned short *named; // landmark by row
	const float *pos;            // g x DIMS, by landmark
	float *out;                  // by point, DIMS each
	unsigned *roughCount, *hardCount;
	long long *rough, *hard;     // slots; points
	int kept;                    // rows of the triangle in shared memory
	float ranks;                 // 1 / (1 + 1/2 + ... + 1/find)
};

const float roughAt = 256; // a pair whose e may be off by so many roundings is computed from the coordinates

// The exponent of a pair is -(e')^2 with e' = e sqrt(log2(e)), so all e here are e'.
const float unit = 1.2011224f, perUnit = 0.83255461f;

// refined is e of a pair from the coordinates.
__device__ __noinline__ float refined(const float *x, const float *li, const float *lj, int d) {
	double dot = 0, q = 0;
	for (int c = 0; c < d; c++) {
		double v = (double)lj[c] - li[c], xs = x[c];
		q += v * v;
		dot += v * ((xs - li[c]) + (xs - lj[c]));
	}
	return q > 0 ? (float)(dot / (2 * q)) : 0;
}

// A Neighbour in registers.
template <int DIMS> struct Neighbour {
	float q, s, l[DIMS], half; // squared distance less that of the nearest, score, position, |l|^2/2; q and half in units
	unsigned row, at;          // of the triangle, in bytes: where its row starts, and its place in a longer row
	__device__ __forceinline__ unsigned index() const { return at / 4; }
};

// Sums of the equations A y = c, c in units.
template <int DIMS> struct Sums {
	float a[DIMS * (DIMS + 1) / 2], c[DIMS];
};

// Where a kernel finds the triangle.
enum Table { shared, partly, global };

// A Block keeps the neighbours of its points, positions of landmarks and what it may of the triangle in
// shared memory.
template <int DIMS, int LANES, Table TABLE> struct Block {
	const char *triangle, *rest; // in shared memory, in global memory
	unsigned base, end;          // the shared addresses that triangle has
	const float *place;
	const unsigned *closest;
	const unsigned short *rowOf;
	bool mapped;
	int last; // landmark
	float2 *two;
	unsigned short *id;
	int stride;

	__device__ void lay(const PairArgs &a, float *memory, int padded) {
		int threads = blockDim.x, points = threads / LANES;
		rest = (const char *)a.triangle;
		triangle = (const char *)memory;
		base = end = sharedAddress(memory);
		rest -= base; // so that both are looked up at the same number
		if (TABLE != global) {
			int entries = (a.kept * (a.kept + 1) / 2 + 3) & ~3; // there is room behind the triangle
			float4 *to = (float4 *)memory;
			const float4 *from = (const float4 *)a.triangle;
#pragma unroll 4
			for (int i = threadIdx.x; i < entries / 4; i += threads) to[i] = from[i];
			end = base + 2 * a.kept * (a.kept + 1);
			memory += entries;
		}
		float *p = memory;
		unsigned *c = (unsigned *)(p + ((a.g * DIMS + 3) & ~3));
		unsigned short *w = (unsigned short *)(c + ((a.g + 3) & ~3));
		mapped = TABLE != shared && a.rowOf != nullptr;
		last = a.g - 1;
		memory = (float *)(w + (mapped ? (a.g + 7) & ~7 : 0));
		for (int i = threadIdx.x; i < a.g; i += threads) {
			int l = mapped ? a.named[i] : i;
			for (int d = 0; d < DIMS; d++) p[i * DIMS + d] = a.pos[l * DIMS + d];
			c[i] = a.closest[i];
			if (mapped) w[i] = a.rowOf[i];
		}
		place = p, closest = c, rowOf = w;
		__syncthreads();
		// so that the lanes of a point, at ranks one after another, find different banks
		stride = points + 16 / LANES;
		two = (float2 *)memory + threadIdx.x / LANES;
		id = (unsigned short *)((float2 *)memory + padded * stride) + threadIdx.x / LANES;
	}
	__device__ __forceinline__ int rowOfLandmark(int l) const {
		l = min(l, last);
		return TABLE != shared && mapped ? rowOf[l] : l;
	}
	__device__ __forceinline__ void position(int row, float *l) const {
		if (DIMS == 2) {
			float2 p = ((const float2 *)place)[row];
			l[0] = p.x, l[1] = p.y;
		} else {
#pragma unroll
			for (int c = 0; c < DIMS; c++) l[c] = place[row * DIMS + c];
		}
	}
	__device__ __forceinline__ void get(int r, const float *origin, Neighbour<DIMS> &n) const {
		float2 v = two[r * stride];
		n.q = v.x, n.s = v.y;
		unsigned row = id[r * stride];
		n.at = row * 4;
		n.row = base + row * (row + 1) * 2;
		position(row, n.l);
		n.half = 0;
#pragma unroll
		for (int c = 0; c < DIMS; c++) {
			n.l[c] -= origin[c];
			n.half = fmaf(n.l[c], n.l[c], n.half);
		}
		n.half *= 0.5f * unit;
	}
	__device__ __forceinline__ float look(unsigned at) const {
		if (TABLE == shared || (TABLE == partly && at < end)) return fromShared(triangle, base, at);
		return fromGlobal(rest, at);
	}
};

template <int DIMS, int LANES, Table TABLE, bool ROUGH>
__device__ __forceinline__ void addPair(const PairArgs &a, const Block<DIMS, LANES, TABLE> &b, const Neighbour<DIMS> &u,
	const Neighbour<DIMS> &v, const float *x, float limit, Sums<DIMS> &sum) {
	// of the two places in the triangle the larger is the right one
	float iq = b.look(max(u.row + v.at, v.row + u.at));
	float h[DIMS], hh = 1e-30f; // not 0, whose logarithm times 0 is no number
#pragma unroll
	for (int c = 0; c < DIMS; c++) {
		h[c] = v.l[c] - u.l[c];
		hh = fmaf(h[c], h[c], hh);
	}
	float e = (u.q - v.q) * iq, scores = hh >= tinyH ? u.s * v.s : 0;
	if (ROUGH) {
		if (iq == 0) scores = 0; // twins, or the same landmark
		if (iq > limit && scores != 0) {
			int i = u.index(), j = v.index();
			if (a.rowOf) i = a.named[i], j = a.named[j];
			e = refined(x, a.codebook + (size_t)i * a.d, a.codebook + (size_t)j * a.d, a.d) * unit;
		}
	}
	float fall = fmaf(a.adjust, log2of(1 + hh), log2of(hh));
	float weight = power2(fmaf(-e, e, -fall)) * scores;
	float r = fmaf(e, hh, v.half - u.half);
	int n = 0;
#pragma unroll
	for (int i = 0; i < DIMS; i++) {
		float w = weight * h[i];
		sum.c[i] = fmaf(w, r, sum.c[i]);
#pragma unroll
		for (int j = i; j < DIMS; j++) {
			sum.a[n] = fmaf(w, h[j], sum.a[n]);
			n++;
		}
	}
}

// solve gives y of the symmetric A y = c, or false where float32 should not be trusted with it.
__device__ inline bool solve(const Sums<2> &s, float *y) {
	float xx = s.a[0], xy = s.a[1], yy = s.a[2];
	float det = fmaf(xx, yy, -(xy * xy)), tr = xx + yy, inv = 1 / det;
	y[0] = fmaf(s.c[0], yy, -(s.c[1] * xy)) * inv;
	y[1] = fmaf(s.c[1], xx, -(s.c[0] * xy)) * inv;
	return det > fmaxf(5e-4f * tr * tr, 1e-30f) && isFinite(y[0] + y[1]);
}
__device__ inline bool solve(const Sums<3> &s, float *y) {
	float xx = s.a[0], xy = s.a[1], xz = s.a[2], yy = s.a[3], yz = s.a[4], zz = s.a[5];
	float axx = fmaf(yy, zz, -(yz * yz)), axy = fmaf(xz, yz, -(xy * zz)), axz = fmaf(xy, yz, -(xz * yy));
	float ayy = fmaf(xx, zz, -(xz * xz)), ayz = fmaf(xy, xz, -(xx * yz)), azz = fmaf(xx, yy, -(xy * xy));
	float det = fmaf(xx, axx, fmaf(xy, axy, xz * axz)), tr = xx + yy + zz, inv = 1 / det;
	y[0] = fmaf(axx, s.c[0], fmaf(axy, s.c[1], axz * s.c[2])) * inv;
	y[1] = fmaf(axy, s.c[0], fmaf(ayy, s.c[1], ayz * s.c[2])) * inv;
	y[2] = fmaf(axz, s.c[0], fmaf(ayz, s.c[1], azz * s.c[2])) * inv;
	return det > fmaxf(1e-3f * tr * tr * tr, 1e-30f) && isFinite(y[0] + y[1] + y[2]);
}

enum { fine, coarse, unfair };

// soon brings the neighbours of a warp's next points as near as the second cache.
__device__ __forceinline__ void soon(const PairArgs &a, unsigned i, unsigned n) {
	if (i >= n) return;
	long long at = cacheAt((a.first + i) & ~(long long)(cacheTile - 1), 0, a.find);
#pragma unroll 1
	for (int r = threadIdx.x % 32; r < a.find; r += 32) {
		toCache(a.d2 + at + r * cacheTile);
		if (r % 2 == 0) toCache(a.ids + at + r * cacheTile);
	}
}

// together adds up a value of each lane of a point; all lanes get the same bits.
template <int LANES> __device__ __forceinline__ float together(float v) {
#pragma unroll
	for (int m = 1; m < LANES; m <<= 1) v += __shfl_xor_sync(0xffffffffu, v, m);
	return v;
}

// scores puts the neighbours of a slot into shared memory, a lane every LANES-th, and says what float32 can
// do with them. It works with E_r = D_r - D_1, so that no boost overflows; D_r^2 - D_1^2 = E_r (E_r + 2 D_1).
// own gets this lane's part of the pull of every neighbour on its own: its weight, and that times positions.
// Of a slot without neighbours they may be anything, and so may be the result.
template <int DIMS, int LANES, Table TABLE>
__device__ __forceinline__ int scores(const PairArgs &a, const Block<DIMS, LANES, TABLE> &b, int lane, long long at, float near,
	int padded, float *origin, float *own, float &limit) {
	const float *d2 = a.d2 + at;
	const unsigned short *ids = a.ids + at;
	float mu = 0, square = 0, furthest = d2[(a.find - 1) * cacheTile], d1 = 0, last = 0;
	int first = ids[0];
	const int BATCH = 9; // neighbours of a lane; all on their way before the first is looked at
#pragma unroll 1
	for (int r0 = lane; r0 < a.find; r0 += BATCH * LANES) {
		float far[BATCH];
		int id[BATCH];
#pragma unroll
		for (int j = 0; j < BATCH; j++) {
			int r = r0 + j * LANES;
			far[j] = r < a.find ? d2[r * cacheTile] : near;
			id[j] = r < a.k ? ids[r * cacheTile] : 0;
		}
		if (r0 == lane) {
			d1 = root(near);
			last = fmaxf(furthest - near, 0.f) * inverse(fmaxf(root(furthest) + d1, 1e-30f));
			first = b.rowOfLandmark(first);
			b.position(first, origin);
		}
#pragma unroll
		for (int j = 0; j < BATCH; j++) { // beyond the last, e is 0
			int r = r0 + j * LANES;
			float w = inverse((float)(r + 1)), e = fmaxf(far[j] - near, 0.f) * inverse(fmaxf(root(far[j]) + d1, 1e-30f));
			mu = fmaf(e, w, mu);
			square = fmaf(e * e, w, square);
			if (r < a.k) {
				b.two[r * b.stride].y = e;
				b.id[r * b.stride] = b.rowOfLandmark(id[j]);
			}
		}
	}
	mu = together<LANES>(mu) * a.ranks;
	square = together<LANES>(square);
	float v = fmaf(square, a.ranks, -(mu * mu));
	float per = -a.boost * 1.44269504f * rsqrtf(v), steep = 10.f * inverse(d1 + last);
	float twice = 2 * d1, pull = 1e-5f * power2(mu * per);
	unsigned tight = 0;
#pragma unroll
	for (int c = 0; c <= DIMS; c++) own[c] = 0;
#pragma unroll 4
	for (int r = lane; r < a.k; r += LANES) {
		int row = b.id[r * b.stride];
		float e = b.two[r * b.stride].y, s = power2(e * per);
		if (a.k < a.find) { // f = 1 - exp(z), by its series near 0
			float z = (e - last) * steep, f;
			f = -1.f / 720;
			f = fmaf(f, z, -1.f / 120);
			f = fmaf(f, z, -1.f / 24);
			f = fmaf(f, z, -1.f / 6);
			f = fmaf(f, z, -0.5f);
			f = fmaf(f, z, -1.f) * z;
			s *= z > -0.35f ? f : 1.f - power2(z * 1.44269504f);
		}
		b.two[r * b.stride] = make_float2(e * (e + twice) * unit, s);
		tight = max(tight, b.closest[row]);
		float l[DIMS], mine = pull * s;
		b.position(row, l);
		own[DIMS] += mine;
#pragma unroll
		for (int c = 0; c < DIMS; c++) own[c] = fmaf(mine, l[c] - origin[c], own[c]);
	}
	for (int r = a.k; r < padded; r++)
		if ((r ^ lane) % LANES == 0) {
			b.two[r * b.stride] = make_float2(0, 0);
			b.id[r * b.stride] = first;
		}
#pragma unroll
	for (int m = 1; m < LANES; m <<= 1) tight = max(tight, __shfl_xor_sync(0xffffffffu, tight, m));
	__syncwarp();
	limit = roughAt / furthest;
	if (!(v > 1e-6f * mu * mu) || !(furthest < 1e30f && furthest > 1e-24f) || !(furthest - near > 0.01f * furthest)) return unfair;
	return __uint_as_float(tight) > limit ? coarse : fine;
}

// The six pairs of four rows, dealt out to the lanes: each gets the rows in an order of its own, and adds
// the first with the second (of 8 lanes two have nothing to do), and the third with the fourth (of 4 lanes
// one), and the second with the third. Two bits a row, eight a lane.
template <int LANES> __device__ inline unsigned rowsOf(int lane) {
	const unsigned long long all = LANES == 2 ? 0x72e4ull : LANES == 4 ? 0xe49cd8e4ull : 0xe4e44e8dc99cd8e4ull;
	return (unsigned)(all >> (8 * lane)) & 0xff;
}

template <int DIMS, int LANES, Table TABLE, bool ROUGH> __device__ __forceinline__ void project(const PairArgs &a) {
	DYNAMIC_SHARED(float, memory);
	Block<DIMS, LANES, TABLE> b;
	int padded = (a.k + 3) & ~3;
	b.lay(a, memory, padded);
	int lane = threadIdx.x % LANES;
	unsigned rows = rowsOf<LANES>(lane);
	bool busy = LANES == 2 || lane < (LANES == 4 ? 3 : 6);
	const unsigned inWarp = 32 / LANES; // points
	unsigned n = a.list ? *a.count : (unsigned)a.slots, points = blockDim.x / LANES, warp = threadIdx.x / 32 * inWarp;
	for (unsigned base = blockIdx.x * points + warp; base < n; base += gridDim.x * points) { // a warp's points stay together, whatever becomes of one of them
		unsigned i = min(base + threadIdx.x % 32 / LANES, n - 1);
		unsigned long long slot = a.list ? a.list[i] : a.first + i;
		long long at = cacheAt(slot, 0, a.find), point = slot;
		float near = a.d2[at], origin[DIMS], own[DIMS + 1], limit, y[DIMS];
		if (a.order) point = (slot >> pageBits << pageBits) + a.order[slot];
		bool mine = base + threadIdx.x % 32 / LANES < n && point >= a.from && point < a.to && lane == 0; // to write
		if (!a.list) soon(a, base + gridDim.x * points, n);
		__syncwarp(); // all have done with the neighbours of the points before
		int state = scores(a, b, lane, at, near, padded, origin, own, limit);
		if (!(near < 1e30f)) state = unfair;
		if (mine && near != near) {
			for (int c = 0; c < DIMS; c++) a.out[point * DIMS + c] = near;
			mine = false;
		}
		if (mine && state == coarse && !ROUGH) a.rough[atomicAdd(a.roughCount, 1u)] = slot;
		if (mine && state == unfair) a.hard[atomicAdd(a.hardCount, 1u)] = point;
		mine = mine && (state == fine || (state == coarse && ROUGH));
		if (!__any_sync(0xffffffffu, mine)) continue;
		const float *x = ROUGH ? a.x + point * a.d : nullptr;
		Sums<DIMS> sum = {};
#pragma unroll 1
		for (int i0 = 0; i0 < padded; i0 += 4) {
			Neighbour<DIMS> u[4];
#pragma unroll
			for (int j = 0; j < 4; j++) b.get(i0 + (rows >> (2 * j) & 3), origin, u[j]);
			Neighbour<DIMS> u0 = u[0], u2 = u[2];
			if (LANES > 2) u0.s = busy ? u0.s : 0, u2.s = busy ? u2.s : 0;
			addPair<DIMS, LANES, TABLE, ROUGH>(a, b, u0, u[1], x, limit, sum);
			if (LANES < 8) addPair<DIMS, LANES, TABLE, ROUGH>(a, b, u2, u[3], x, limit, sum);
			if (LANES < 4) addPair<DIMS, LANES, TABLE, ROUGH>(a, b, u[1], u[2], x, limit, sum);
#pragma unroll 2
			for (int r = i0 + 4 + lane; r < padded; r += LANES) {
				Neighbour<DIMS> v;
				b.get(r, origin, v);
#pragma unroll
				for (int j = 0; j < 4; j++) addPair<DIMS, LANES, TABLE, ROUGH>(a, b, u[j], v, x, limit, sum);
			}
		}
#pragma unroll
		for (int c = 0; c < DIMS; c++) sum.c[c] = together<LANES>(fmaf(sum.c[c], perUnit, own[c]));
		float weights = together<LANES>(own[DIMS]);
#pragma unroll
		for (int c = 0; c < DIMS * (DIMS + 1) / 2; c++) sum.a[c] = together<LANES>(sum.a[c]);
		sum.a[0] += weights;
		sum.a[DIMS] += weights;
		if (DIMS == 3) sum.a[DIMS * 2 - 1] += weights;
		bool good = solve(sum, y);
		if (!mine) continue;
		if (!good) {
			a.hard[atomicAdd(a.hardCount, 1u)] = point;
			continue;
		}
		if (DIMS == 2) {
			*(float2 *)(a.out + point * 2) = make_float2(y[0] + origin[0], y[1] + origin[1]);
		} else {
#pragma unroll
			for (int c = 0; c < DIMS; c++) a.out[point * DIMS + c] = y[c] + origin[c];
		}
	}
}

#undef BY_VALUE // of older cards only here
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define BY_VALUE const __grid_constant__
#else
#define BY_VALUE const
#endif
#ifndef MOST
#define MOST 768
#endif
#define PROJECT(DIMS, LANES, TABLE, ROUGH, THREADS, name) \
	extern "C" __global__ void __launch_bounds__(THREADS, 1) name(BY_VALUE PairArgs a) { project<DIMS, LANES, TABLE, ROUGH>(a); }
// by dimensions and lanes
#define PROJECTS(DIMS, LANES, THREADS) \
	PROJECT(DIMS, LANES, shared, false, THREADS, projectShared_##DIMS##_##LANES) \
	PROJECT(DIMS, LANES, partly, false, THREADS, projectPartly_##DIMS##_##LANES) \
	PROJECT(DIMS, LANES, global, false, 256, projectGlobal_##DIMS##_##LANES) \
	PROJECT(DIMS, LANES, global, true, 256, projectRough_##DIMS##_##LANES)
PROJECTS(2, 2, MOST)
PROJECTS(2, 4, MOST)
PROJECTS(2, 8, MOST)
PROJECTS(3, 2, 512)
PROJECTS(3, 4, 512)
PROJECTS(3, 8, 512)
