// Stage A on tensor cores (compute capability 8.0 on): the nearest landmarks of each point.
//
// 1. A half precision product gives filter distances |x|^2 + |L|^2 - 2 x.L of centred, scaled
//    coordinates, off by at most a known margin. A warp has 16 points; the four lanes of a quad share two.
// 2. The find-th smallest of the minima of some groups of landmarks bounds the find-th smallest of all;
//    landmarks below it, with twice the margin, survive.
// 3. The squared distances of the survivors are computed from the coordinates in float32, and sorted as
//    keys of 26 bits of distance and the place in the list, which ascends with the landmark's number.
//
// So the filter decides nothing that could be wrong: the result is that of a full search. Points with
// more survivors than fit go to nearListed.
#include "layout.cuh"
#include "sorting.cuh"
#ifdef __CUDACC__
#include <cuda_fp16.h>
#else
#include "../hosted/half.h"
#endif

struct Centre {
	float scale, reach;
	int wide, pad;
};

struct TensorArgs {
	const float *x;
	const unsigned short *order; // by slot, within a page; null: slots are points
	long long first, slots;      // the slots [first, first+slots), first a multiple of 16
	long long from, to;          // only points in this range are done
	int d, g, find;
	int chunks, tiles;           // tiles of 8 landmarks in a chunk
	const Centre *centre;
	const float *mean;
	const uint2 *factors;
	const float *norms;
	const float *rows;           // g x 16 KS
	unsigned short *ids;
	float *d2;
	unsigned *listed;            // count, then from 2 on (as 64 bit) the slots that were left
	long long *list;
};

enum { pageBits = 16 };

// landmarkOf: columns 2p and 2p+1 of tile t are read by lane p of each quad. Every lane gets a run of
// landmarks, and bit b of its word of 16 tiles the (b < 16 ? b : b-16+width)-th of them.
HOST_DEVICE inline int landmarkOf(int chunk, int tiles, int t, int column) {
	int width = tiles - (t & ~15) < 16 ? tiles - (t & ~15) : 16;
	return chunk * tiles * 8 + (column >> 1) * 2 * tiles + (t & ~15) * 2 + (column & 1) * width + (t & 15);
}

