// The search of tensor.cu for the neighbours of 16 points, by a warp.
#pragma once
#include "layout.cuh"
#include "products.cuh"
#include "sorting.cuh"

struct TensorArgs {
	const float *x;
	const unsigned short *order; // by slot, within a page; null: slots are points
	long long first, slots;      // the slots [first, first+slots), first a multiple of 16
	long long from, to;          // only points in this range are done
	int d, g, find;
	int tiles;                   // of 8 landmarks, a multiple of 16
	const Centre *centre;
	const float *mean;
	const uint2 *factors;
	const float *norms;
	const unsigned *halves;      // the norms of two columns as halves
	const float *rows;           // g x 16 KS
	unsigned short *ids;
	float *d2;
	unsigned *listed;            // count, then from 2 on (as 64 bit) the slots that were left
	long long *list;
};

const float none = 3e38f; // farther than anything

// put writes a neighbour, or not, without a branch.
__device__ __forceinline__ void put(unsigned short *ids, float *d2, int at, bool there, unsigned short id, float v) {
#ifdef __CUDACC__
	asm volatile("{\n.reg .pred p;\nsetp.ne.s32 p, %0, 0;\n@p st.global.u16 [%1], %2;\n@p st.global.f32 [%3], %4;\n}"
		: : "r"((int)there), "l"(ids + at), "h"(id), "l"(d2 + at), "f"(v) : "memory");
#else
	if (there) ids[at] = id, d2[at] = v;
#endif
}

