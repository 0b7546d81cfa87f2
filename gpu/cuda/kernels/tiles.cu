// Stage A on any card, for any number of dimensions: tiles of 64 points by 64 landmarks in shared memory,
// squared distances straight from the coordinates, and per point a list that is sorted across a warp.
#include "layout.cuh"
#include "sorting.cuh"

enum { tilePoints = 64, tileLandmarks = 64, tileDepth = 16 };

// A List holds the 32 N lowest keys so far: register i of lane l has rank 32 i + l. Keys that pass the
// limit wait in shared memory until there are 32 of them.
template <int N> struct List {
	unsigned long long key[N];
	unsigned long long limit; // key of rank find-1
	int waiting;

	__device__ void clear() {
#pragma unroll
		for (int i = 0; i < N; i++) key[i] = ~0ull;
		limit = ~0ull;
		waiting = 0;
	}
	// take merges the waiting keys into the list.
	__device__ void take(const unsigned long long *wait, int find) {
		int lane = threadIdx.x & 31;
		__syncwarp();
		unsigned long long v = lane < waiting ? wait[lane] : ~0ull;
		insertSorted<N>(key, sortWarp(v));
		waiting = 0;
#pragma unroll
		for (int i = 0; i < N; i++) {
			unsigned long long l = __shfl_sync(0xffffffffu, key[i], (find - 1) & 31);
			if (i == (find - 1) >> 5) limit = l;
		}
		__syncwarp();
	}
	// offer gives one key per lane; ~0 is none.
	__device__ void offer(unsigned long long v, unsigned long long *wait, int find) {
		int lane = threadIdx.x & 31;
		unsigned passes = __ballot_sync(0xffffffffu, v < limit);
		if (passes == 0) return;
		int n = __popc(passes);
		if (waiting + n > 32) {
			take(wait, find);
			passes = __ballot_sync(0xffffffffu, v < limit);
			n = __popc(passes);
		}
		if (passes >> lane & 1) wait[waiting + __popc(passes & ((1u << lane) - 1))] = v;
		waiting += n;
	}
};

// finish writes the list of a slot. A point whose nearest distances overflow is marked.
template <int N>
__device__ void finish(const List<N> &list, int find, int mark, long long slot, unsigned short *ids, float *d2) {
	int lane = threadIdx.x & 31;
	unsigned over = 0;
#pragma unroll
	for (int i = 0; i < N; i++) {
		int rank = 32 * i + lane;
		if (rank >= find) continue;
		float v = __uint_as_float((unsigned)(list.key[i] >> 32));
		over |= !(v < 1e37f);
		long long at = cacheAt(slot, rank, find);
		ids[at] = (unsigned short)list.key[i];
		d2[at] = v;
	}
	over = __any_sync(0xffffffffu, over);
	if (lane == 0 && (mark || over)) d2[cacheAt(slot, 0, find)] = markOf(mark != 2);
}

__device__ inline long long pointAt(const unsigned short *order, long long slot) {
	return order ? (slot >> pageBits << pageBits) + order[slot] : slot;
}

