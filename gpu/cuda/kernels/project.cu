// Stage B: positions from the cached neighbours by the identity
//
//	t = (L_j-L_i).(x-L_i)/q = 1/2 + (D_i^2 - D_j^2) / (2q)
//
// so a pair costs the same in any number of dimensions: two tabled numbers and some twenty operations.
// One thread has one point; it puts its neighbours into shared memory and goes through their pairs four
// rows at a time. With e = t - 1/2, h = l_j - l_i, H = |h|^2 and positions relative to that of the nearest,
//
//	t + h.l_i/H = (e H + |l_j|^2/2 - |l_i|^2/2) / H.
//
// What float32 cannot do fairly is listed: points with landmarks so close together that the identity
// loses digits go to projectRough (those pairs from the coordinates), the rest to float64 (exact.cu).
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
	const float2 *pair;
	const unsigned *closest;
	const float *pos;            // g x DIMS
	float *out;                  // by point, DIMS each
	unsigned *roughCount, *hardCount;
	long long *rough, *hard;     // slots; points
};

enum { pageBits = 16 };

const float roughAt = 256; // a pair whose e may be off by so many roundings is computed from the coordinates

#ifdef __CUDACC__
__device__ inline float power2(float x) {
	float r;
	asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
	return r;
}
__device__ inline float log2of(float x) {
	float r;
	asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
	return r;
}
#else
inline float power2(float x) { return exp2f(x); }
inline float log2of(float x) { return log2f(x); }
#endif

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

// A Neighbour in shared memory or registers.
template <int DIMS> struct Neighbour {
	float q, s, l[DIMS], half; // squared distance less that of the nearest, score, position, |l|^2/2
	int id;
};

// Sums of the equations A y = c.
template <int DIMS> struct Sums {
	float a[DIMS * (DIMS + 1) / 2], c[DIMS];
};

// Places are where positions and neighbours of a block are kept.
template <int DIMS, bool TRI> struct Block {
	static const bool whole = DIMS == 2 && !TRI; // position kept with the neighbour
	const float *tri, *place;
	float4 *four;
	float2 *two;
	unsigned short *id;
	int threads;

	__device__ void lay(float *memory, int g, int k) {
		threads = blockDim.x;
		if (TRI) {
			tri = memory;
			memory += (g * (g + 1) / 2 + 3) & ~3;
			place = memory;
			memory += (g * DIMS + 3) & ~3;
		}
		four = (float4 *)memory;
		two = (float2 *)memory;
		id = whole ? (unsigned short *)(four + k * threads) : (unsigned short *)(two + k * threads);
	}
	__device__ void put(int r, float q, float s, const float *l, int number) {
		int at = r * threads + threadIdx.x;
		if (whole) four[at] = make_float4(q, s, l[0], l[1]);
		else two[at] = make_float2(q, s);
		id[at] = number;
	}
	__device__ void get(const PairArgs &a, int r, const float *origin, Neighbour<DIMS> &n) const {
		int at = r * threads + threadIdx.x;
		n.id = id[at];
		if (whole) {
			float4 v = four[at];
			n.q = v.x, n.s = v.y, n.l[0] = v.z, n.l[1] = v.w;
		} else {
			float2 v = two[at];
			n.q = v.x, n.s = v.y;
			const float *p = (TRI ? place : a.pos) + n.id * DIMS;
#pragma unroll
			for (int c = 0; c < DIMS; c++) n.l[c] = p[c] - origin[c];
		}
		n.half = 0;
#pragma unroll
		for (int c = 0; c < DIMS; c++) n.half = fmaf(n.l[c], n.l[c], n.half);
		n.half *= 0.5f;
	}
};