// A Search is a warp's part of the computation. TILES is how many tiles of distances stay in registers, all of them, or 0; ROWS says that the codebook is
// in shared memory.
template <int KS, int M, int CAP, int TILES, bool ROWS> struct Search {
	const TensorArgs &a;
	const uint2 *factors;
	const float2 *norms;
	const unsigned *halves;
	unsigned short *list; // 16 x (CAP+8)
	float *exact;         // 16 x (CAP+4)
	unsigned char *next;  // the 16 rows of points that come next
	const char *rows;     // this lane's part of the first row of the codebook
	unsigned base;        // its shared address
	float rootD;          // of the number of columns
	int lane, quad, p;
	unsigned x16[KS][4];
	float4 x[2][KS];
	float n2[2];
	unsigned n2Half[2]; // twice, as halves

	__device__ Search(const TensorArgs &a) : a(a) {
		lane = threadIdx.x & 31;
		keep(lane);
		quad = lane >> 2;
		p = lane & 3;
		rows = (const char *)(a.rows + 4 * p);
		base = 0;
		rootD = root((float)a.d) * (1 + 0x1p-20f);
	}

	// tile gives the filter distances of both rows from two landmarks. With one step its sums are halves: half
	// the work, and what rounding that brings is in limit.
	__device__ __forceinline__ void tile(int t, unsigned &r0, unsigned &r1) const {
		if (KS == 1) {
			__half2 n = asHalf(halves[t * 4 + p]);
			unsigned c[2] = {asWord(__hadd2(n, asHalf(n2Half[0]))), asWord(__hadd2(n, asHalf(n2Half[1])))};
			multiplyHalves(c, x16[0], factors[(size_t)t * 32 + lane]);
			r0 = c[0], r1 = c[1];
			return;
		}
		float2 n = norms[t * 4 + p];
		float c[4] = {n.x + n2[0], n.y + n2[0], n.x + n2[1], n.y + n2[1]};
		const uint2 *b = factors + (size_t)t * KS * 32 + lane;
#pragma unroll
		for (int k = 0; k < KS; k++) multiply(c, x16[k], b[k * 32]);
		r0 = packed(c[0], c[1]);
		r1 = packed(c[2], c[3]);
	}

	// Points come in sixteens, all of one page. pointOf gives lane l that of slot base+l%16, of those after the
	// last slot any.
	__device__ __forceinline__ long long pointOf(long long base) const {
		long long slot = min(base + lane % 16, a.first + a.slots - 1);
		return a.order ? (slot >> pageBits << pageBits) + a.order[slot] : slot;
	}

	// Rows of at most 32 columns are copied to next ahead of time; longer ones would take the place of warps,
	// and only come as near as the second cache.
	enum { STAGED = KS <= 2, rowBytes = STAGED ? 64 * KS + 16 : 0 }; // the last 16 are room, so that rows begin at different banks

	// fetch begins to bring the coordinates of points, which each lane knows one of.
	__device__ __forceinline__ void fetch(long long mine) {
		if (!STAGED) {
			const float *row = a.x + min(max(mine, a.from), a.to - 1) * a.d;
			for (int c = lane / 16 * 32; c < a.d; c += 64) toCache(row + c);
			return;
		}
		int at = (int)(min(max(mine, a.from), a.to - 1) - a.from); // any point that is there
		const float *first = a.x + a.from * a.d;
		if ((a.d & 3) == 0) {
#pragma unroll
			for (int j = 0; j < 2 * KS; j++) {
				int i = lane + 32 * j, row = i / (4 * KS), c = i % (4 * KS) * 4;
				unsigned point = __shfl_sync(0xffffffffu, at, row);
				copyLater16(next + row * rowBytes + 4 * c, first + (unsigned long long)point * (unsigned)a.d + c, c < a.d);
			}
		} else {
#pragma unroll 4
			for (int j = 0; j < 8 * KS; j++) {
				int i = lane + 32 * j, row = i / (16 * KS), c = i % (16 * KS);
				unsigned point = __shfl_sync(0xffffffffu, at, row);
				copyLater4(next + row * rowBytes + 4 * c, first + (unsigned long long)point * (unsigned)a.d + c, c < a.d);
			}
		}
		endCopies();
	}

	// read gets the row of a point: this lane's four of every 16 coordinates.
	__device__ __forceinline__ void read(int r, long long point) {
#pragma unroll
		for (int k = 0; k < KS; k++) {
			int c = 16 * k + 4 * p;
			float4 v = make_float4(0, 0, 0, 0);
			const float *from = a.x + point * a.d + c;
			if (STAGED) {
				v = *(const float4 *)(next + (quad + 8 * r) * rowBytes + 4 * c);
			} else if ((a.d & 3) == 0) {
				if (c < a.d) v = *(const float4 *)from;
			} else {
				if (c < a.d) v.x = from[0];
				if (c + 1 < a.d) v.y = from[1];
				if (c + 2 < a.d) v.z = from[2];
				if (c + 3 < a.d) v.w = from[3];
			}
			x[r][k] = v;
		}
	}

	// load makes a row ready for the filter; it returns the point's mark.
	__device__ __forceinline__ int load(int r, bool active) {
		float s = a.centre->scale;
		float sum = 0;
		bool finite = true;
#pragma unroll
		for (int k = 0; k < KS; k++) {
			float4 v = x[r][k], m = *(const float4 *)(a.mean + 16 * k + 4 * p);
			finite = finite && isFinite(v.x) && isFinite(v.y) && isFinite(v.z) && isFinite(v.w);
			v.x = (v.x - m.x) * s, v.y = (v.y - m.y) * s, v.z = (v.z - m.z) * s, v.w = (v.w - m.w) * s;
			sum += v.x * v.x + v.y * v.y + (v.z * v.z + v.w * v.w);
			x16[k][r] = packed(v.x, v.y);
			x16[k][2 + r] = packed(v.z, v.w);
		}
		sum += __shfl_xor_sync(0xffffffffu, sum, 1);
		sum += __shfl_xor_sync(0xffffffffu, sum, 2);
		unsigned bad = __ballot_sync(0xffffffffu, !finite) >> (quad * 4) & 15;
		n2[r] = sum;
		n2Half[r] = packed(sum, sum);
		if (active && sum < 2e4f && !a.centre->wide) return 0;
#pragma unroll
		for (int k = 0; k < KS; k++) x16[k][r] = x16[k][2 + r] = 0;
		n2[r] = 0, n2Half[r] = 0;
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
		int need = a.find, width = max(h[0] - l[0], h[1] - l[1]);
		width = __shfl_sync(0xffffffffu, __reduce_max_sync(0xffffffffu, width), 0);
#pragma unroll 1
		for (; width >= 16; width >>= 1) { // halves of 1/64 of themselves and less need not be told apart
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
	__device__ __forceinline__ float limit(int r, float t) const {
		float length = root(n2[r]) * (1 + 0x1p-20f), reach = a.centre->reach;
		float error = 0x1.1p-9f * length * reach + 0x1p-19f * (n2[r] + reach * reach) + 0x1p-23f * rootD * (length + reach);
		if (KS == 1) error += 0x1.1p-10f * (n2[r] + reach * reach);
		return (t * (1 + 0x1.1p-10f) + 2.1f * error) * (1 + 0x1p-10f) + 0x1p-24f; // not below, once it is a half
	}

	// survivors appends the landmarks of sixteen tiles whose bits are set to the lists of both rows: every lane
	// a run of its own, from its end on.
	__device__ __forceinline__ void survivors(int t0, unsigned bits0, unsigned bits1, int (&count)[2]) {
		int mine = __popc(bits0) | __popc(bits1) << 16;
		int upTo = mine, v = __shfl_up_sync(0xffffffffu, upTo, 1, 4);
		if (p >= 1) upTo += v;
		v = __shfl_up_sync(0xffffffffu, upTo, 2, 4);
		if (p >= 2) upTo += v;
		int all = __shfl_sync(0xffffffffu, upTo, 3, 4);
		unsigned short *to0 = list + quad * (CAP + 8) + count[0] + (upTo & 0xffff);
		unsigned short *to1 = list + (quad + 8) * (CAP + 8) + count[1] + (upTo >> 16);
		count[0] += all & 0xffff;
		count[1] += all >> 16;
		int first = t0 * 8 + p * 32;
		if (count[0] > CAP) bits0 = 0; // the row is left to others
		if (count[1] > CAP) bits1 = 0;
		while (bits0 | bits1) {
			int b0 = 31 - __clz(bits0), b1 = 31 - __clz(bits1);
			if (bits0) *--to0 = first + b0;
			if (bits1) *--to1 = first + b1;
			bits0 &= ~(1u << (b0 & 31)), bits1 &= ~(1u << (b1 & 31));
		}
	}

	// end puts zeros behind the lists, up to a multiple of four.
	__device__ __forceinline__ void end(const int (&count)[2]) {
#pragma unroll
		for (int r = 0; r < 2; r++)
			if (p < 3) list[(quad + 8 * r) * (CAP + 8) + min(count[r], CAP) + p] = 0;
		__syncwarp();
	}

	// filter fills the lists and returns how many survive in each row, and a squared distance that no winner
	// exceeds. Tiles come in sixteens.
	__device__ __forceinline__ void filter(int (&count)[2], float (&top)[2]) {
		unsigned m0[M], m1[M], kept0[TILES ? TILES : 8], kept1[TILES ? TILES : 8];
#pragma unroll
		for (int i = 0; i < M; i++) m0[i] = m1[i] = 0x7c007c00u;
		if (TILES) {
#pragma unroll
			for (int t = 0; t < TILES; t++) {
				tile(t, kept0[TILES ? t : 0], kept1[TILES ? t : 0]);
				m0[t % M] = lower(m0[t % M], kept0[TILES ? t : 0]);
				m1[t % M] = lower(m1[t % M], kept1[TILES ? t : 0]);
			}
		} else {
#pragma unroll 1
			for (int t0 = 0; t0 < a.tiles; t0 += M)
#pragma unroll
				for (int i = 0; i < M; i++) {
					unsigned k0, k1;
					tile(t0 + i, k0, k1);
					m0[i] = lower(m0[i], k0);
					m1[i] = lower(m1[i], k1);
				}
		}
		float most[2];
		bounds(m0, m1, most);
		unsigned t[2];
		float per = __int_as_float(0x7f000000 - __float_as_int(a.centre->scale)); // 1 / scale, a power of two
#pragma unroll
		for (int r = 0; r < 2; r++) {
			float up = limit(r, most[r]);
			t[r] = packed(up, up);
			top[r] = up * per * per;
		}
		count[0] = count[1] = 0;
		if (TILES) {
#pragma unroll
			for (int t0 = 0; t0 < TILES; t0 += 16) {
				unsigned w0 = 0, w1 = 0;
#pragma unroll
				for (int i = 0; i < 16; i++) {
					w0 |= notAbove(kept0[TILES ? t0 + i : 0], t[0]) & 0x00010001u << i;
					w1 |= notAbove(kept1[TILES ? t0 + i : 0], t[1]) & 0x00010001u << i;
				}
				survivors(t0, w0, w1, count);
			}
		} else {
#pragma unroll 1
			for (int t0 = 0; t0 < a.tiles; t0 += 16) {
				unsigned w0 = 0, w1 = 0;
#pragma unroll
				for (int i = 0; i < 16; i++) {
					unsigned q0, q1;
					tile(t0 + i, q0, q1);
					w0 |= notAbove(q0, t[0]) & 0x00010001u << i;
					w1 |= notAbove(q1, t[1]) & 0x00010001u << i;
				}
				survivors(t0, w0, w1, count);
			}
		}
		end(count);
	}

	// distance is this lane's part of the squared distances of four landmarks, and then one of them whole:
	// lane p ends with that of the p-th.
	__device__ __forceinline__ float distance(int r, uint2 four) const {
		unsigned id[4] = {__byte_perm(four.x, 0, 0x4410), __byte_perm(four.x, 0, 0x4432), __byte_perm(four.y, 0, 0x4410), __byte_perm(four.y, 0, 0x4432)};
		float v[4];
#pragma unroll
		for (int u = 0; u < 4; u++) {
			unsigned far = id[u] * (64 * KS);
			float sum = 0;
#pragma unroll
			for (int k = 0; k < KS; k++) {
				float4 y = ROWS ? fromShared4(rows, base, far + 64 * k) : __ldg((const float4 *)(rows + far + 64 * k));
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

	// distances computes the squared distances of the listed landmarks; behind them come large numbers, so
	// that there are full of them.
	__device__ __forceinline__ void distances(const int (&count)[2], int most, int full) {
		const unsigned short *from0 = list + quad * (CAP + 8), *from1 = from0 + 8 * (CAP + 8);
		float *to0 = exact + quad * (CAP + 4) + p, *to1 = to0 + 8 * (CAP + 4);
#pragma unroll 1
		for (int s = 0; s < full; s += 4) {
			if (s >= most) {
				to0[s] = to1[s] = none;
				continue;
			}
			uint2 four0 = make_uint2(0, 0), four1 = four0;
			if (s < count[0]) four0 = *(const uint2 *)(from0 + s); // the lists end with zeros
			if (s < count[1]) four1 = *(const uint2 *)(from1 + s);
			float d0 = distance(0, four0), d1 = distance(1, four1);
			to0[s] = s + p < count[0] ? d0 : none;
			to1[s] = s + p < count[1] ? d1 : none;
		}
	}

	// ranked sorts the rows, of 4 N each, and writes the nearest. Keys are the bits of the distance, which order
	// like it, less those of the least, and the place in the list; where the distances up to top differ by more
	// octaves than there are bits for, the last few bits of all are left out. Two rows go side by side: one waits
	// while the other works; with many keys that would be too much code for its cache.
	template <int N>
	__device__ __forceinline__ void ranked(const float (&top)[2], const bool (&write)[2], const long long (&slot)[2]) {
		unsigned key[2][N];
		if constexpr (N <= 8) {
			keys<N>(0, top[0], key[0]);
			keys<N>(1, top[1], key[1]);
			sortQuads<N>(key[0], key[1]);
			output<N>(0, write[0], slot[0], key[0]);
			output<N>(1, write[1], slot[1], key[1]);
		} else {
#pragma unroll 1
			for (int r = 0; r < 2; r++) {
				keys<N>(r, r ? top[1] : top[0], key[0]);
				sortQuads<N>(key[0]);
				output<N>(r, r ? write[1] : write[0], r ? slot[1] : slot[0], key[0]);
			}
		}
	}

	template <int N> static constexpr int placeBits = N == 4 ? 4 : N == 8 ? 5 : N == 16 ? 6 : 7;

	template <int N> __device__ __forceinline__ void keys(int r, float top, unsigned (&key)[N]) const {
		const float *from = exact + (quad + 8 * r) * (CAP + 4) + N * p;
		float v[N];
#pragma unroll
		for (int i = 0; i < N; i += 4) {
			float4 f = *(const float4 *)(from + i);
			v[i] = f.x, v[i + 1] = f.y, v[i + 2] = f.z, v[i + 3] = f.w;
		}
		float low = v[0];
#pragma unroll
		for (int i = 1; i < N; i++) low = fminf(low, v[i]);
		low = fminf(low, __shfl_xor_sync(0xffffffffu, low, 1));
		low = fminf(low, __shfl_xor_sync(0xffffffffu, low, 2));
		if (__any_sync(0xffffffffu, !(top < none))) { // fewer landmarks than groups
			float high = low;
#pragma unroll
			for (int i = 0; i < N; i++) high = v[i] < none ? fmaxf(high, v[i]) : high;
			high = fmaxf(high, __shfl_xor_sync(0xffffffffu, high, 1));
			high = fmaxf(high, __shfl_xor_sync(0xffffffffu, high, 2));
			top = top < none ? top : high * 1.001f;
		}
		unsigned first = __float_as_uint(low), span = __float_as_uint(fmaxf(top, low)) - first;
		int drop = max(0, placeBits<N> - __clz(span));
#pragma unroll
		for (int i = 0; i < N; i++) key[i] = (min(__float_as_uint(v[i]) - first, span) >> drop << placeBits<N>) + (N * p + i);
	}

	template <int N> __device__ __forceinline__ void output(int r, bool write, long long slot, const unsigned (&key)[N]) const {
		const unsigned short *ids = list + (quad + 8 * r) * (CAP + 8);
		const float *from = exact + (quad + 8 * r) * (CAP + 4);
		long long at = cacheAt(slot, N * p, a.find);
		unsigned short *toIds = a.ids + at;
		float *toD2 = a.d2 + at;
		int left = write ? a.find - N * p : 0;
#pragma unroll
		for (int i = 0; i < N; i++) {
			int place = key[i] & (4 * N - 1);
			put(toIds, toD2, i * cacheTile, i < left, ids[place], from[place]);
		}
	}

	// run does the 16 slots from base on, whose points are on their way to next, and sends for those of after.
	__device__ __forceinline__ void run(long long base, long long point, long long after) {
		long long slot[2];
		bool active[2];
		int mark[2];
		awaitCopies();
		__syncwarp();
		bool wanted = base + lane % 16 < a.first + a.slots && point >= a.from && point < a.to;
		unsigned all = __ballot_sync(0xffffffffu, wanted);
		long long inside = min(max(point, a.from), a.to - 1);
#pragma unroll
		for (int r = 0; r < 2; r++) {
			slot[r] = base + quad + 8 * r;
			active[r] = all >> (quad + 8 * r) & 1;
			read(r, STAGED ? 0 : a.from + __shfl_sync(0xffffffffu, (int)(inside - a.from), quad + 8 * r));
		}
#pragma unroll
		for (int r = 0; r < 2; r++) mark[r] = load(r, active[r]);
		__syncwarp();
		fetch(after);
		if (all == 0) return;
		int count[2];
		float top[2];
		filter(count, top);
#pragma unroll
		for (int r = 0; r < 2; r++) {
			bool full = count[r] > CAP;
			if (active[r] && p == 0) {
				if (mark[r]) a.d2[cacheAt(slot[r], 0, a.find)] = markOf(mark[r] == 1);
				else if (full) a.list[atomicAdd(a.listed, 1u)] = slot[r];
			}
			if (full || mark[r] || !active[r]) active[r] = false, count[r] = 0;
		}
		int most = max(active[0] ? count[0] : 0, active[1] ? count[1] : 0);
		most = __shfl_sync(0xffffffffu, __reduce_max_sync(0xffffffffu, most), 0);
		if (most == 0) return;
		int full = M == 8 && most <= 16 ? 16 : most <= 32 ? 32 : most <= 64 ? 64 : CAP;
		distances(count, most, full);
		__syncwarp();
		if (M == 8 && full == 16) ranked<4>(top, active, slot);
		else if (full == 32) ranked<8>(top, active, slot);
		else if (full == 64) ranked<16>(top, active, slot);
		else if (CAP > 64) ranked<(CAP > 64 ? 32 : 16)>(top, active, slot);
		__syncwarp();
	}
};
