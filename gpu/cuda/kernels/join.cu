// The graph that joins points with their neighbours and with those whose neighbours they are, with a value for each pair:
// model/space/knn/join.go. Who has a point as a neighbour is counted, and put beside others who have it, in any order.
// Then the two lists of a point are sorted together: keys are different, so that the order in which threads ran is
// forgotten. Compiled without contraction: values have the bits of those on the host.
//
// Values of t-SNE are made here, too, as model/maps/tsne/conditional.go and exp.go say, in the same order.
#include "host.cuh"

struct JoinArgs {
	const int *index;   // n x stride, of which the first k of each count
	float *value;       // n x k
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
	// For t-SNE: by how much others are farther away than the nearest (n x stride), the perplexity, powers of two in
	// steps of a 64th, and of each point, or of each row that is written, a sum.
	const float *beyond;
	double perplexity;
	const double *roots;
	double *sums;
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

namespace {

const double ln2High = 0x1.62e42fefp-7, ln2Low = 0x1.473de6af278edp-40, sixtyfour = 0x1.71547652b82fep+6;

// power, exponential and logarithm are those of exp.go; x is not subnormal.
__device__ inline double power(double r) {
	double p = 1.0 / 24 + r * (1.0 / 120);
	p = 1.0 / 6 + r * p;
	p = 1.0 / 2 + r * p;
	p = 1 + r * p;
	return 1 + r * p;
}
__device__ inline double twoTo(int k) { return __longlong_as_double((long long)(1023 + k) << 52); }
__device__ inline double exponential(const double *roots, double x) {
	if (x > 710) return INFINITY;
	if (x < -746) return 0;
	double k = floor(x * sixtyfour + 0.5), r = x - k * ln2High - k * ln2Low;
	return ldexp(roots[(int)k & 63] * power(r), (int)k >> 6);
}
__device__ inline double logarithm(double x) {
	const double series[] = {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1};
	long long bits = __double_as_longlong(x);
	int k = (int)(bits >> 52) - 1022;
	double m = __longlong_as_double((bits & 0xfffffffffffffll) | 1022ll << 52);
	if (m < 0x1.6a09e667f3bcdp-1) m = 2 * m, k--;
	double s = (m - 1) / (m + 1), z = s * s, p = 1.0 / 23;
	for (double c : series) p = p * z + c;
	return k * 0x1.62e42fefa39efp-1 + 2 * s * p;
}

// weight is exp(-x), x >= 0, as weigh has it.
__device__ inline double weight(const double *roots, double x) {
	if (x > 706) return 0;
	int k = (int)(x * sixtyfour + 0.5);
	double r = k * ln2High - x + k * ln2Low;
	return roots[-k & 63] * power(r) * twoTo(-((k + 63) >> 6));
}

} // namespace

// joinWeigh makes the values of the neighbours of each point, and their sums: Conditional. A thread a point.
extern "C" __global__ void __launch_bounds__(128) joinWeigh(BY_VALUE JoinArgs a) {
	__shared__ double roots[64];
	if (threadIdx.x < 64) roots[threadIdx.x] = a.roots[threadIdx.x];
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= a.n) return;
	const float *beyond = a.beyond + (long long)i * a.stride;
	float *value = a.value + (long long)i * a.k;
	double u = a.perplexity, all = 0, mean = 0;
	float least = INFINITY;
	for (int j = 0; j < a.k; j++) least = fminf(least, beyond[j]);
	int nearest = 0;
	for (int j = 0; j < a.k; j++) {
		double d = (double)beyond[j] - least;
		if (d == 0) nearest++;
		mean += d;
	}
	mean /= a.k;
	double want = logarithm(u), lo = -INFINITY, hi = INFINITY, b = 0, s = 1;
	bool few = a.n <= 4, shared = nearest >= u || !(mean > 0);
	if (!few && !shared) {
		double log = logarithm(4 / mean);
		for (int round = 0;; round++) {
			b = exponential(roots, log);
			double sd = 0, sdd = 0;
			s = 0;
			for (int j = 0; j < a.k; j++) {
				double d = (double)beyond[j] - least, e = weight(roots, b * d);
				s += e;
				e *= d;
				sd += e;
				sdd += e * d;
			}
			double off = logarithm(s) + b * sd / s - want;
			if (fabs(off) <= 1e-9 || round == 60) break;
			if (off > 0) lo = log;
			else hi = log;
			double next = log + off / (b * b * (sdd / s - sd * sd / (s * s)));
			if (!(next > lo && next < hi)) next = hi == INFINITY ? lo + 1 : lo == -INFINITY ? hi - 1 : (lo + hi) / 2;
			log = next;
		}
	}
	for (int j = 0; j < a.k; j++) {
		double d = (double)beyond[j] - least;
		float v = (float)(few ? 1 / (double)(a.n - 1) : shared ? (d == 0 ? 1 / (double)nearest : 0) : weight(roots, b * d) / s);
		value[j] = v, all += v;
	}
	a.sums[i] = all;
}

// joinEntropy adds up v ln v of each row that is written. A warp a row; blocks of 128 threads.
extern "C" __global__ void __launch_bounds__(128) joinEntropy(BY_VALUE JoinArgs a) {
	long long r = (long long)blockIdx.x * 4 + threadIdx.x / 32;
	if (r >= a.rows) return;
	long long i = a.first + r;
	double sum = 0;
	for (long long e = a.start[i] - a.offset + threadIdx.x % 32; e < a.start[i + 1] - a.offset; e += 32)
		if (float v = a.out[e]; v >= 1.17549435e-38f) sum += v * logarithm(v);
	for (int w = 16; w >= 1; w /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, w);
	if (threadIdx.x % 32 == 0) a.sums[i] = sum;
}

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
