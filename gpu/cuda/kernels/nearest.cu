// The points that are nearest to points, of many, exactly: what engine cuda offers as knn.Finder, and lists of the
// nearest by score for linkage.Holding.
//
// Rows are in panels of 64, as the points that they are compared with. A row has a list of what may be among its k
// nearest: score and slot, with room for cap. When it is full, the k-th largest of score - margin is what others must
// reach with score + margin, and what does not is dropped. In the end the listed are compared in float64, from the
// coordinates as given (nearestDecide). A row whose margin lets too many through, or that lies too far away for float32,
// is compared with all in float64 (nearestExact). So float32 decides nothing.
#include "nearest.cuh"

namespace {

template <bool MARGIN> __device__ auto marginsOf(float unit, float length, const float *longest) {
	if constexpr (MARGIN) return SingleRow{unit, length, longest};
	else return ExactRow{};
}

// sweep compares rows (a panel a block) with the points of the panels on their way. A row is not compared with itself:
// self is its slot.
template <bool CITY, bool MARGIN>
__device__ void sweep(const float *rows, const int *panelOf, const float *length, const int *self, const int *label, int d,
	const float *panels, const float *half, const float *longest, const long long *start, const int *list, const int *first, long long count, long long from,
	long long to, float unit, int k, int cap, int begin, unsigned long long *entries, int *counts, float *limits) {
	__shared__ Room room;
	__shared__ float limit[side], own[side];
	__shared__ int size[side], me[side], group[side];
	int t = threadIdx.x, warp = t / 32, lane = t & 31, panel = panelOf ? panelOf[blockIdx.x] : blockIdx.x;
	long long top = (long long)blockIdx.x * side; // row of this query
	if (t < side) {
		long long at = (long long)panel * side + t;
		own[t] = MARGIN ? length[at] : 0;
		me[t] = self ? self[at] : (int)at;
		group[t] = label && me[t] >= 0 ? label[me[t]] : -1;
		if (begin) {
			bool off = me[t] < -1;
			counts[top + t] = MARGIN && own[t] == INFINITY && !off ? tooMany : 0;
			limits[top + t] = off || MARGIN && own[t] == INFINITY ? INFINITY : -3e38f;
		}
		size[t] = counts[top + t];
		limit[t] = limits[top + t];
	}
	rows += (size_t)panel * d * side;
	Way way(start, list, first, count, from, to, blockIdx.x);
	bool full = false;
	for (;;) {
		if (__syncthreads_or(full)) {
			full = false;
			for (int r = warp; r < side; r += threads / 32) {
				if (size[r] <= cap - side || size[r] == tooMany) continue;
				float least = limit[r];
				int left = keepBest((Entry *)entries + (top + r) * cap, size[r], k, marginsOf<MARGIN>(unit, own[r], longest), least);
				__syncwarp();
				if (lane == 0) {
					bool over = left > cap - side;
					size[r] = over ? tooMany : left;
					limit[r] = over ? INFINITY : fmaxf(least, limit[r]);
				}
			}
			__syncthreads();
		}
		if (!way.next()) break;
		int other = way.panel;
		float acc[8][4];
		scores<CITY>(rows, panels + (size_t)other * d * side, half + (size_t)other * side, d, room, acc);
		float far = MARGIN ? longest[other] : 0;
#pragma unroll
		for (int i = 0; i < 8; i++) {
			int r = rowOf(i);
			float least = MARGIN ? limit[r] - SingleRow{unit, own[r], longest}.with(far) : limit[r];
#pragma unroll
			for (int j = 0; j < 4; j++) {
				if (!(acc[i][j] >= least)) continue;
				int slot = other * side + columnOf(j);
				if (slot == me[r] || label && label[slot] == group[r]) continue;
				int at = atomicAdd(&size[r], 1);
				entries[(top + r) * cap + at] = entryOf(acc[i][j], slot);
				full |= at + 1 > cap - side;
			}
		}
	}
	if (t < side) counts[top + t] = size[t], limits[top + t] = limit[t];
}

} // namespace

