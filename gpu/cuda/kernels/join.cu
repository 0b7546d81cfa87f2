// The graph that joins points with their neighbours and with those whose neighbours they are, with a value for each pair:
// model/space/knn/join.go. Who has a point as a neighbour is counted, and put beside others who have it, in any order.
// Then the two lists of a point are sorted together: keys are different, so that the order in which threads ran is
// forgotten. Compiled without contraction: values have the bits of those on the host.
#include "host.cuh"

struct JoinArgs {
	const int *index;   // n x stride, of which the first k of each count
	const float *value; // n x k
	int n, k, stride;
	int *count;             // n: of those who have a point as a neighbour
	const long long *begin; // n + 1: where those are in from and with
	int *from;
	float *with;
	// Rows from first on, so many, or of a list. They may have so many keys; others are left out.
	const int *list;
	int first, rows, room;
	unsigned long long *keys; // room for the keys of each, where shared memory is too small
	int *length;              // n: of rows, which are found where start is null; else rows are written
	const long long *start;   // n + 1: where rows begin in all of the graph; number offset of that goes to column[0]
	long long offset;
	int *column;
	float *out;
	double over; // see Blend
};

namespace {

typedef unsigned long long Key; // neighbour, then 1 bit for who has the point as one, then the place in its list

enum { tile = 256 };

template <int T> __device__ inline void together() {
	if (T == 32) __syncwarp();
	else __syncthreads();
}

// sort sorts a power of two of keys by T threads: K. E. Batcher's bitonic network, 1968.
template <int T> __device__ void sort(Key *keys, int size, int t) {
	for (int width = 2; width <= size; width *= 2)
		for (int apart = width / 2; apart > 0; apart /= 2) {
			together<T>();
			for (int i = t; i < size / 2; i += T) {
				int a = 2 * i - (i & (apart - 1)), b = a + apart;
				Key x = keys[a], y = keys[b];
				if ((x > y) == ((a & width) == 0)) keys[a] = y, keys[b] = x;
			}
		}
	together<T>();
}

// rank is how many threads before this one want a place, and all how many do.
template <int T> __device__ inline int rank(bool wants, int t, int &all) {
	unsigned mask = __ballot_sync(0xffffffffu, wants), lane = t % 32;
	int before = __popc(mask & ((1u << lane) - 1));
	if (T == 32) {
		all = __popc(mask);
		return before;
	}
	__shared__ int warps[T / 32];
	__syncthreads(); // nobody is at the last ones any more
	if (lane == 0) warps[t / 32] = __popc(mask);
	__syncthreads();
	all = 0;
	for (int w = 0; w < T / 32; w++) {
		if (w < t / 32) before += warps[w];
		all += warps[w];
	}
	return before;
}

// row makes row i by T threads, if it has no more keys than there is room for.
template <int T> __device__ void row(const JoinArgs &a, int i, Key *keys, int t) {
	const int *index = a.index + (long long)i * a.stride;
	const float *value = a.value + (long long)i * a.k;
	long long others = a.begin[i];
	long long all = a.k + a.begin[i + 1] - others;
	if (all > a.room) return;
	int length = (int)all, size = 32;
	while (size < length) size *= 2;
	for (int p = t; p < size; p += T) {
		Key key = ~0ull;
		if (p < a.k) key = (Key)(unsigned)index[p] << 32 | (unsigned)p;
		else if (p < length) key = (Key)(unsigned)a.from[others + p - a.k] << 32 | 1u << 31 | (unsigned)(p - a.k);
		keys[p] = key;
	}
	sort<T>(keys, size, t);
	long long to = a.start ? a.start[i] - a.offset : 0;
	for (int base = 0; base < length; base += T) {
		int p = base + t;
		bool stays = false;
		Key key = p < length ? keys[p] : 0;
		float v = 0;
		if (p < length && (p == 0 || keys[p - 1] >> 32 != key >> 32)) {
			bool mine = !(key >> 31 & 1);
			bool both = mine && p + 1 < length && keys[p + 1] >> 32 == key >> 32;
			unsigned place = (unsigned)key & 0x7fffffffu, next = both ? (unsigned)keys[p + 1] & 0x7fffffffu : 0;
			double x = mine ? value[place] : 0, y = !mine ? a.with[others + place] : both ? a.with[others + next] : 0;
			v = (float)(a.over > 0 ? (x + y) / a.over : x + y - x * y);
			stays = a.over > 0 || v > 0;
		}
		int count, before = rank<T>(stays, t, count);
		if (stays && a.start) a.column[to + before] = (int)(key >> 32), a.out[to + before] = v;
		to += count;
	}
	if (t == 0 && !a.start) a.length[i] = (int)to;
}

} // namespace

// joinCount counts who has each point as a neighbour. A thread a neighbour.
extern "C" __global__ void __launch_bounds__(256) joinCount(BY_VALUE JoinArgs a) {
	long long e = (long long)blockIdx.x * blockDim.x + threadIdx.x;
	if (e >= (long long)a.n * a.k) return;
	unsigned j = a.index[e / a.k * a.stride + e % a.k];
	if (j < (unsigned)a.n) atomicAdd(&a.count[j], 1);
}

// joinPlace puts them beside each other; counts go back to 0.
extern "C" __global__ void __launch_bounds__(256) joinPlace(BY_VALUE JoinArgs a) {
	long long e = (long long)blockIdx.x * blockDim.x + threadIdx.x;
	if (e >= (long long)a.n * a.k) return;
	unsigned j = a.index[e / a.k * a.stride + e % a.k];
	if (j >= (unsigned)a.n) return;
	long long to = a.begin[j] + atomicAdd(&a.count[j], -1) - 1;
	a.from[to] = (int)(e / a.k), a.with[to] = a.value[e];
}

// joinShort makes rows of at most 512 keys, a warp each; blocks of 128 threads.
extern "C" __global__ void __launch_bounds__(128) joinShort(BY_VALUE JoinArgs a) {
	__shared__ Key keys[4][512];
	long long r = (long long)blockIdx.x * 4 + threadIdx.x / 32;
	if (r < a.rows) row<32>(a, a.first + (int)r, keys[threadIdx.x / 32], threadIdx.x % 32);
}

// joinLong makes rows of a list of at most 4096 keys, a block of 256 threads each.
extern "C" __global__ void __launch_bounds__(256) joinLong(BY_VALUE JoinArgs a) {
	__shared__ Key keys[4096];
	row<tile>(a, a.list[a.first + blockIdx.x], keys, threadIdx.x);
}

// joinVast makes rows of a list of any number of keys.
extern "C" __global__ void __launch_bounds__(256) joinVast(BY_VALUE JoinArgs a) {
	row<tile>(a, a.list[a.first + blockIdx.x], a.keys + (size_t)blockIdx.x * a.room, threadIdx.x);
}