// operands: one thread per element; grid covers max(chunks*tiles*8, g) x dp/4.
extern "C" __global__ void operands(const float *codebook, int g, int d, int dp, int chunks, int tiles, const Centre *centre,
	const float *mean, uint2 *factors, float *norms, float *rows) {
	int at = blockIdx.x * blockDim.x + threadIdx.x, quads = dp / 4;
	int cell = at / quads, q = at % quads; // of landmarks by four dimensions
	float s = centre->scale;
	if (cell < g) {
		for (int c = 4 * q; c < 4 * q + 4; c++) rows[(size_t)cell * dp + c] = c < d ? codebook[(size_t)cell * d + c] : 0;
	}
	if (cell >= chunks * tiles * 8) return;
	int chunk = cell / (tiles * 8), t = cell / 8 % tiles, column = cell % 8;
	int l = landmarkOf(chunk, tiles, t, column);
	__half h[4];
	for (int c = 0; c < 4; c++) {
		int k = 4 * q + c;
		float v = l < g && k < d ? (codebook[(size_t)l * d + k] - mean[k]) * s : 0;
		h[c] = __float2half(-2 * v);
	}
	uint2 f;
	f.x = __half_as_ushort(h[0]) | (unsigned)__half_as_ushort(h[1]) << 16;
	f.y = __half_as_ushort(h[2]) | (unsigned)__half_as_ushort(h[3]) << 16;
	int step = q / 4, lane = column * 4 + q % 4;
	factors[((size_t)(chunk * tiles + t) * (dp / 16) + step) * 32 + lane] = f;
	if (q == 0) {
		double n = 0;
		for (int k = 0; k < d && l < g; k++) {
			double v = ((double)codebook[(size_t)l * d + k] - mean[k]) * s;
			n += v * v;
		}
		norms[(chunk * tiles + t) * 8 + column] = l < g ? (float)n : __int_as_float(0x7fc00000); // padding: never below anything
	}
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

__device__ inline unsigned packed(float a, float b) {
	__half2 h = __floats2half2_rn(a, b);
	return *(unsigned *)&h;
}
__device__ inline __half2 asHalf(unsigned v) { return *(__half2 *)&v; }
__device__ inline unsigned asWord(__half2 v) { return *(unsigned *)&v; }

// multiply adds a product of 16 x 16 by 16 x 8 to c. lower is the smaller of each half, where NaN is larger
// than anything. notAbove gives all ones in each half where a <= b; NaN is never.
#ifdef __CUDACC__
__device__ inline void multiply(float (&c)[4], const unsigned (&a)[4], uint2 b) {
	asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
		: "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b.x), "r"(b.y));
}
__device__ inline unsigned lower(unsigned a, unsigned b) {
	unsigned m;
	asm("min.f16x2 %0, %1, %2;" : "=r"(m) : "r"(a), "r"(b));
	return m;
}
__device__ inline unsigned notAbove(unsigned a, unsigned b) {
	unsigned m;
	asm("set.le.u32.f16x2 %0, %1, %2;" : "=r"(m) : "r"(a), "r"(b));
	return m;
}
#else
inline void multiply(float (&c)[4], const unsigned (&a)[4], uint2 b) { hostMultiply(c, a, b); }
inline unsigned lower(unsigned a, unsigned b) { return asWord(__hmin2(asHalf(a), asHalf(b))); }
inline unsigned notAbove(unsigned a, unsigned b) { return asWord(__hle2(asHalf(a), asHalf(b))) / 0x3c00 * 0xffff; }
#endif

// A Warp's part of the computation.
template <int KS, int M, bool SINGLE, int CAP> struct Search {
	const TensorArgs &a;
	const uint2 *factors;
	const float2 *norms;
	unsigned short *list; // 16 x (CAP+8)
	float *exact;         // 16 x (CAP+4)
	int lane, quad, p;
	unsigned x16[KS][4];
	float4 x[2][KS];
	float n2[2];

	__device__ Search(const TensorArgs &a) : a(a) {
		lane = threadIdx.x & 31;
		quad = lane >> 2;
		p = lane & 3;
	}

	__device__ __forceinline__ void tile(int t, unsigned &r0, unsigned &r1) const {
		float2 n = norms[t * 4 + p];
		float c[4] = {n.x + n2[0], n.y + n2[0], n.x + n2[1], n.y + n2[1]};
		const uint2 *b = factors + (size_t)t * KS * 32 + lane;
#pragma unroll
		for (int k = 0; k < KS; k++) multiply(c, x16[k], b[k * 32]);
		r0 = packed(c[0], c[1]);
		r1 = packed(c[2], c[3]);
	}

	__device__ long long pointOf(long long slot) const {
		if (!a.order) return slot;
		return (slot >> pageBits << pageBits) + a.order[slot];
	}

	// load reads the row of a point as this lane's four of every 16 coordinates; it returns its mark.
	__device__ __forceinline__ int load(int r, long long point, bool active) {
		float s = a.centre->scale;
		float sum = 0;
		bool finite = true;
#pragma unroll
		for (int k = 0; k < KS; k++) {
			int c = 16 * k + 4 * p;
			float4 v = make_float4(0, 0, 0, 0);
			const float *from = a.x + point * a.d + c;
			if (active) {
				if ((a.d & 3) == 0) {
					if (c < a.d) v = *(const float4 *)from;
				} else {
					if (c < a.d) v.x = from[0];
					if (c + 1 < a.d) v.y = from[1];
					if (c + 2 < a.d) v.z = from[2];
					if (c + 3 < a.d) v.w = from[3];
				}
			}
			finite = finite && isFinite(v.x) && isFinite(v.y) && isFinite(v.z) && isFinite(v.w);
			x[r][k] = v;
			float4 m = *(const float4 *)(a.mean + c);
			v.x = (v.x - m.x) * s, v.y = (v.y - m.y) * s, v.z = (v.z - m.z) * s, v.w = (v.w - m.w) * s;
			sum += v.x * v.x + v.y * v.y + (v.z * v.z + v.w * v.w);
			x16[k][r] = packed(v.x, v.y);
			x16[k][2 + r] = packed(v.z, v.w);
		}
		sum += __shfl_xor_sync(0xffffffffu, sum, 1);
		sum += __shfl_xor_sync(0xffffffffu, sum, 2);
		unsigned bad = __ballot_sync(0xffffffffu, !finite) >> (quad * 4) & 15;
		n2[r] = sum;
		if (active && sum < 2e4f && !a.centre->wide) return 0;
#pragma unroll
		for (int k = 0; k < KS; k++) x16[k][r] = x16[k][2 + r] = 0;
		n2[r] = 0;
		return bad ? 2 : 1;
	}

	// bounds finds for each of the two rows a half number that at least find group minima do not exceed.
	// The rows go side by side here and below: one waits while the other works.
	__device__ __forceinline__ void bounds(const unsigned (&m0)[M], const unsigned (&m1)[M], float (&t)[2]) const {
		int l[2], h[2];
#pragma unroll
		for (int r = 0; r < 2; r++) {
			__half2 low = asHalf(r ? m1[0] : m0[0]), high = low;
#pragma unroll
			for (int i = 1; i < M; i++) {
				low = __hmin2(low, asHalf(r ? m1[i] : m0[i]));
				high = __hmax2(high, asHalf(r ? m1[i] : m0[i]));
			}
			float lo = fminf(__low2float(low), __high2float(low)), hi = fmaxf(__low2float(high), __high2float(high));
			lo = fminf(lo, __shfl_xor_sync(0xffffffffu, lo, 1));
			hi = fmaxf(hi, __shfl_xor_sync(0xffffffffu, hi, 1));
			lo = fminf(lo, __shfl_xor_sync(0xffffffffu, lo, 2));
			hi = fmaxf(hi, __shfl_xor_sync(0xffffffffu, hi, 2));
			// positive halves order like integers; these are halves, so nothing is rounded
			unsigned ends = packed(fmaxf(lo, 0), fmaxf(hi, 0));
			l[r] = ends & 0xffff;
			h[r] = ends >> 16;
		}
		int need = a.find;
#pragma unroll 1
		for (int turn = 0; turn < 8; turn++) {
			int mid[2];
			unsigned n[2];
#pragma unroll
			for (int r = 0; r < 2; r++) {
				mid[r] = (l[r] + h[r]) >> 1;
				__half2 limit = asHalf(mid[r] * 0x10001), part[4];
#pragma unroll
				for (int i = 0; i < 4; i++) part[i] = __hle2(asHalf(r ? m1[i] : m0[i]), limit);
#pragma unroll
				for (int i = 4; i < M; i++) part[i % 4] = __hadd2(part[i % 4], __hle2(asHalf(r ? m1[i] : m0[i]), limit));
				__half2 sum = __hadd2(__hadd2(part[0], part[1]), __hadd2(part[2], part[3]));
				n[r] = asWord(sum);
			}
			// the counts of both rows travel as one pair of halves
			__half2 both = __hadd2(asHalf(__byte_perm(n[0], n[1], 0x5410)), asHalf(__byte_perm(n[0], n[1], 0x7632)));
			both = __hadd2(both, __shfl_xor_sync(0xffffffffu, both, 1));
			both = __hadd2(both, __shfl_xor_sync(0xffffffffu, both, 2));
#pragma unroll
			for (int r = 0; r < 2; r++) {
				bool enough = (r ? __high2float(both) : __low2float(both)) >= need;
				if (enough) h[r] = mid[r];
				else l[r] = min(mid[r] + 1, h[r]);
			}
		}
#pragma unroll
		for (int r = 0; r < 2; r++) t[r] = __low2float(asHalf(h[r]));
	}

	// limit turns a bound into the filter distance that every winner stays below.
	__device__ __forceinline__ unsigned limit(int r, float t) const {
		float length = sqrtf(n2[r]), reach = a.centre->reach;
		float error = 0x1.1p-9f * length * reach + 0x1p-19f * (n2[r] + reach * reach) + 0x1p-23f * sqrtf((float)a.d) * (length + reach);
		float up = (t * (1 + 0x1.1p-10f) + 2.1f * error) * (1 + 0x1p-10f) + 0x1p-24f; // not below, once it is a half
		return packed(up, up);
	}

	// survivors appends the landmarks of a chunk whose bits are set to the lists of both rows.
	__device__ __forceinline__ void survivors(int chunk, const unsigned (&w)[2][2], int (&count)[2]) {
		int mine = __popc(w[0][0]) + __popc(w[0][1]) | (__popc(w[1][0]) + __popc(w[1][1])) << 16;
		int before = mine, v = __shfl_up_sync(0xffffffffu, before, 1, 4);
		if (p >= 1) before += v;
		v = __shfl_up_sync(0xffffffffu, before, 2, 4);
		if (p >= 2) before += v;
		int all = __shfl_sync(0xffffffffu, before, 3, 4);
		before -= mine;
		int at0 = count[0] + (before & 0xffff), at1 = count[1] + (before >> 16);
		unsigned short *to0 = list + quad * (CAP + 8), *to1 = to0 + 8 * (CAP + 8);
#pragma unroll
		for (int k = 0; k < 2; k++) {
			unsigned bits0 = w[0][k], bits1 = w[1][k];
			int gap = 16 - min(16, a.tiles - 16 * k), base = chunk * a.tiles * 8 + p * 2 * a.tiles + 32 * k;
			while (bits0 | bits1) {
				int b0 = __ffs(bits0) - 1, b1 = __ffs(bits1) - 1;
				if (bits0 && at0 < CAP) to0[at0] = base + (b0 < 16 ? b0 : b0 - gap);
				if (bits1 && at1 < CAP) to1[at1] = base + (b1 < 16 ? b1 : b1 - gap);
				at0 += bits0 != 0, at1 += bits1 != 0;
				bits0 &= bits0 - 1, bits1 &= bits1 - 1;
			}
		}
		count[0] += all & 0xffff;
		count[1] += all >> 16;
	}

	// end puts zeros behind the lists, up to a multiple of four.
	__device__ __forceinline__ void end(const int (&count)[2]) {
#pragma unroll
		for (int r = 0; r < 2; r++)
			if (p < 3) list[(quad + 8 * r) * (CAP + 8) + min(count[r], CAP) + p] = 0;
		__syncwarp();
	}

	// filter fills the lists and returns how many survive in each row.
	__device__ __forceinline__ void filter(int (&count)[2]) {
		unsigned m0[M], m1[M], kept0[SINGLE ? 32 : 1], kept1[SINGLE ? 32 : 1];
#pragma unroll
		for (int i = 0; i < M; i++) m0[i] = m1[i] = 0x7c007c00u;
		int all = a.chunks * a.tiles;
		if (SINGLE) {
#pragma unroll
			for (int t = 0; t < 32; t++) {
				unsigned k0 = 0x7c007c00u, k1 = 0x7c007c00u;
				if (t < all) tile(t, k0, k1);
				kept0[SINGLE ? t : 0] = k0;
				kept1[SINGLE ? t : 0] = k1;
				m0[t % M] = lower(m0[t % M], k0);
				m1[t % M] = lower(m1[t % M], k1);
			}
		} else {
#pragma unroll 1
			for (int t0 = 0; t0 < all; t0 += M)
#pragma unroll
				for (int i = 0; i < M; i++) {
					unsigned k0 = 0x7c007c00u, k1 = 0x7c007c00u;
					if (t0 + i < all) tile(t0 + i, k0, k1);
					m0[i] = lower(m0[i], k0);
					m1[i] = lower(m1[i], k1);
				}
		}
		float most[2];
		bounds(m0, m1, most);
		unsigned t[2] = {limit(0, most[0]), limit(1, most[1])};
		count[0] = count[1] = 0;
#pragma unroll 1
		for (int chunk = 0; chunk < (SINGLE ? 1 : a.chunks); chunk++) {
			unsigned w[2][2] = {{0, 0}, {0, 0}};
#pragma unroll
			for (int k = 0; k < 2; k++)
#pragma unroll
				for (int i = 0; i < 16; i++) {
					int at = 16 * k + i;
					if (at >= a.tiles) continue;
					unsigned q0, q1;
					if (SINGLE) q0 = kept0[SINGLE ? at : 0], q1 = kept1[SINGLE ? at : 0];
					else tile(chunk * a.tiles + at, q0, q1);
					w[0][k] |= notAbove(q0, t[0]) & 0x00010001u << i;
					w[1][k] |= notAbove(q1, t[1]) & 0x00010001u << i;
				}
			survivors(chunk, w, count);
		}
		end(count);
	}

	// distance is this lane's part of the squared distances of four landmarks, and then one of them whole:
	// lane p ends with that of the p-th.
	__device__ __forceinline__ float distance(int r, uint2 four) const {
		int id[4] = {(int)(four.x & 0xffff), (int)(four.x >> 16), (int)(four.y & 0xffff), (int)(four.y >> 16)};
		const float4 *rows = (const float4 *)a.rows + p;
		float v[4];
#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float4 *l = rows + id[u] * (4 * KS);
			float sum = 0;
#pragma unroll
			for (int k = 0; k < KS; k++) {
				float4 y = __ldg(l + 4 * k);
				float t0 = x[r][k].x - y.x, t1 = x[r][k].y - y.y, t2 = x[r][k].z - y.z, t3 = x[r][k].w - y.w;
				sum = fmaf(t0, t0, sum);
				sum = fmaf(t1, t1, sum);
				sum = fmaf(t2, t2, sum);
				sum = fmaf(t3, t3, sum);
			}
			v[u] = sum;
		}
		bool odd = p & 1, upper = p & 2;
		float a0 = odd ? v[1] : v[0], b0 = odd ? v[0] : v[1], a1 = odd ? v[3] : v[2], b1 = odd ? v[2] : v[3];
		a0 += __shfl_xor_sync(0xffffffffu, b0, 1);
		a1 += __shfl_xor_sync(0xffffffffu, b1, 1);
		float keep = upper ? a1 : a0, give = upper ? a0 : a1;
		return keep + __shfl_xor_sync(0xffffffffu, give, 2);
	}

	// distances computes the squared distances of the listed landmarks.
	__device__ __forceinline__ void distances(const int (&count)[2], int most) {
		const unsigned short *from0 = list + quad * (CAP + 8), *from1 = from0 + 8 * (CAP + 8);
		float *to0 = exact + quad * (CAP + 4) + p, *to1 = to0 + 8 * (CAP + 4);
#pragma unroll 1
		for (int s = 0; s < most; s += 4) {
			uint2 four0 = make_uint2(0, 0), four1 = four0;
			if (s < count[0]) four0 = *(const uint2 *)(from0 + s); // the lists end with zeros
			if (s < count[1]) four1 = *(const uint2 *)(from1 + s);
			float d0 = distance(0, four0), d1 = distance(1, four1);
			to0[s] = d0;
			to1[s] = d1;
		}
	}

	// ranked sorts the rows, of at most 4 N survivors each, and writes the nearest.
	template <int N> __device__ __forceinline__ void ranked(const int (&count)[2], const bool (&write)[2], const long long (&slot)[2]) {
		const int bits = N <= 16 ? 6 : 7;
		unsigned key[2][N];
#pragma unroll
		for (int r = 0; r < 2; r++) {
			const float *from = exact + (quad + 8 * r) * (CAP + 4) + N * p;
			float v[N], low = 3e38f, high = 0;
			int left = count[r] - N * p;
#pragma unroll
			for (int i = 0; i < N; i += 4) {
				float4 f = *(const float4 *)(from + i);
				v[i] = f.x, v[i + 1] = f.y, v[i + 2] = f.z, v[i + 3] = f.w;
			}
#pragma unroll
			for (int i = 0; i < N; i++)
				if (i < left) low = fminf(low, v[i]), high = fmaxf(high, v[i]);
			low = fminf(low, __shfl_xor_sync(0xffffffffu, low, 1));
			high = fmaxf(high, __shfl_xor_sync(0xffffffffu, high, 1));
			low = fminf(low, __shfl_xor_sync(0xffffffffu, low, 2));
			high = fmaxf(high, __shfl_xor_sync(0xffffffffu, high, 2));
			float scale = high > low ? __fdividef((float)(1u << (32 - bits)) - 256.f, high - low) : 0;
			if (!isFinite(scale)) scale = 0;
#pragma unroll
			for (int i = 0; i < N; i++) key[r][i] = i < left ? (unsigned)((v[i] - low) * scale) << bits | (N * p + i) : 0xffffffffu;
		}
		sortQuads<N>(key[0], key[1]);
#pragma unroll
		for (int r = 0; r < 2; r++) {
			const unsigned short *ids = list + (quad + 8 * r) * (CAP + 8);
			const float *from = exact + (quad + 8 * r) * (CAP + 4);
			long long at = cacheAt(slot[r], N * p, a.find);
			unsigned short *toIds = a.ids + at;
			float *toD2 = a.d2 + at;
			int left = write[r] ? a.find - N * p : 0;
#pragma unroll
			for (int i = 0; i < N; i++)
				if (i < left) {
					int place = key[r][i] & ((1 << bits) - 1);
					toIds[i * cacheTile] = ids[place];
					toD2[i * cacheTile] = from[place];
				}
		}
	}

	__device__ __forceinline__ void run(long long base) {
		long long slot[2];
		bool active[2];
		int mark[2];
#pragma unroll
		for (int r = 0; r < 2; r++) {
			slot[r] = base + quad + 8 * r;
			long long point = 0;
			active[r] = slot[r] < a.first + a.slots;
			if (active[r]) {
				point = pointOf(slot[r]);
				active[r] = point >= a.from && point < a.to;
			}
			if (!active[r]) point = a.from;
			mark[r] = load(r, point, active[r]);
		}
		if (!__any_sync(0xffffffffu, active[0] || active[1])) return;
		int count[2];
		filter(count);
#pragma unroll
		for (int r = 0; r < 2; r++) {
			bool full = count[r] > CAP;
			if (active[r] && p == 0) {
				if (mark[r]) a.d2[cacheAt(slot[r], 0, a.find)] = markOf(mark[r] == 1);
				else if (full) a.list[atomicAdd(a.listed, 1u)] = slot[r];
			}
			if (full || mark[r] || !active[r]) active[r] = false, count[r] = min(count[r], CAP);
		}
		int most = max(active[0] ? count[0] : 0, active[1] ? count[1] : 0);
		most = __reduce_max_sync(0xffffffffu, most);
		if (most == 0) return;
		distances(count, most);
		__syncwarp();
		if (most <= 32) ranked<8>(count, active, slot);
		else if (most <= 64) ranked<16>(count, active, slot);
		else if (CAP > 64) ranked<(CAP > 64 ? 32 : 16)>(count, active, slot);
		__syncwarp();
	}
};