// nearTiles: block 256 threads, 64 slots a block from first on; the grid may have any size.
// Dynamic shared memory: see sharedBytes in the engine.
template <int N>
__device__ void nearTiles(const float *x, const unsigned short *order, long long first, long long slots, long long from, long long to,
	int d, int g, int find, const float *codebook, unsigned short *ids, float *d2) {
	__align__(16) __shared__ float xs[tileDepth][tilePoints + 4], ls[tileDepth][tileLandmarks + 4];
	__shared__ float q[tilePoints][tileLandmarks + 1];
	__shared__ unsigned long long wait[8][8][32];
	__shared__ unsigned bad[tilePoints];
	int t = threadIdx.x, warp = t / 32, lane = t & 31;
	int px = t % 16 * 4, lx = t / 16 * 4;
	for (long long base = first + (long long)blockIdx.x * tilePoints; base < first + slots; base += (long long)gridDim.x * tilePoints) {
		List<N> list[8]; // warp w has the points 8w ... 8w+7
#pragma unroll
		for (int i = 0; i < 8; i++) list[i].clear();
		if (t < tilePoints) bad[t] = 0;
		for (int l0 = 0; l0 < g; l0 += tileLandmarks) {
			float acc[4][4] = {};
			for (int c0 = 0; c0 < d; c0 += tileDepth) {
				__syncthreads();
				for (int i = t; i < tilePoints * tileDepth; i += 256) {
					int c = i % tileDepth, r = i / tileDepth;
					long long slot = base + r;
					float v = 0;
					if (slot < first + slots && c0 + c < d) {
						long long point = pointAt(order, slot);
						if (point >= from && point < to) {
							v = x[point * d + c0 + c];
							if (l0 == 0 && !isFinite(v)) bad[r] = 1;
						}
					}
					xs[c][r] = v;
					float w = 0;
					if (l0 + r < g && c0 + c < d) w = codebook[(size_t)(l0 + r) * d + c0 + c];
					ls[c][r] = w;
				}
				__syncthreads();
				float part[4][4] = {}; // sums of sums: of thousands of columns one long sum would lose digits
#pragma unroll
				for (int c = 0; c < tileDepth; c++) {
					float4 a = *(const float4 *)&xs[c][px], b = *(const float4 *)&ls[c][lx];
					float av[4] = {a.x, a.y, a.z, a.w}, bv[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
					for (int i = 0; i < 4; i++)
#pragma unroll
						for (int j = 0; j < 4; j++) {
							float v = av[i] - bv[j];
							part[i][j] = fmaf(v, v, part[i][j]);
						}
				}
#pragma unroll
				for (int i = 0; i < 4; i++)
#pragma unroll
					for (int j = 0; j < 4; j++) acc[i][j] += part[i][j];
			}
			__syncthreads();
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++) q[px + i][lx + j] = acc[i][j];
			__syncthreads();
#pragma unroll
			for (int i = 0; i < 8; i++) {
#pragma unroll
				for (int h = 0; h < tileLandmarks; h += 32) {
					int l = l0 + h + lane;
					float v = q[8 * warp + i][h + lane];
					list[i].offer(l < g ? keyOf(v, l) : ~0ull, wait[warp][i], find);
				}
			}
		}
		__syncthreads();
#pragma unroll
		for (int i = 0; i < 8; i++) {
			if (list[i].waiting) list[i].take(wait[warp][i], find);
			long long slot = base + 8 * warp + i;
			if (slot >= first + slots) continue;
			long long point = pointAt(order, slot);
			if (point >= from && point < to) finish<N>(list[i], find, bad[8 * warp + i] ? 2 : 0, slot, ids, d2);
		}
		__syncthreads();
	}
}

// nearListed: the slots of a list, one warp each; block 128. For the few points that another kernel left. The
// list is empty afterwards.
template <int N>
__device__ void nearListed(const float *x, const unsigned short *order, int d, int g, int find, const float *codebook,
	unsigned *count, unsigned *ticket, const long long *slots, unsigned short *ids, float *d2) {
	__shared__ unsigned long long wait[4][32];
	int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
	unsigned n = *count;
	for (unsigned at = blockIdx.x * 4 + warp; at < n; at += gridDim.x * 4) {
		long long slot = slots[at], point = pointAt(order, slot);
		const float *row = x + point * d;
		List<N> list;
		list.clear();
		bool finite = true;
		for (int c = lane; c < d; c += 32) finite = finite && isFinite(row[c]);
		int bad = __any_sync(0xffffffffu, !finite) ? 2 : 0;
		for (int l0 = 0; l0 < g; l0 += 32) {
			int l = l0 + lane;
			float s = 0;
			for (int c0 = 0; c0 < d && l < g; c0 += 16) {
				float part = 0;
				for (int c = c0; c < min(d, c0 + 16); c++) {
					float v = row[c] - codebook[(size_t)l * d + c];
					part = fmaf(v, v, part);
				}
				s += part;
			}
			list.offer(l < g ? keyOf(s, l) : ~0ull, wait[warp], find);
		}
		if (list.waiting) list.take(wait[warp], find);
		finish<N>(list, find, bad, slot, ids, d2);
	}
	clearWhenLast(ticket, count, count);
}

#define NEAR(N) \
	extern "C" __global__ void __launch_bounds__(256) nearTiles_##N(const float *x, const unsigned short *order, long long first, long long slots, \
		long long from, long long to, int d, int g, int find, const float *codebook, unsigned short *ids, float *d2) { \
		nearTiles<N>(x, order, first, slots, from, to, d, g, find, codebook, ids, d2); \
	} \
	extern "C" __global__ void __launch_bounds__(128) nearListed_##N(const float *x, const unsigned short *order, int d, int g, int find, \
		const float *codebook, unsigned *count, unsigned *ticket, const long long *slots, unsigned short *ids, float *d2) { \
		nearListed<N>(x, order, d, g, find, codebook, count, ticket, slots, ids, d2); \
	}
NEAR(1)
NEAR(2)
NEAR(3)
