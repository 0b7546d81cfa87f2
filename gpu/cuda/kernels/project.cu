// Stage B: positions from the cached neighbours by the identity
//
//	t = (L_j-L_i).(x-L_i)/q = 1/2 + (D_i^2 - D_j^2) / (2q)
//
// so a pair costs the same in any number of dimensions: one tabled number and some thirty operations.
// One thread has one point; it puts its neighbours into shared memory and goes through their pairs four
// rows at a time. With e = t - 1/2, h = l_j - l_i, H = |h|^2 and positions relative to that of the nearest,
//
//	t + h.l_i/H = (e H + |l_j|^2/2 - |l_i|^2/2) / H.
//
// The table is the triangle of tables.cu, in shared memory where it fits. All kernels here do the same
// operations in the same order: a point gets the same bits from each.
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
	const float *triangle;
	const unsigned *closest;
	const float *pos;            // g x DIMS
	float *out;                  // by point, DIMS each
	unsigned *roughCount, *hardCount;
	long long *rough, *hard;     // slots; points
};

enum { pageBits = 16 };

const float roughAt = 256; // a pair whose e may be off by so many roundings is computed from the coordinates

// The fast functions of the card: relative errors below 2^-22.
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
__device__ inline float root(float x) {
	float r;
	asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
	return r;
}
__device__ inline float inverse(float x) {
	float r;
	asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
	return r;
}
#else
inline float power2(float x) { return exp2f(x); }
inline float log2of(float x) { return log2f(x); }
inline float root(float x) { return sqrtf(x); }
inline float inverse(float x) { return 1 / x; }
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

// A Neighbour in registers.
template <int DIMS> struct Neighbour {
	float q, s, l[DIMS], half; // squared distance less that of the nearest, score, position, |l|^2/2
	int id, row;               // landmark, and where its row of the triangle starts
};

// Sums of the equations A y = c.
template <int DIMS> struct Sums {
	float a[DIMS * (DIMS + 1) / 2], c[DIMS];
};

// A Block keeps the neighbours of its points, positions of landmarks and, with SHARED, the triangle in
// shared memory.
template <int DIMS, bool SHARED> struct Block {
	const float *triangle, *place;
	const unsigned *closest;
	float2 *two;
	unsigned short *id;
	int threads;

	__device__ void lay(const PairArgs &a, float *memory, int padded) {
		threads = blockDim.x;
		triangle = a.triangle;
		if (SHARED) {
			int entries = a.g * (a.g + 1) / 2;
			for (int i = threadIdx.x; i < entries; i += threads) memory[i] = a.triangle[i];
			triangle = memory;
			memory += (entries + 3) & ~3;
		}
		float *p = memory;
		unsigned *c = (unsigned *)(p + ((a.g * DIMS + 3) & ~3));
		memory = (float *)(c + ((a.g + 3) & ~3));
		for (int i = threadIdx.x; i < a.g * DIMS; i += threads) p[i] = a.pos[i];
		for (int i = threadIdx.x; i < a.g; i += threads) c[i] = a.closest[i];
		place = p, closest = c;
		__syncthreads();
		two = (float2 *)memory + threadIdx.x;
		id = (unsigned short *)((float2 *)memory + padded * threads) + threadIdx.x;
	}
	__device__ __forceinline__ void get(int r, const float *origin, Neighbour<DIMS> &n) const {
		float2 v = two[r * threads];
		n.q = v.x, n.s = v.y;
		n.id = id[r * threads];
		n.row = n.id * (n.id + 1) / 2;
		n.half = 0;
		if (DIMS == 2) {
			float2 p = ((const float2 *)place)[n.id];
			n.l[0] = p.x - origin[0];
			n.l[1] = p.y - origin[1];
		} else {
#pragma unroll
			for (int c = 0; c < DIMS; c++) n.l[c] = place[n.id * DIMS + c] - origin[c];
		}
#pragma unroll
		for (int c = 0; c < DIMS; c++) n.half = fmaf(n.l[c], n.l[c], n.half);
		n.half *= 0.5f;
	}
};

