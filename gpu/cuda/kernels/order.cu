// The order of slots within pages of 65536 points, and lists of the points that a moved landmark touches.
#include "layout.cuh"

enum { page = 1 << pageBits };

// identity makes slots points.
extern "C" __global__ void identity(long long n, unsigned short *order) {
	long long step = (long long)gridDim.x * blockDim.x;
	for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) order[i] = (unsigned short)(i & (page - 1));
}

// orderPages: one block of 1024 threads a page: a counting sort of its points by nearest landmark, so that
// points near each other lie side by side: they look up the same tables. Dynamic shared memory: g ints.
// fresh has room for the pages. The order within one landmark's points depends on timing and on nothing else does anything depend on it.
extern "C" __global__ void orderPages(long long firstPage, long long n, int g, int find, const unsigned short *ids, const float *d2,
	unsigned short *fresh, unsigned short *order) {
	DYNAMIC_SHARED(int, start);
	__shared__ int sums[32];
	int t = threadIdx.x;
	long long base = (firstPage + blockIdx.x) << pageBits;
	int count = n - base < page ? (int)(n - base) : page;
	for (int i = t; i < g; i += blockDim.x) start[i] = 0;
	__syncthreads();
	for (int i = t; i < count; i += blockDim.x) {
		long long at = cacheAt(base + i, 0, find);
		int id = isFinite(d2[at]) ? ids[at] : 0;
		atomicAdd(start + (id < g ? id : 0), 1);
	}
	__syncthreads();
	// exclusive sums of the counts, 1024 landmarks at a time
	int before = 0;
	for (int i0 = 0; i0 < g; i0 += 1024) {
		int i = i0 + t, lane = t & 31, v = i < g ? start[i] : 0, s = v;
		for (int m = 1; m < 32; m <<= 1) {
			int w = __shfl_up_sync(0xffffffffu, s, m);
			if (lane >= m) s += w;
		}
		if (lane == 31) sums[t >> 5] = s;
		__syncthreads();
		if (t < 32) {
			int w = sums[t], z = w;
			for (int m = 1; m < 32; m <<= 1) {
				int y = __shfl_up_sync(0xffffffffu, z, m);
				if (t >= m) z += y;
			}
			sums[t] = z;
		}
		__syncthreads();
		int at = before + s - v + (t >= 32 ? sums[(t >> 5) - 1] : 0);
		before += sums[31];
		__syncthreads();
		if (i < g) start[i] = at;
	}
	__syncthreads();
	for (int i = t; i < count; i += blockDim.x) {
		long long at = cacheAt(base + i, 0, find);
		int id = isFinite(d2[at]) ? ids[at] : 0;
		fresh[base - (firstPage << pageBits) + atomicAdd(start + (id < g ? id : 0), 1)] = order[base + i];
	}
	__syncthreads();
	for (int i = t; i < count; i += blockDim.x) order[base + i] = fresh[base - (firstPage << pageBits) + i];
}

// countUses counts how often each landmark is a neighbour of the slots [first, first+slots), into uses,
// which begins as 0. Dynamic shared memory: g ints.
extern "C" __global__ void countUses(long long first, long long slots, int g, int find, const unsigned short *ids, const float *d2,
	unsigned *uses) {
	DYNAMIC_SHARED(unsigned, counts);
	for (int i = threadIdx.x; i < g; i += blockDim.x) counts[i] = 0;
	__syncthreads();
	long long step = (long long)gridDim.x * blockDim.x;
	for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < slots; i += step) {
		long long at = cacheAt(first + i, 0, find);
		if (!isFinite(d2[at])) continue;
		for (int r = 0; r < find; r++) {
			int id = ids[at + r * cacheTile];
			if (id < g) atomicAdd(counts + id, 1u);
		}
	}
	__syncthreads();
	for (int i = threadIdx.x; i < g; i += blockDim.x)
		if (counts[i]) atomicAdd(uses + i, counts[i]);
}

// rankUses: one thread per landmark: which is in most use, ties to the lower number.
extern "C" __global__ void rankUses(const unsigned *uses, int g, unsigned short *rowOf, unsigned short *named) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= g) return;
	unsigned mine = uses[i];
	int before = 0;
	for (int j = 0; j < g; j++) {
		unsigned other = uses[j];
		before += other > mine || (other == mine && j < i);
	}
	rowOf[i] = (unsigned short)before;
	named[before] = (unsigned short)i;
}

// affected lists the slots that have one of the moved landmarks among their k. moved is a set of bits.
// Dynamic shared memory: (g+31)/32 words. Points without neighbours in float32 are always listed.
extern "C" __global__ void affected(long long slots, int g, int k, int find, const unsigned short *ids, const float *d2,
	const unsigned *moved, unsigned *count, long long *list) {
	DYNAMIC_SHARED(unsigned, bits);
	for (int i = threadIdx.x; i < (g + 31) / 32; i += blockDim.x) bits[i] = moved[i];
	__syncthreads();
	int lane = threadIdx.x & 31;
	long long step = (long long)gridDim.x * blockDim.x;
	for (long long base = (long long)blockIdx.x * blockDim.x; base < slots; base += step) {
		long long slot = base + threadIdx.x;
		bool hit = false;
		if (slot < slots) {
			long long at = cacheAt(slot, 0, find);
			hit = !isFinite(d2[at]);
			for (int r = 0; r < k && !hit; r++) {
				unsigned id = ids[at + r * cacheTile];
				hit = bits[id >> 5] >> (id & 31) & 1;
			}
		}
		unsigned votes = __ballot_sync(0xffffffffu, hit);
		unsigned at = 0;
		if (lane == 0 && votes) at = atomicAdd(count, __popc(votes));
		at = __shfl_sync(0xffffffffu, at, 0);
		if (hit) list[at + __popc(votes & ((1u << lane) - 1))] = slot;
	}
}

// The published kernels keep rows of these, by point.
struct Pair {
	float distance2;
	unsigned id;
};

// fromPairs puts rows of pairs into the cache; slots are points.
extern "C" __global__ void fromPairs(const Pair *pairs, long long from, long long count, int find, unsigned short *ids, float *d2) {
	long long step = (long long)gridDim.x * blockDim.x;
	for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count * find; i += step) {
		long long point = i / find;
		int r = (int)(i % find);
		long long at = cacheAt(from + point, r, find);
		ids[at] = (unsigned short)pairs[i].id;
		d2[at] = pairs[i].distance2;
	}
}

// toPairs does the reverse, for the slots [first, first+count) of whose points those in [from, to) are wanted.
extern "C" __global__ void toPairs(Pair *pairs, long long first, long long count, long long from, long long to, int find,
	const unsigned short *order, const unsigned short *ids, const float *d2) {
	long long step = (long long)gridDim.x * blockDim.x;
	for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
		long long slot = first + i;
		long long point = order ? (slot >> pageBits << pageBits) + order[slot] : slot;
		if (point < from || point >= to) continue;
		float near = d2[cacheAt(slot, 0, find)];
		for (int r = 0; r < find; r++) {
			long long at = cacheAt(slot, r, find);
			Pair p;
			p.id = isFinite(near) ? ids[at] : 0;
			p.distance2 = isFinite(near) ? d2[at] : near;
			pairs[(point - from) * find + r] = p;
		}
	}
}