template <int DIMS, bool TRI, bool ROUGH>
__device__ __forceinline__ void addPair(const PairArgs &a, const Block<DIMS, TRI> &b, const Neighbour<DIMS> &u, int rowU,
	const Neighbour<DIMS> &v, int rowV, const float *x, float limit, Sums<DIMS> &sum) {
	float h[DIMS], hh = 0;
#pragma unroll
	for (int c = 0; c < DIMS; c++) {
		h[c] = v.l[c] - u.l[c];
		hh = fmaf(h[c], h[c], hh);
	}
	float e, weight;
	if (TRI) {
		// row i of the triangle starts at i(i+1)/2; the larger of the two places is the right one
		float iq = b.tri[max(rowU + v.id, rowV + u.id)];
		e = (u.q - v.q) * iq;
		float line = hh >= tinyH ? log2of(hh) : 300.f;
		line = fmaf(a.adjust, log2of(1 + hh), line);
		weight = fmaf(e * -1.44269504f, e, -line);
	} else {
		float2 t = __ldg(a.pair + (size_t)rowU + v.id);
		e = (u.q - v.q) * t.x;
		if (ROUGH && t.x > limit && t.y > 0.5f * noLine) e = refined(x, a.codebook + (size_t)u.id * a.d, a.codebook + (size_t)v.id * a.d, a.d);
		weight = fmaf(e * -1.44269504f, e, t.y);
	}
	weight = u.s * v.s * power2(weight);
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
	float det = xx * yy - xy * xy, tr = xx + yy, inv = 1 / det;
	y[0] = (s.c[0] * yy - s.c[1] * xy) * inv;
	y[1] = (s.c[1] * xx - s.c[0] * xy) * inv;
	return det > fmaxf(5e-4f * tr * tr, 1e-30f) && isFinite(y[0] + y[1]);
}
__device__ inline bool solve(const Sums<3> &s, float *y) {
	float xx = s.a[0], xy = s.a[1], xz = s.a[2], yy = s.a[3], yz = s.a[4], zz = s.a[5];
	float axx = yy * zz - yz * yz, axy = xz * yz - xy * zz, axz = xy * yz - xz * yy;
	float ayy = xx * zz - xz * xz, ayz = xy * xz - xx * yz, azz = xx * yy - xy * xy;
	float det = xx * axx + xy * axy + xz * axz, tr = xx + yy + zz, inv = 1 / det;
	y[0] = (axx * s.c[0] + axy * s.c[1] + axz * s.c[2]) * inv;
	y[1] = (axy * s.c[0] + ayy * s.c[1] + ayz * s.c[2]) * inv;
	y[2] = (axz * s.c[0] + ayz * s.c[1] + azz * s.c[2]) * inv;
	return det > fmaxf(1e-3f * tr * tr * tr, 1e-30f) && isFinite(y[0] + y[1] + y[2]);
}

enum { fine, coarse, unfair };

// scores puts the neighbours of a slot into shared memory and says what float32 can do with them.
template <int DIMS, bool TRI>
__device__ __forceinline__ int scores(const PairArgs &a, Block<DIMS, TRI> &b, long long slot, float near, int padded, float *origin,
	float &pull, float &limit) {
	float d1 = sqrtf(near), mu = 0, sum = 0, last = 0, spread = 0;
	long long at = cacheAt(slot, 0, a.find);
	for (int r = 0; r < a.find; r++) {
		float d2 = a.d2[at + r * cacheTile], delta = fmaxf(d2 - near, 0.f), w = __frcp_rn(r + 1);
		last = delta / fmaxf(sqrtf(d2) + d1, 1e-30f);
		spread = delta;
		mu = fmaf(last, w, mu);
		sum += w;
		if (r < a.k) {
			float none[2] = {0, 0};
			b.put(r, delta, last, none, 0);
		}
	}
	mu /= sum;
	float v = 0;
	for (int r = 0; r < a.find; r++) {
		int mine = r * b.threads + threadIdx.x;
		float e = r < a.k ? (Block<DIMS, TRI>::whole ? b.four[mine].y : b.two[mine].y) : last;
		v = fmaf((e - mu) * (e - mu), __frcp_rn(r + 1), v);
	}
	float per = -a.boost * 1.44269504f / sqrtf(v / sum), steep = 10.f / (d1 + last);
	unsigned tight = 0;
	for (int r = 0; r < padded; r++) {
		int mine = r * b.threads + threadIdx.x, id = 0;
		float q = 0, s = 0, l[DIMS] = {};
		if (r < a.k) {
			q = Block<DIMS, TRI>::whole ? b.four[mine].x : b.two[mine].x;
			float e = Block<DIMS, TRI>::whole ? b.four[mine].y : b.two[mine].y;
			s = exp2f(e * per);
			if (a.k < a.find) { // f = 1 - exp(z), by its series near 0
				float z = (e - last) * steep, f;
				f = -1.f / 720;
				f = fmaf(f, z, -1.f / 120);
				f = fmaf(f, z, -1.f / 24);
				f = fmaf(f, z, -1.f / 6);
				f = fmaf(f, z, -0.5f);
				f = fmaf(f, z, -1.f) * z;
				s *= z > -0.35f ? f : 1.f - exp2f(z * 1.44269504f);
			}
			id = a.ids[at + r * cacheTile];
			tight = max(tight, a.closest[id]);
		}
		const float *p = (TRI ? b.place : a.pos) + id * DIMS;
#pragma unroll
		for (int c = 0; c < DIMS; c++) {
			if (r == 0) origin[c] = p[c];
			l[c] = p[c] - origin[c];
		}
		b.put(r, q, s, l, id);
	}
	pull = 1e-5f * exp2f(mu * per);
	float furthest = near + spread;
	limit = roughAt / furthest;
	if (!(v > 0) || !(furthest < 1e30f && furthest > 1e-24f) || !(spread > 0.01f * furthest)) return unfair;
	return __uint_as_float(tight) > limit ? coarse : fine;
}