// nearTensor: blocks of whole warps. Dynamic shared memory: for SHARED the factors and norms, then the
// lists of each warp. The grid may have any size.
template <int KS, int M, int CAP, bool SINGLE, bool SHARED> __device__ void search(const TensorArgs &a) {
	DYNAMIC_SHARED(unsigned char, memory);
	Search<KS, M, SINGLE, CAP> s(a);
	s.factors = a.factors;
	s.norms = (const float2 *)a.norms;
	if (SHARED) {
		int all = a.chunks * a.tiles;
		uint4 *f = (uint4 *)memory;
		for (int i = threadIdx.x; i < all * KS * 16; i += blockDim.x) f[i] = ((const uint4 *)a.factors)[i];
		float4 *n = (float4 *)(f + all * KS * 16);
		for (int i = threadIdx.x; i < all * 2; i += blockDim.x) n[i] = ((const float4 *)a.norms)[i];
		s.factors = (const uint2 *)f;
		s.norms = (const float2 *)n;
		memory = (unsigned char *)(n + all * 2);
		__syncthreads();
	}
	int warps = blockDim.x / 32, warp = threadIdx.x / 32;
	s.exact = (float *)memory + warp * 16 * (CAP + 4);
	s.list = (unsigned short *)((float *)memory + warps * 16 * (CAP + 4)) + warp * 16 * (CAP + 8);
	long long step = (long long)gridDim.x * warps * 16;
	for (long long base = a.first + ((long long)blockIdx.x * warps + warp) * 16; base < a.first + a.slots; base += step) s.run(base);
}
#define SEARCH(KS, M, CAP, SINGLE, SHARED) search<KS, M, CAP, SINGLE, SHARED>(a)
#else
#define SEARCH(KS, M, CAP, SINGLE, SHARED)
#endif

