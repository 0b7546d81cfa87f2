// What the kernels of this engine share: the layout of the neighbour cache and its marks.
//
// The cache is in slots. Slot s belongs to point order[s] (points near each other on the map lie side
// by side, see order.cu), or to point s while there is no order. Rank r of slot s is at
// cacheAt(s, r, find): 32 slots lie side by side, so that a warp reads and writes whole lines.
//
//	ids  uint16  landmark of rank r, nearest first, ties to the lower number
//	d2   float   its squared distance, from (x-L)^2 summed in float32
//
// d2 of rank 0 is NaN for a point that is not valid, and +Inf for one that float32 cannot place (it is
// so far away that squares overflow): those go to the float64 kernel of exact.cu.
#pragma once
#include "host.cuh"

enum { cacheTile = 32, pageBits = 16 }; // the order is within pages of so many bits

HOST_DEVICE inline long long cacheAt(long long slot, int rank, int find) {
	unsigned long long s = slot; // never negative
	return (s / cacheTile * (unsigned)find + (unsigned)rank) * cacheTile + s % cacheTile;
}

const float noLine = -1e4f; // log2 weight of a pair of landmarks that defines no line
const float tinyH = 1e-10f; // positions nearer than the root of this define none

// state of x: whether all of it is finite decides between invalid (NaN) and too far (Inf).
__device__ inline float markOf(bool finite) {
	return finite ? __int_as_float(0x7f800000) : __int_as_float(0x7fc00000);
}

// clearWhenLast is for the end of a kernel: its last block sets the counts of the lists it has read to 0,
// and the ticket that the blocks draw. That saves the next work a wait.
__device__ inline void clearWhenLast(unsigned *ticket, unsigned *a, unsigned *b) {
	__syncthreads();
	if (threadIdx.x == 0 && atomicAdd(ticket, 1u) == gridDim.x - 1) *a = 0, *b = 0, *ticket = 0;
}

HOST_DEVICE inline bool isFinite(float x) { return x - x == 0; }

// A key orders by squared distance (not negative), then by number.
__device__ inline unsigned long long keyOf(float d2, unsigned id) {
	return (unsigned long long)__float_as_uint(d2) << 32 | id;
}

// A Centre is what the filter of the neighbours needs to know of the codebook: filter distances are of
// coordinates (x - mean) * scale, where scale is a power of two that brings the landmarks into the unit ball.
struct Centre {
	float scale;
	float reach; // largest length of a centred and scaled landmark
	int wide;    // the landmarks are so far apart that float32 fails: every point is done in float64
	int pad;
};