// nearestPack puts points (rows of x by number, -1: none) into panels, less the mean and scaled; a block of 64 threads a
// panel. What is no point, or has NaN or Inf, has a half square of Inf and -2 in self; a point there has its number, and
// its slot in places (where makes them), a row its point's place, or -1 if it is of another set (places null). One too
// far away for float32 has the length Inf, so that the exact kernel does it.
extern "C" __global__ void __launch_bounds__(64) nearestPack(const float *x, int d, const int *from, const double *mean, double scale, float *panels,
	float *half, float *length, float *longest, int *self, int *places, int where) {
	__shared__ float most[side];
	int t = threadIdx.x;
	long long slot = (long long)blockIdx.x * side + t;
	int p = from[slot];
	float *to = panels + (size_t)blockIdx.x * side * d + t;
	const float *row = x + (long long)max(p, 0) * d;
	bool there = p >= 0;
	for (int c = 0; c < d && there; c++) there = row[c] - row[c] == 0;
	double s = 0;
	for (int c = 0; c < d; c++) {
		float v = there ? (float)((row[c] - mean[c]) * scale) : 0;
		s += (double)v * v;
		to[(size_t)c * side] = v;
	}
	bool far = !(s < 1e18);
	if (far)
		for (int c = 0; c < d; c++) to[(size_t)c * side] = 0;
	float reach = there && !far ? fmaxf(0x1p-50f, up(sqrt(s) * (1 + 1e-7))) : 0;
	half[slot] = there && !far ? (float)(s / 2) : INFINITY;
	length[slot] = far ? INFINITY : reach;
	self[slot] = !there ? -2 : where ? p : places ? places[p] : -1;
	if (there && where) places[p] = (int)slot;
	most[t] = reach;
	__syncthreads();
	if (t == 0) {
		for (int i = 1; i < side; i++) most[0] = fmaxf(most[0], most[i]);
		longest[blockIdx.x] = most[0];
	}
}

#define SWEEP(name, CITY, MARGIN)                                                                                                          \
	extern "C" __global__ void __launch_bounds__(128) name(const float *rows, const int *panelOf, const float *length, const int *self,      \
		const int *label, int d, const float *panels, const float *half, const float *longest, const long long *start, const int *list,        \
		const int *first, long long count, long long from, long long to, float unit, int k, int cap, int begin,                                \
		unsigned long long *entries, int *counts, float *limits) {                                                                             \
		sweep<CITY, MARGIN>(rows, panelOf, length, self, label, d, panels, half, longest, start, list, first, count, from, to,                 \
			unit, k, cap, begin, entries, counts, limits);                                                                    \
	}
SWEEP(nearestSweep, false, true)
SWEEP(nearestScores, false, false)
SWEEP(nearestCity, true, false)

// nearestGather puts places of panels, by name, into panels of their own; a block of 64 threads a panel.
extern "C" __global__ void __launch_bounds__(64) nearestGather(const float *panels, int d, const int *self, float *to) {
	int p = max(0, self[(size_t)blockIdx.x * side + threadIdx.x]);
	const float *from = panels + (size_t)(p / side) * d * side + p % side;
	to += (size_t)blockIdx.x * d * side + threadIdx.x;
	for (int c = 0; c < d; c++) to[(size_t)c * side] = from[(size_t)c * side];
}

// nearestRank writes the k best of lists by score, the best first, -1 where there are fewer. A warp a row.
extern "C" __global__ void __launch_bounds__(128) nearestRank(long long rows, int k, int cap, unsigned long long *entries, const int *counts, int *ids,
	float *scores) {
	long long r = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 32;
	int lane = threadIdx.x & 31;
	if (r >= rows) return;
	Entry *list = (Entry *)entries + r * cap;
	float limit = 0;
	int n = keepBest(list, counts[r], k, ExactRow{}, limit);
	__syncwarp();
	for (int i = lane; i < k; i += 32) {
		if (i >= n) {
			ids[r * k + i] = -1;
			continue;
		}
		Entry e = list[i];
		int rank = 0;
		for (int j = 0; j < n; j++) rank += list[j] > e;
		ids[r * k + rank] = slotOf(e);
		scores[r * k + rank] = scoreOf(e);
	}
}

namespace {

// write puts neighbour number rank of a row where it belongs.
__device__ inline void write(long long r, int k, int rank, int id, double squared, double near, double weight, int *index, float *beyond, double *nearest) {
	index[r * k + rank] = id;
	beyond[r * k + rank] = (float)fmin((squared - near) / weight, 3.4028234663852886e38);
	if (rank == 0) nearest[r] = squared;
}

} // namespace

