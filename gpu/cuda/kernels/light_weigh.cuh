// Weighing rows of tiles with what passed: eight lanes a row. Ways to weigh the pairs of a row and a block differ in how they
// read, not in what comes out: sums of float64 ascend by column.
#pragma once
#include "light.cuh"

namespace {

enum { weighers = 16 }; // rows of a block of 128 threads

// lanes are those of a row.
__device__ inline unsigned lanes() { return 0xffu << (threadIdx.x % 32 / 8 * 8); }

// OneLane has each lane read its own pairs: best for a few columns.
struct OneLane {
	__device__ void operator()(const LightArgs &l, const Passed &p, int lane, int, double *w) const {
		unsigned long long rest = p.mask;
		for (int q = 0; rest; q++, rest &= rest - 1) { // every eighth of its points
			if (q % 8 != lane) continue;
			int j = __ffsll((long long)rest) - 1;
			w[j] = weight(l, p.u, p.block * side + j);
		}
	}
};

// Staged has eight lanes read 32 columns of eight pairs side by side; then each adds up those of one.
struct Staged {
	enum { part = 32 };
	__device__ void operator()(const LightArgs &l, const Passed &p, int lane, int group, double *w) const {
		__shared__ float rows[weighers][part], columns[weighers][8][part + 1];
		float *row = rows[group];
		const float *x = values(l, p.u);
		for (unsigned long long rest = p.mask; rest;) {
			int points[8], own = -1;
#pragma unroll
			for (int q = 0; q < 8; q++, rest &= rest - 1) { // 0 stays 0
				points[q] = __ffsll((long long)rest) - 1;
				if (q == lane) own = points[q];
			}
			double s = 0;
			for (int from = 0; from < l.d; from += part) {
				int some = min((int)part, l.d - from);
				for (int c = lane; c < some; c += 8) row[c] = x[from + c];
#pragma unroll
				for (int q = 0; q < 8; q++) {
					if (points[q] < 0) break;
					const float *y = values(l, p.block * side + points[q]) + from;
					for (int c = lane; c < some; c += 8) columns[group][q][c] = y[c];
				}
				__syncwarp(lanes());
				if (own >= 0) s = added(l, row, columns[group][lane], some, s);
				__syncwarp(lanes());
			}
			if (own >= 0) w[own] = settled(l, p.u, p.block * side + own, s);
		}
	}
};

// weigh: of the light pairs of a row with a block one is left out where the way from its point to the nearest one goes no
// further: the three make a cycle in which it is the longest. A block of 128 threads.
template <class Weigher> __device__ void weigh(const LightArgs &l, const Weigher &weights) {
	__shared__ double room[weighers][side];
	__shared__ unsigned long long sums[2];
	int lane = threadIdx.x % 8, group = threadIdx.x / 8;
	unsigned long long rows = min(l.counts[PASSED], (unsigned long long)l.passedRoom), rechecked = 0, light = 0;
	double *w = room[group];
	if (threadIdx.x < 2) sums[threadIdx.x] = 0;
	__syncthreads();
	for (unsigned long long base = (unsigned long long)blockIdx.x * weighers; base < rows; base += (unsigned long long)gridDim.x * weighers) {
		bool there = base + group < rows;
		Passed p = there ? l.passed[base + group] : Passed{0, 0, 0};
		unsigned long long rest = p.mask;
		if (rest) weights(l, p, lane, group, w);
		__syncwarp();
		double best = INFINITY;
		int nearest = side;
		for (int q = 0; rest; q++, rest &= rest - 1) {
			if (q % 8 != lane) continue;
			int j = __ffsll((long long)rest) - 1;
			double at = w[j];
			rechecked++;
			bool is = at < apart(l, p.u, p.block * side + j);
			light += is;
			if (!is) w[j] = INFINITY;
			if (is && (at < best || at == best && j < nearest)) best = at, nearest = j;
		}
		__syncwarp();
		for (int k = 1; k < 8; k *= 2) {
			double v = __shfl_xor_sync(0xffffffffu, best, k);
			int j = __shfl_xor_sync(0xffffffffu, nearest, k);
			if (v < best || v == best && j < nearest) best = v, nearest = j;
		}
		rest = best < INFINITY ? p.mask : 0;
		for (int q = 0; rest; q++, rest &= rest - 1) {
			int j = __ffsll((long long)rest) - 1;
			if (q % 8 != lane || w[j] == INFINITY) continue;
			if (j != nearest && apart(l, p.block * side + j, p.block * side + nearest) <= w[j]) continue;
			unsigned long long to = atomicAdd(&l.counts[KEPT], 1);
			if (to < l.keptRoom) l.kept[to] = {p.u, p.block * side + j, w[j]};
		}
		__syncwarp();
	}
	if (rechecked) atomicAdd(&sums[0], rechecked);
	if (light) atomicAdd(&sums[1], light);
	__syncthreads();
	if (threadIdx.x < 2 && sums[threadIdx.x]) atomicAdd(&l.counts[RECHECKED + threadIdx.x], sums[threadIdx.x]);
}

} // namespace
