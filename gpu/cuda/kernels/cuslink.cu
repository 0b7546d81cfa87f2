// Nearest points as the published system finds them ("cuSLINK: Single-linkage Agglomerative Clustering on the GPU", sections
// 3.1.1 and 3.1.2): selection is fused with the products, so that no distance goes to the card's memory. Of each row the k
// best so far, 64 at most, are a sorted queue in shared memory. What is better than the last of it is compacted into a short
// list beside; when that is full a warp sorts it in registers and merges it with the queue. Of one neighbour, which the step
// that connects parts asks for, threads keep the best in registers.
//
// Points are in panels of 64, as in nearest.cu; a block of 128 threads has one of rows and goes through all.
#include "pairs.cuh"
#include "sorting.cuh"

using namespace pairs;

struct SelectArgs {
	const float *packed, *half;
	const int *panelOf; // of the rows
	const int *label;   // of places: those of another are looked for alone; or null
	int n, d, k;
	int from, to, begin, end; // panels, whether there are queues yet, and whether these are the last
	unsigned long long *queues;
	int *ids;
	float *scores;
};

namespace {

typedef unsigned long long Key; // the less the better: score, then place

const Key none = ~0ull;
enum { pendingMost = 32 };

__device__ inline Key keyOf(float score, int slot) { return ~((Key)ordered(score) << 32 | (unsigned)~slot); }
__device__ inline float scoreOf(Key k) { return k == none ? -3e38f : disordered((unsigned)(~k >> 32)); }
__device__ inline int slotOf(Key k) { return (int)(unsigned)k; }

__device__ inline void answer(const SelectArgs &a, long long row, int rank, Key key) {
	a.ids[row * a.k + rank] = key == none ? -1 : slotOf(key);
	a.scores[row * a.k + rank] = scoreOf(key);
}

// merge has a warp merge what is pending of a row with its queue of 32 N; limit is then what the k-th has.
template <int N> __device__ void merge(Key *queue, const Key *pending, int many, int k, float &limit) {
	int lane = threadIdx.x & 31;
	Key v = sortWarp(lane < many ? pending[lane] : none), list[N];
#pragma unroll
	for (int i = 0; i < N; i++) list[i] = queue[32 * i + lane];
	insertSorted(list, v);
#pragma unroll
	for (int i = 0; i < N; i++) {
		queue[32 * i + lane] = list[i];
		if (32 * i + lane == k - 1) limit = scoreOf(list[i]);
	}
}

// Dynamic shared memory: queues of 64 rows, then what is pending.
template <bool CITY, int N> __device__ void select(const SelectArgs &a) {
	DYNAMIC_SHARED(Key, queues);
	__shared__ Room room;
	__shared__ float limit[side];
	__shared__ int size[side], group[side];
	Key *pending = queues + side * 32 * N;
	int t = threadIdx.x, warp = t / 32, panel = a.panelOf[blockIdx.x];
	long long first = (long long)blockIdx.x * side;
	for (int i = t; i < side * 32 * N; i += threads) queues[i] = a.begin ? none : a.queues[first * 32 * N + i];
	__syncthreads();
	if (t < side) {
		int u = panel * side + t;
		size[t] = 0, limit[t] = u < a.n ? scoreOf(queues[t * 32 * N + a.k - 1]) : INFINITY;
		group[t] = a.label && u < a.n ? a.label[u] : -1;
	}
	__syncthreads();
	for (int p = a.from; p < a.to; p++) {
		float acc[8][4];
		scores<CITY>(a.packed + (size_t)panel * a.d * side, a.packed + (size_t)p * a.d * side, a.half + (size_t)p * side, a.d, room, acc);
		unsigned wants = 0;
#pragma unroll
		for (int i = 0; i < 8; i++) {
			float least = limit[rowOf(i)];
#pragma unroll
			for (int j = 0; j < 4; j++) wants |= (unsigned)(acc[i][j] >= least) << (4 * i + j);
		}
		for (unsigned rest = wants; rest; rest &= rest - 1) { // few
			int at = __ffs((int)rest) - 1, r = rowOf(at / 4), slot = p * side + columnOf(at % 4);
			if (slot == panel * side + r || a.label && a.label[slot] == group[r]) wants &= ~(1u << at);
		}
		while (__syncthreads_or(wants != 0)) {
#pragma unroll
			for (int i = 0; i < 8; i++) {
				if (!(wants >> 4 * i & 15)) continue;
				int r = rowOf(i);
				float least = limit[r];
#pragma unroll
				for (int j = 0; j < 4; j++) {
					unsigned bit = 1u << (4 * i + j);
					if (!(wants & bit)) continue;
					if (acc[i][j] >= least) {
						int at = atomicAdd(&size[r], 1);
						if (at >= pendingMost) continue; // when the list is empty again
						pending[r * pendingMost + at] = keyOf(acc[i][j], p * side + columnOf(j));
					}
					wants &= ~bit;
				}
			}
			__syncthreads();
			for (int r = warp; r < side; r += threads / 32) {
				if (size[r] < pendingMost) continue;
				merge<N>(queues + r * 32 * N, pending + r * pendingMost, pendingMost, a.k, limit[r]);
				__syncwarp();
				if (t % 32 == 0) size[r] = 0;
			}
		}
	}
	__syncthreads();
	for (int r = warp; r < side; r += threads / 32) {
		if (size[r]) merge<N>(queues + r * 32 * N, pending + r * pendingMost, size[r], a.k, limit[r]);
		__syncwarp();
		for (int i = t % 32; i < 32 * N; i += 32) {
			Key key = queues[r * 32 * N + i];
			if (!a.end) a.queues[(first + r) * 32 * N + i] = key;
			else if (i < a.k) answer(a, first + r, i, key);
		}
	}
}

template <bool CITY> __device__ void selectOne(const SelectArgs &a) {
	__shared__ Room room;
	__shared__ Key best[side];
	__shared__ int group[side];
	int t = threadIdx.x, panel = a.panelOf[blockIdx.x];
	long long first = (long long)blockIdx.x * side;
	if (t < side) {
		int u = panel * side + t;
		best[t] = a.begin ? none : a.queues[first + t];
		group[t] = a.label && u < a.n ? a.label[u] : -1;
	}
	float top[8];
	int slots[8];
	for (int i = 0; i < 8; i++) top[i] = -3e38f, slots[i] = -1;
	for (int p = a.from; p < a.to; p++) {
		__syncthreads(); // nobody reads the last panel any more
		float acc[8][4];
		scores<CITY>(a.packed + (size_t)panel * a.d * side, a.packed + (size_t)p * a.d * side, a.half + (size_t)p * side, a.d, room, acc);
#pragma unroll
		for (int i = 0; i < 8; i++)
#pragma unroll
			for (int j = 0; j < 4; j++) {
				if (!(acc[i][j] > top[i])) continue;
				int r = rowOf(i), slot = p * side + columnOf(j);
				if (slot == panel * side + r || a.label && a.label[slot] == group[r]) continue;
				top[i] = acc[i][j], slots[i] = slot;
			}
	}
	__syncthreads();
	for (int i = 0; i < 8; i++)
		if (slots[i] >= 0) atomicMin(&best[rowOf(i)], keyOf(top[i], slots[i]));
	__syncthreads();
	if (t >= side) return;
	if (a.end) answer(a, first + t, 0, best[t]);
	else a.queues[first + t] = best[t];
}

} // namespace

extern "C" __global__ void __launch_bounds__(128) cuslinkOne(BY_VALUE SelectArgs a) { selectOne<false>(a); }
extern "C" __global__ void __launch_bounds__(128) cuslinkOneCity(BY_VALUE SelectArgs a) { selectOne<true>(a); }
extern "C" __global__ void __launch_bounds__(128) cuslinkFew(BY_VALUE SelectArgs a) { select<false, 1>(a); }
extern "C" __global__ void __launch_bounds__(128) cuslinkFewCity(BY_VALUE SelectArgs a) { select<true, 1>(a); }
extern "C" __global__ void __launch_bounds__(128) cuslinkMany(BY_VALUE SelectArgs a) { select<false, 2>(a); }
extern "C" __global__ void __launch_bounds__(128) cuslinkManyCity(BY_VALUE SelectArgs a) { select<true, 2>(a); }