template <int DIMS, bool TRI, bool ROUGH> __device__ __forceinline__ void project(const PairArgs &a) {
	DYNAMIC_SHARED(float, memory);
	Block<DIMS, TRI> b;
	int padded = (a.k + 3) & ~3;
	b.lay(memory, a.g, padded);
	if (TRI) {
		int warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x & 31;
		for (int i = warp; i < a.g; i += warps)
			for (int j = lane; j <= i; j += 32) memory[i * (i + 1) / 2 + j] = a.pair[(size_t)i * a.g + j].x;
		float *place = memory + (b.place - memory);
		for (int i = threadIdx.x; i < a.g * DIMS; i += blockDim.x) place[i] = a.pos[i];
		__syncthreads();
	}
	long long n = a.list ? *a.count : a.slots;
	for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
		long long slot = a.list ? a.list[i] : a.first + i;
		long long point = a.order ? (slot >> pageBits << pageBits) + a.order[slot] : slot;
		if (point < a.from || point >= a.to) continue;
		float near = a.d2[cacheAt(slot, 0, a.find)], origin[DIMS], pull, limit, y[DIMS];
		if (near != near) {
#pragma unroll
			for (int c = 0; c < DIMS; c++) a.out[point * DIMS + c] = near;
			continue;
		}
		int state = unfair;
		if (near < 1e30f) state = scores<DIMS, TRI>(a, b, slot, near, padded, origin, pull, limit);
		if (state == coarse && !ROUGH) {
			a.rough[atomicAdd(a.roughCount, 1u)] = slot;
			continue;
		}
		if (state == unfair) {
			a.hard[atomicAdd(a.hardCount, 1u)] = point;
			continue;
		}
		const float *x = ROUGH ? a.x + point * a.d : nullptr;
		Sums<DIMS> sum = {};
		float weights = 0;
#pragma unroll 1
		for (int i0 = 0; i0 < padded; i0 += 4) {
			Neighbour<DIMS> u[4];
			int row[4];
#pragma unroll
			for (int j = 0; j < 4; j++) {
				b.get(a, i0 + j, origin, u[j]);
				row[j] = TRI ? u[j].id * (u[j].id + 1) / 2 : u[j].id * a.g;
				float own = pull * u[j].s;
				weights += own;
#pragma unroll
				for (int c = 0; c < DIMS; c++) sum.c[c] = fmaf(own, u[j].l[c], sum.c[c]);
			}
#pragma unroll
			for (int j = 1; j < 4; j++)
#pragma unroll
				for (int h = 0; h < j; h++) addPair<DIMS, TRI, ROUGH>(a, b, u[h], row[h], u[j], row[j], x, limit, sum);
#pragma unroll 1
			for (int r = i0 + 4; r < padded; r++) {
				Neighbour<DIMS> v;
				b.get(a, r, origin, v);
				int rowV = TRI ? v.id * (v.id + 1) / 2 : 0;
#pragma unroll
				for (int j = 0; j < 4; j++) addPair<DIMS, TRI, ROUGH>(a, b, u[j], row[j], v, rowV, x, limit, sum);
			}
		}
		sum.a[0] += weights;
		sum.a[DIMS] += weights;
		if (DIMS == 3) sum.a[DIMS * 2 - 1] += weights;
		if (!solve(sum, y)) {
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

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define BY_VALUE const __grid_constant__
#else
#define BY_VALUE const
#endif
#define PROJECT(DIMS, TRI, ROUGH, name) \
	extern "C" __global__ void name(BY_VALUE PairArgs a) { project<DIMS, TRI, ROUGH>(a); }
PROJECT(2, false, false, projectTable_2)
PROJECT(3, false, false, projectTable_3)
PROJECT(2, true, false, projectTriangle_2)
PROJECT(3, true, false, projectTriangle_3)
PROJECT(2, false, true, projectRough_2)
PROJECT(3, false, true, projectRough_3)
