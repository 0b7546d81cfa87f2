// Lists of what may be among the nearest of a row: what nearest.cu and nearest_dense.cu share.
#pragma once
#include "pairs.cuh"

using namespace pairs;

namespace {

typedef unsigned long long Entry; // ordered score, then the complement of the slot: of equal ones the lower slot is better

__device__ inline Entry entryOf(float score, int slot) { return (Entry)ordered(score) << 32 | (unsigned)~slot; }
__device__ inline float scoreOf(Entry e) { return disordered((unsigned)(e >> 32)); }
__device__ inline int slotOf(Entry e) { return (int)~(unsigned)e; }

// Rows know how far scores of a slot may be off. Exact are those that are what is asked for.
struct ExactRow {
	static constexpr bool exact = true;
	__device__ float margin(float, int) const { return 0; }
};

// A SingleRow has scores of float32.
struct SingleRow {
	static constexpr bool exact = false;
	float unit, length;
	const float *longest; // of panels
	__device__ float with(float far) const {
		float both = length + far;
		return unit * both * both + 1e-37f;
	}
	__device__ float margin(float, int slot) const { return with(longest[slot / side]); }
};

// HalfMargin is how far scores of products of halves may be off, of coordinates times scale: see nearest_dense.cu.
struct HalfMargin {
	float scale, unit, flat, least, far;
	// shrink is 1/scale, which is a power of two.
	__device__ float shrink() const { return __uint_as_float((254u << 23) - __float_as_uint(scale)); }
	// products is for those of what is around centres, by the sum of their lengths.
	__device__ float products(float both) const { return (unit * scale * scale * both + flat * scale) * both + least; }
	// rest is for all else: apart is the sum of the lengths that take part, length that of the points themselves.
	__device__ float rest(float apart, float length) const { return scale * scale * (far * apart + 0x1.02p-24f * length) * apart + 1e-37f; }
};

// A HalfRow has scores of products of halves. Where there are cells they tell how far its point is from others.
struct HalfRow {
	static constexpr bool exact = false;
	HalfMargin by;
	bool cells;
	float length, radius;
	const float *longest, *radii; // of panels
	__device__ float margin(float score, int slot) const {
		float around = radii[slot / side], off = by.products(radius + around), both = length + longest[slot / side];
		float apart = 2 * radius + around;
		if (cells) apart = 1.5f * (sqrtf(2 * (fabsf(score) + off)) * by.shrink() + radius + 2 * around + 0x1p-23f * both);
		return off + by.rest(apart, both);
	}
};

// Way is the panels that a row looks through: those of a list, or all of count; first says which panels are in an entry of
// the list, or it is of panels. start says from where to where in the list each block has its part. Of its panels those
// from place from on, before place to, are looked through now.
struct Way {
	const int *list, *first;
	long long at, end, left; // entries, and how many panels are still to come
	int panel, last;

	__device__ Way(const long long *start, const int *list, const int *first, long long count, long long from, long long to, long long block)
		: list(list), first(first), at(0), end(count), left(to - from), panel(0), last(-1) {
		if (start) at = start[2 * block], end = start[2 * block + 1];
		if (!first) at += from;
		for (long long skip = first ? from : 0; skip > 0 && enter();) {
			int n = last - panel + 1;
			if (skip < n) {
				panel += (int)skip - 1; // next goes on from there
				return;
			}
			skip -= n, panel = 0, last = -1;
		}
	}
	// enter begins with the next entry, if there is one.
	__device__ bool enter() {
		if (at >= end) return false;
		int e = list ? list[at] : (int)at;
		at++;
		panel = first ? first[e] : e, last = first ? first[e + 1] - 1 : e;
		return true;
	}
	// next goes to the next panel, if there is one.
	__device__ bool next() {
		if (left-- <= 0) return false;
		if (panel++ < last) return true;
		while (enter())
			if (panel <= last) return true;
		left = 0, last = -1, panel = 0;
		return false;
	}
};

// Held is what the entries of a list reach at least, as ordered numbers: in registers of a warp where there is room for
// them, else worked out again whenever it is asked for.
template <class Row, int N> struct Held {
	const Entry *list;
	int count;
	const Row &row;
	unsigned at[N ? N : 1]; // 0: there is no entry

	__device__ Held(const Entry *list, int count, const Row &row) : list(list), count(count), row(row) {
		[[maybe_unused]] int i = threadIdx.x & 31;
#pragma unroll
		for (int j = 0; j < N; j++, i += 32) at[j] = i < count ? of(list[i]) : 0;
	}
	__device__ unsigned of(Entry e) const { return Row::exact ? (unsigned)(e >> 32) : ordered(scoreOf(e) - row.margin(scoreOf(e), slotOf(e))); }
	// each calls see with those of this lane.
	template <class F> __device__ void each(F see) const {
		if constexpr (N == 0) {
			for (int i = threadIdx.x & 31; i < count; i += 32) see(of(list[i]));
		} else {
#pragma unroll
			for (int j = 0; j < N; j++)
				if (at[j]) see(at[j]);
		}
	}
};

// best is the most that k of a list reach, or up to an eighth more where scores are off.
template <class Row, int N> __device__ unsigned best(const Entry *list, int count, int k, const Row &row) {
	Held<Row, N> held(list, count, row);
	unsigned low = ~0u, high = 0;
	held.each([&](unsigned t) { low = min(low, t), high = max(high, t); });
	for (int w = 16; w >= 1; w /= 2) {
		low = min(low, __shfl_xor_sync(0xffffffffu, low, w));
		high = max(high, __shfl_xor_sync(0xffffffffu, high, w));
	}
	int bits = 32 - __clz((int)(low ^ high)); // those above are the same in all
	unsigned v = bits == 32 ? 0 : low >> bits << bits;
	for (int b = bits - 1; b >= 0; b--) {
		unsigned t = v | 1u << b;
		int n = 0;
		held.each([&](unsigned at) { n += at >= t; });
		n = sumWarp(n);
		if (n >= k) v = t;
		if (n >= k && n <= k + (Row::exact ? 0 : k / 8)) break; // without margins those are the best, all of them
	}
	return v;
}

// keepBest drops what cannot be among the k best of a list, and returns how many stay; limit is what the k-th has at
// least. With margins more than k may stay; without, the k best do, the lower slot first among equals. A warp.
template <class Row> __device__ int keepBest(Entry *list, int count, int k, const Row &row, float &limit) {
	constexpr bool MARGIN = !Row::exact;
	const int registers = 12;
	int lane = threadIdx.x & 31;
	if (count < k) return count;
	unsigned v = count <= 32 * registers ? best<Row, registers>(list, count, k, row) : best<Row, 0>(list, count, k, row);
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
		bool stays = from + lane < count && (MARGIN ? scoreOf(e) + row.margin(scoreOf(e), slotOf(e)) >= limit : e >= last);
		unsigned mask = __ballot_sync(0xffffffffu, stays);
		if (stays) list[kept + __popc(mask & ((1u << lane) - 1))] = e;
		kept += __popc(mask);
		__syncwarp();
	}
	return kept;
}

const int tooMany = 1 << 30; // the count of a row that is left to nearestExact

} // namespace
