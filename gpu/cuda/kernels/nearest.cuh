// Lists of what may be among the nearest of a row: what nearest.cu and nearest_dense.cu share.
#pragma once
#include "pairs.cuh"

using namespace pairs;

namespace {

typedef unsigned long long Entry; // ordered score, then the complement of the slot: of equal ones the lower slot is better

__device__ inline Entry entryOf(float score, int slot) { return (Entry)ordered(score) << 32 | (unsigned)~slot; }
__device__ inline float scoreOf(Entry e) { return disordered((unsigned)(e >> 32)); }
__device__ inline int slotOf(Entry e) { return (int)~(unsigned)e; }

// A Margin is how far a score may be off, by the sum of the lengths of its points.
struct Margin {
	float unit, flat, least;
	__device__ float of(float both) const { return (unit * both + flat) * both + least; }
};

// A Row is what its margins come from: of points with a panel it is that of own + longest[panel].
template <bool MARGIN> struct Row {
	Margin by;
	float own;
	const float *longest;
	__device__ float margin(int slot) const { return MARGIN ? by.of(own + longest[slot / side]) : 0; }
};

// keepBest drops what cannot be among the k best of a list, and returns how many stay; limit is what the k-th has at
// least. With margins more than k may stay; without, the k best do, the lower slot first among equals. A warp.
template <bool MARGIN> __device__ int keepBest(Entry *list, int count, int k, const Row<MARGIN> &row, float &limit) {
	int lane = threadIdx.x & 31;
	if (count < k) return count;
	unsigned low = ~0u, high = 0;
	for (int i = lane; i < count; i += 32) {
		unsigned t = MARGIN ? ordered(scoreOf(list[i]) - row.margin(slotOf(list[i]))) : (unsigned)(list[i] >> 32);
		low = min(low, t), high = max(high, t);
	}
	for (int w = 16; w >= 1; w /= 2) {
		low = min(low, __shfl_xor_sync(0xffffffffu, low, w));
		high = max(high, __shfl_xor_sync(0xffffffffu, high, w));
	}
	// v is the most that k of them reach, with margins about: bits that all have are known.
	int bits = 32 - __clz((int)(low ^ high));
	unsigned v = bits == 32 ? 0 : low >> bits << bits;
	for (int b = bits - 1; b >= 0; b--) {
		unsigned t = v | 1u << b;
		int n = 0;
		for (int i = lane; i < count; i += 32) {
			Entry e = list[i];
			n += (MARGIN ? ordered(scoreOf(e) - row.margin(slotOf(e))) : (unsigned)(e >> 32)) >= t;
		}
		n = sumWarp(n);
		if (n >= k) v = t;
		if (n >= k && n <= k + (MARGIN ? k / 8 : 0)) break; // without margins those are the best, all of them
	}
	limit = disordered(v);
	unsigned least = 0; // of equal ones: the complement of the last slot that stays
	if (!MARGIN) {
		int above = 0;
		for (int i = lane; i < count; i += 32) above += (unsigned)(list[i] >> 32) > v;
		above = sumWarp(above);
		int same = 0;
		for (int i = lane; i < count; i += 32) same += (unsigned)(list[i] >> 32) == v;
		same = sumWarp(same);
		for (int b = 31; b >= 0 && above + same > k; b--) {
			unsigned t = least | 1u << b;
			int n = 0;
			for (int i = lane; i < count; i += 32) n += (unsigned)(list[i] >> 32) == v && (unsigned)list[i] >= t;
			if (sumWarp(n) >= k - above) least = t;
		}
	}
	Entry last = (Entry)v << 32 | least;
	int kept = 0;
	for (int from = 0; from < count; from += 32) {
		Entry e = from + lane < count ? list[from + lane] : 0;
		bool stays = from + lane < count && (MARGIN ? scoreOf(e) + row.margin(slotOf(e)) >= limit : e >= last);
		unsigned mask = __ballot_sync(0xffffffffu, stays);
		if (stays) list[kept + __popc(mask & ((1u << lane) - 1))] = e;
		kept += __popc(mask);
		__syncwarp();
	}
	return kept;
}

const int tooMany = 1 << 30; // the count of a row that is left to nearestExact

} // namespace