#ifdef __CUDACC__
#define BY_VALUE const __grid_constant__
#else
#define BY_VALUE const
#endif
#define TENSOR(KS, M, CAP, SINGLE, SHARED, THREADS, BLOCKS, name) \
	extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) name(BY_VALUE TensorArgs a) { SEARCH(KS, M, CAP, SINGLE, SHARED); }
// by steps of 16 dimensions and by neighbours to find (few, some, many: groups of landmarks in a lane, and
// room for survivors); all landmarks in one chunk that stays in registers, or any number with the factors
// in shared memory, or in global memory
#define TENSORS(KS, BLOCKS) \
	TENSOR(KS, 8, 64, true, true, 128, BLOCKS, nearTensor_##KS##_few_one) \
	TENSOR(KS, 8, 64, false, true, 256, 2, nearTensor_##KS##_few_shared) \
	TENSOR(KS, 8, 64, false, false, 128, 4, nearTensor_##KS##_few_global) \
	TENSOR(KS, 16, 64, false, true, 384, 1, nearTensor_##KS##_some_shared) \
	TENSOR(KS, 16, 64, false, false, 128, 3, nearTensor_##KS##_some_global) \
	TENSOR(KS, 16, 128, false, false, 128, 3, nearTensor_##KS##_many_global)
TENSORS(1, 4)
TENSORS(2, 3)
TENSORS(4, 3)
#ifndef TRIAL // see build
TENSORS(3, 3)
TENSOR(8, 8, 64, false, true, 256, 1, nearTensor_8_few_shared)
TENSOR(8, 8, 64, false, false, 128, 2, nearTensor_8_few_global)
TENSOR(8, 16, 128, false, false, 128, 2, nearTensor_8_many_global)
#endif