// nearestDecide computes the distances of what lists have, and writes the k nearest in order. x are the points, table the
// rows' own, by from; name the points of slots. Rows of lists that ran over are named in left, whose count is first.
// radius is null where scores are of float32. A warp a row; dynamic shared memory: cap doubles and ints for each.
extern "C" __global__ void __launch_bounds__(128) nearestDecide(long long rows, const float *table, const int *from, const int *self, const float *x,
	int d, const int *name, const float *length, const float *longest, const float *radius, const float *radii, float unit, float scale, float halfUnit,
	float halfFlat, float halfLeast, float halfFar, int cells, int k, int cap, unsigned long long *entries, const int *counts, double weight, int *index, float *beyond, double *nearest,
	int *left) {
	DYNAMIC_SHARED(double, memory);
	int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
	double *distance = memory + warp * (cap + cap / 2);
	int *ids = (int *)(distance + cap);
	long long r = (long long)blockIdx.x * (blockDim.x / 32) + warp;
	if (r >= rows) return;
	if (self[r] < -1) { // no row, or an invalid one
		for (int i = lane; i < k; i += 32) index[r * k + i] = -1, beyond[r * k + i] = 0;
		if (lane == 0) nearest[r] = __longlong_as_double(0x7ff8000000000000ll);
		return;
	}
	Entry *list = (Entry *)entries + r * cap;
	float limit = 0;
	int n = counts[r];
	if (n > k + k / 2 + 32 && n != tooMany)
		n = radius ? keepBest(list, n, k, HalfRow{{scale, halfUnit, halfFlat, halfLeast, halfFar}, cells != 0, length[r], radius[r], longest, radii}, limit)
		           : keepBest(list, n, k, SingleRow{unit, length[r], longest}, limit);
	if (n < k || n > cap) { // too many, or a defect that the exact kernel mends
		if (lane == 0) left[1 + atomicAdd(left, 1)] = (int)r;
		return;
	}
	__syncwarp();
	const float *me = table + (long long)from[r] * d;
	for (int i = lane; i < n; i += 32) {
		int p = name[slotOf(list[i])];
		ids[i] = p;
		distance[i] = squared(me, x + (long long)p * d, d);
	}
	__syncwarp();
	double near = INFINITY;
	for (int i = 0; i < n; i++) near = fmin(near, distance[i]);
	for (int i = lane; i < n; i += 32) {
		int rank = 0;
		for (int j = 0; j < n; j++) rank += distance[j] < distance[i] || distance[j] == distance[i] && ids[j] < ids[i];
		if (rank < k) write(r, k, rank, ids[i], distance[i], near, weight, index, beyond, nearest);
	}
}

// nearestExact compares rows of left, [first, first+gridDim.x), with all points of their panels in float64. A block of
// 256 threads a row; dynamic shared memory: k + 1024 doubles and ints.
extern "C" __global__ void __launch_bounds__(256) nearestExact(const int *left, int first, const float *table, const int *from, const int *self, const float *x,
	int d, const int *name, const long long *start, const int *list, const int *panels, long long count, double weight, int k, int *index, float *beyond, double *nearest) {
	DYNAMIC_SHARED(double, distance);
	__shared__ int size;
	__shared__ double limit;
	__shared__ int limitId;
	const int room = k + 1024, own = 9; // of a thread: 2048 and what more there is room for, k being 1024 at most
	int *ids = (int *)(distance + room);
	long long r = left[1 + first + blockIdx.x];
	int me = self[r], t = threadIdx.x;
	const float *row = table + (long long)from[r] * d;
	Way way(start, list, panels, count, 0, 0x7fffffffffff, r / side);
	if (t == 0) size = 0, limit = INFINITY, limitId = 0x7fffffff;
	__syncthreads();
	for (;;) {
		int panel = -1; // of the threads that have it: four at a time
		bool last = true;
		for (int i = 0; i < 256 / side && way.next(); i++) {
			if (i == t / side) panel = way.panel;
			last = false;
		}
		int n = size;
		__syncthreads(); // before anybody adds to it
		if (last || n > room - 256) { // the k nearest, in order
			int rank[own];
			double value[own];
			int id[own];
			for (int q = 0; q < own; q++) {
				int i = t + 256 * q;
				rank[q] = k;
				if (i >= n) continue;
				value[q] = distance[i], id[q] = ids[i], rank[q] = 0;
				for (int j = 0; j < n; j++) rank[q] += distance[j] < value[q] || distance[j] == value[q] && ids[j] < id[q];
			}
			__syncthreads();
			for (int q = 0; q < own; q++)
				if (rank[q] < k) {
					distance[rank[q]] = value[q], ids[rank[q]] = id[q];
					if (rank[q] == k - 1) limit = value[q], limitId = id[q];
				}
			if (t == 0) size = min(n, k);
			__syncthreads();
		}
		if (last) break;
		if (panel >= 0) {
			int slot = panel * side + t % side, p = name[slot];
			if (p >= 0 && slot != me) {
				double s = squared(row, x + (long long)p * d, d);
				if (s < limit || s == limit && p < limitId) {
					int to = atomicAdd(&size, 1);
					distance[to] = s, ids[to] = p;
				}
			}
		}
		__syncthreads();
	}
	for (int i = t; i < k; i += 256)
		if (i < size) write(r, k, i, ids[i], distance[i], distance[0], weight, index, beyond, nearest);
		else index[r * k + i] = -1, beyond[r * k + i] = 0;
}