template <int DIMS, bool SHARED, bool ROUGH>
__device__ __forceinline__ void addPair(const PairArgs &a, const Block<DIMS, SHARED> &b, const Neighbour<DIMS> &u, const Neighbour<DIMS> &v,
	const float *x, float limit, Sums<DIMS> &sum) {
	// of the two places in the triangle the larger is the right one
	float iq = b.triangle[max(u.row + v.id, v.row + u.id)];
	float h[DIMS], hh = 0;
#pragma unroll
	for (int c = 0; c < DIMS; c++) {
		h[c] = v.l[c] - u.l[c];
		hh = fmaf(h[c], h[c], hh);
	}
	float e = (u.q - v.q) * iq;
	bool line = hh >= tinyH;
	if (ROUGH) {
		line = line && iq != 0; // twins, or the same landmark
		if (line && iq > limit) e = refined(x, a.codebook + (size_t)u.id * a.d, a.codebook + (size_t)v.id * a.d, a.d);
	}
	float fall = fmaf(a.adjust, log2of(1 + hh), log2of(hh));
	float weight = power2(line ? fmaf(e * -1.44269504f, e, -fall) : -300.f) * (u.s * v.s);
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

// scores puts the neighbours of a slot into shared memory and says what float32 can do with them. It works
// with E_r = D_r - D_1, so that no boost overflows; D_r^2 - D_1^2 = E_r (E_r + 2 D_1).
template <int DIMS, bool SHARED>
__device__ __forceinline__ int scores(const PairArgs &a, Block<DIMS, SHARED> &b, long long at, float near, int padded, float *origin,
	float &pull, float &limit) {
	float d1 = root(near), mu = 0, square = 0, sum = 0, last = 0, furthest = near;
	const float *d2 = a.d2 + at;
#pragma unroll 4
	for (int r = 0; r < a.find; r++) {
		furthest = d2[r * cacheTile];
		float w = inverse((float)(r + 1));
		last = fmaxf(furthest - near, 0.f) * inverse(fmaxf(root(furthest) + d1, 1e-30f));
		mu = fmaf(last, w, mu);
		square = fmaf(last * last, w, square);
		sum += w;
		if (r < a.k) b.two[r * b.threads].y = last;
	}
	float per1 = inverse(sum);
	mu *= per1;
	float v = fmaf(square, per1, -(mu * mu));
	float per = -a.boost * 1.44269504f * rsqrtf(v), steep = 10.f * inverse(d1 + last);
	float twice = 2 * d1;
	unsigned tight = 0;
	const unsigned short *ids = a.ids + at;
#pragma unroll 4
	for (int r = 0; r < a.k; r++) {
		int id = ids[r * cacheTile];
		float e = b.two[r * b.threads].y, s = power2(e * per);
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
		b.two[r * b.threads] = make_float2(e * (e + twice), s);
		b.id[r * b.threads] = id;
		tight = max(tight, b.closest[id]);
	}
	int first = b.id[0];
	for (int r = a.k; r < padded; r++) {
		b.two[r * b.threads] = make_float2(0, 0);
		b.id[r * b.threads] = first;
	}
#pragma unroll
	for (int c = 0; c < DIMS; c++) origin[c] = b.place[first * DIMS + c];
	pull = 1e-5f * power2(mu * per);
	limit = roughAt / furthest;
	if (!(v > 1e-6f * mu * mu) || !(furthest < 1e30f && furthest > 1e-24f) || !(furthest - near > 0.01f * furthest)) return unfair;
	return __uint_as_float(tight) > limit ? coarse : fine;
}

template <int DIMS, bool SHARED, bool ROUGH> __device__ __forceinline__ void project(const PairArgs &a) {
	DYNAMIC_SHARED(float, memory);
	Block<DIMS, SHARED> b;
	int padded = (a.k + 3) & ~3;
	b.lay(a, memory, padded);
	long long n = a.list ? *a.count : a.slots;
	for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
		long long slot = a.list ? a.list[i] : a.first + i;
		long long point = a.order ? (slot >> pageBits << pageBits) + a.order[slot] : slot;
		if (point < a.from || point >= a.to) continue;
		long long at = cacheAt(slot, 0, a.find);
		float near = a.d2[at], origin[DIMS], pull, limit, y[DIMS];
		if (near != near) {
#pragma unroll
			for (int c = 0; c < DIMS; c++) a.out[point * DIMS + c] = near;
			continue;
		}
		int state = unfair;
		if (near < 1e30f) state = scores<DIMS, SHARED>(a, b, at, near, padded, origin, pull, limit);
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
#pragma unroll
			for (int j = 0; j < 4; j++) {
				b.get(i0 + j, origin, u[j]);
				float own = pull * u[j].s;
				weights = __fadd_rn(weights, own);
#pragma unroll
				for (int c = 0; c < DIMS; c++) sum.c[c] = fmaf(own, u[j].l[c], sum.c[c]);
			}
#pragma unroll
			for (int j = 1; j < 4; j++)
#pragma unroll
				for (int h = 0; h < j; h++) addPair<DIMS, SHARED, ROUGH>(a, b, u[h], u[j], x, limit, sum);
#pragma unroll 2
			for (int r = i0 + 4; r < padded; r++) {
				Neighbour<DIMS> v;
				b.get(r, origin, v);
#pragma unroll
				for (int j = 0; j < 4; j++) addPair<DIMS, SHARED, ROUGH>(a, b, u[j], v, x, limit, sum);
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
#define PROJECT(DIMS, SHARED, ROUGH, name) \
	extern "C" __global__ void name(BY_VALUE PairArgs a) { project<DIMS, SHARED, ROUGH>(a); }
PROJECT(2, false, false, projectTable_2)
PROJECT(3, false, false, projectTable_3)
PROJECT(2, true, false, projectShared_2)
PROJECT(3, true, false, projectShared_3)
PROJECT(2, false, true, projectRough_2)
PROJECT(3, false, true, projectRough_3)
