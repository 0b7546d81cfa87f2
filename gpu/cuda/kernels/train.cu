// Steps of batch SOM and Lloyd's k-means over points that are on the device: the nearest landmark of each
// point, exact sums of the points of each landmark, and the neighbourhood of the map. All have the bits of the
// trainer on the processor.
//
// x is row-major, count x d floats, from the first point of the range; codebook is row-major g x d.
#include "train.cuh"

// ---- nearest

// A block finds the nearest landmarks of 128 points, 64 landmarks and 32 columns at a time from shared
// memory; a thread keeps the distances of 8 points to 4 landmarks in registers. Columns lie side by side
// there, so that a thread reads its points and landmarks as vectors of 4.
enum { nearPoints = 128, nearMarks = 64, nearDepth = 32, nearThreads = 256 };
enum { nearPointRow = nearPoints + 4, nearMarkRow = nearMarks + 4 };

// loadTile copies columns [0, depth) of rows points to tile[column * stride + row]; rows beyond limit
// become 0. 8 columns of 4 rows at a time: whole sectors of memory, and no two threads on one bank.
template <int rows, int stride>
__device__ __forceinline__ void loadTile(const float *from, int limit, int d, int depth, float *tile, int *bad) {
	int column = threadIdx.x % 8, row = threadIdx.x / 8;
	for (; column < depth; column += 8) {
#pragma unroll
		for (int r = 0; r < rows; r += nearThreads / 8) {
			float v = r + row < limit ? from[(long long)(r + row) * d + column] : 0;
			tile[column * stride + r + row] = v;
			if (bad && !(v - v == 0)) bad[r + row] = 1;
		}
	}
}

// winner64 returns the landmark with the least distance64 among those whose distance in float32 is not beyond limit, ties
// to the lower. The 32 threads of a warp share it.
__device__ inline int winner64(const float *x, int d, const float *codebook, int g, float limit) {
	double best = __longlong_as_double(0x7ff0000000000000ll);
	int at = 0x7fffffff;
	for (int m = threadIdx.x % 32; m < g; m += 32) {
		const float *l = codebook + (long long)m * d;
		float q = 0;
		for (int c = 0; c < d; c++) {
			float e = x[c] - l[c];
			q += e * e;
		}
		if (q > limit) continue;
		double s = distance64(x, l, d);
		if (s < best) best = s, at = m;
	}
	for (int w = 16; w > 0; w /= 2) {
		double s = __shfl_xor_sync(0xffffffffu, best, w);
		int m = __shfl_xor_sync(0xffffffffu, at, w);
		if (s < best || (s == best && m < at)) best = s, at = m;
	}
	return at;
}

// trainNearest writes to out the number of the landmark nearest to each point as train.Winner has it, -1 for points with
// NaN or Inf. Distances are sums of (x-L)^2 in float32 in the order of the columns; where the second least of a point is
// not beyond doubt, a warp decides.
// Blocks of 256 threads, one for 128 points.
extern "C" __global__ void __launch_bounds__(nearThreads, 2)
	trainNearest(const float *x, long long count, int d, const float *codebook, int g, int *out) {
	__shared__ float4 pointTile[nearDepth * nearPointRow / 4];
	__shared__ float4 markTile[nearDepth * nearMarkRow / 4];
	__shared__ int bad[nearPoints], found[nearPoints]; // found -2: two are near
	__shared__ float limits[nearPoints];
	float *points = reinterpret_cast<float *>(pointTile), *marks = reinterpret_cast<float *>(markTile);
	const float infinity = __int_as_float(0x7f800000);
	long long base = (long long)blockIdx.x * nearPoints;
	int rows = int(min((long long)nearPoints, count - base));
	x += base * d;
	int tx = threadIdx.x % 16, ty = threadIdx.x / 16; // landmarks 4 tx.., points 8 ty..
	float best[8], next[8]; // the least distance, and that of the others
	int id[8];
#pragma unroll
	for (int i = 0; i < 8; i++) best[i] = next[i] = infinity, id[i] = 0;
	if (threadIdx.x < nearPoints) bad[threadIdx.x] = 0;
	for (int m0 = 0; m0 < g; m0 += nearMarks) {
		float sum[8][4] = {};
		for (int k0 = 0; k0 < d; k0 += nearDepth) {
			int depth = min(int(nearDepth), d - k0);
			__syncthreads(); // the tiles before have been read
			if (m0 == 0 || d > nearDepth) // few columns stay
				loadTile<nearPoints, nearPointRow>(x + k0, rows, d, depth, points, m0 == 0 ? bad : nullptr);
			loadTile<nearMarks, nearMarkRow>(codebook + (long long)m0 * d + k0, g - m0, d, depth, marks, nullptr);
			__syncthreads();
#pragma unroll 4
			for (int k = 0; k < depth; k++) {
				float4 a = pointTile[k * (nearPointRow / 4) + 2 * ty], b = pointTile[k * (nearPointRow / 4) + 2 * ty + 1];
				float4 c = markTile[k * (nearMarkRow / 4) + tx];
				float p[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}, l[4] = {c.x, c.y, c.z, c.w};
#pragma unroll
				for (int i = 0; i < 8; i++)
#pragma unroll
					for (int j = 0; j < 4; j++) {
						float e = p[i] - l[j];
						sum[i][j] += e * e;
					}
			}
		}
		if (m0 + nearMarks > g) {
#pragma unroll
			for (int j = 0; j < 4; j++)
				if (m0 + 4 * tx + j >= g)
#pragma unroll
					for (int i = 0; i < 8; i++) sum[i][j] = infinity;
		}
#pragma unroll
		for (int i = 0; i < 8; i++) {
			float a = fminf(sum[i][0], sum[i][1]), b = fminf(sum[i][2], sum[i][3]), least = fminf(a, b);
			float more = fminf(fmaxf(sum[i][0], sum[i][1]), fmaxf(sum[i][2], sum[i][3]));
			next[i] = fminf(fminf(next[i], fmaxf(best[i], least)), fminf(more, fmaxf(a, b)));
			if (least < best[i]) {
				best[i] = least;
				int j = sum[i][0] == least ? 0 : sum[i][1] == least ? 1 : sum[i][2] == least ? 2 : 3;
				id[i] = m0 + 4 * tx + j;
			}
		}
	}
#pragma unroll
	for (int i = 0; i < 8; i++) {
		// Not negative, so the bits order as the numbers do.
		unsigned long long key = (unsigned long long)__float_as_uint(best[i]) << 32 | unsigned(id[i]);
#pragma unroll
		for (int w = 8; w > 0; w /= 2) {
			unsigned long long other = __shfl_xor_sync(0xffffffffu, key, w);
			float others = __shfl_xor_sync(0xffffffffu, next[i], w);
			float farther = __uint_as_float(unsigned((other < key ? key : other) >> 32));
			next[i] = fminf(fminf(next[i], others), farther);
			key = other < key ? other : key;
		}
		int p = 8 * ty + i;
		if (tx == 0) {
			float limit = d < 1 << 19 ? doubt(__uint_as_float(unsigned(key >> 32)), d) : infinity;
			limits[p] = limit;
			found[p] = bad[p] ? -1 : next[i] > limit ? int(unsigned(key)) : -2;
		}
	}
	__syncthreads();
	for (int p = threadIdx.x / 32; p < rows; p += nearThreads / 32) {
		if (found[p] != -2) continue;
		int m = winner64(x + (long long)p * d, d, codebook, g, limits[p]);
		if (threadIdx.x % 32 == 0) found[p] = m;
	}
	__syncthreads();
	if (threadIdx.x < rows) out[base + threadIdx.x] = found[threadIdx.x];
}

// ---- sums

// firstPlaces turns the numbers of points of the landmarks into where their points begin, and returns how
// many points there are. All 256 threads.
__device__ inline int firstPlaces(unsigned *start, int g) {
	__shared__ unsigned warps[8];
	int each = (g + 255) / 256, from = min(g, int(threadIdx.x) * each), to = min(g, from + each);
	unsigned own = 0;
	for (int m = from; m < to; m++) own += start[m];
	unsigned upTo = own;
	for (int w = 1; w < 32; w *= 2) {
		unsigned before = __shfl_up_sync(0xffffffffu, upTo, w);
		if (threadIdx.x % 32 >= w) upTo += before;
	}
	if (threadIdx.x % 32 == 31) warps[threadIdx.x / 32] = upTo;
	__syncthreads();
	unsigned at = upTo - own, all = 0;
	for (int w = 0; w < 8; w++) {
		if (w < threadIdx.x / 32) at += warps[w];
		all += warps[w];
	}
	for (int m = from; m < to; m++) {
		unsigned n = start[m];
		start[m] = at;
		at += n;
	}
	__syncthreads();
	return int(all);
}

__device__ __forceinline__ void flush(unsigned long long *high, unsigned long long *low, long long at, Fixed f) {
	if (f.high) atomicAdd(&high[at], (unsigned long long)f.high);
	if (f.low) atomicAdd(&low[at], (unsigned long long)f.low);
}

// sumsOf adds the points to the sums of their landmarks: g x d each of high and low parts in units of
// fixedExponent(largest[c]) less skip, and on the first pass counts. A block takes `share` points (at most 4096), sorts
// them by landmark, and adds up what belongs together before it goes to memory. The order within a landmark is
// left to chance: sums of integers do not depend on it. g is at most 4096. *more is set where something is left for
// another pass, or may be after the first. `lanes` threads side by side take the columns of a point: the least power of
// two that is at least min(d, 32).
template <bool first>
__device__ __forceinline__ void sumsOf(const float *x, long long count, int d, const int *bmu, int g, int share, int lanes,
	const float *largest, unsigned long long *high, unsigned long long *low, unsigned long long *counts, int skip,
	unsigned *more) {
	DYNAMIC_SHARED(unsigned, start);
	unsigned short *order = reinterpret_cast<unsigned short *>(start + g), *mark = order + share;
	long long base = (long long)blockIdx.x * share;
	int rows = int(min((long long)share, count - base));
	x += base * d;
	bmu += base;
	for (int m = threadIdx.x; m < g; m += 256) start[m] = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < rows; i += 256)
		if (bmu[i] >= 0) atomicAdd(&start[bmu[i]], 1u);
	__syncthreads();
	if (first && blockIdx.y == 0)
		for (int m = threadIdx.x; m < g; m += 256)
			if (start[m] > 0) atomicAdd(&counts[m], (unsigned long long)start[m]);
	__syncthreads();
	int valid = firstPlaces(start, g);
	for (int i = threadIdx.x; i < rows; i += 256) {
		int m = bmu[i];
		if (m >= 0) {
			unsigned p = atomicAdd(&start[m], 1u);
			order[p] = (unsigned short)i;
			mark[p] = (unsigned short)m;
		}
	}
	__syncthreads();
	int groups = 256 / lanes, part = (valid + groups - 1) / groups;
	int from = min(valid, int(threadIdx.x) / lanes * part), to = min(valid, from + part);
	unsigned left = 0;
	for (int c = blockIdx.y * 32 + threadIdx.x % lanes; c < d; c += 32 * gridDim.y) {
		int e = fixedExponent(largest[c]) - skip;
		float scale = fixedScale(first ? e : 0);
		unsigned least = fixedLeast(first ? e : 0);
		Fixed sum = {0, 0};
		int now = 0;
		for (int p = from; p < to; p += 4) {
			float v[4];
#pragma unroll
			for (int u = 0; u < 4; u++) v[u] = p + u < to ? x[(long long)order[p + u] * d + c] : 0; // in flight together
#pragma unroll
			for (int u = 0; u < 4; u++) {
				if (p + u >= to) break;
				int m = mark[p + u];
				if (m != now) {
					flush(high, low, (long long)now * d + c, sum);
					sum.high = sum.low = 0;
					now = m;
				}
				Fixed f = first ? fixedOf(v[u], scale) : restOf(v[u], e, left);
				if (first) left |= (__float_as_uint(v[u]) & 0x7fffffffu) - 1u < least;
				sum.high += f.high;
				sum.low += f.low;
			}
		}
		flush(high, low, (long long)now * d + c, sum);
	}	if (left) atomicOr(more, 1u);
}

// trainSums is the first pass.
// Blocks of 256 threads; those with the same blockIdx.x share the columns, 32 at a time. Dynamic shared
// memory: 4 g + 4 share bytes.
extern "C" __global__ void __launch_bounds__(256)
	trainSums(const float *x, long long count, int d, const int *bmu, int g, int share, int lanes, const float *largest,
			  unsigned long long *high, unsigned long long *low, unsigned long long *counts, unsigned *more) {
	sumsOf<true>(x, count, d, bmu, g, share, lanes, largest, high, low, counts, 0, more);
}

// trainRests is a later one, of what is below 2^-skip. Launched as trainSums.
extern "C" __global__ void __launch_bounds__(256)
	trainRests(const float *x, long long count, int d, const int *bmu, int g, int share, int lanes, const float *largest,
			   unsigned long long *high, unsigned long long *low, int skip, unsigned *more) {
	sumsOf<false>(x, count, d, bmu, g, share, lanes, largest, high, low, nullptr, skip, more);
}

// ---- the neighbourhood of a batch SOM

// trainSmooth writes for landmark i = blockIdx.x the sums over o, in their order, of h sums_o to out (g x d)
// and of h counts_o to weights (g), h = decline(q) at q = |pos_i - pos_o|^2 * inverse below reach, else 0. In
// float64. Blocks of 128 threads; blockIdx.y is which 128 columns.
extern "C" __global__ void __launch_bounds__(128)
	trainSmooth(const float *pos, int dims, int g, int d, double inverse, double reach, const double *sums,
				const long long *counts, double *out, double *weights) {
	__shared__ double h[128], n[128];
	long long i = blockIdx.x;
	int c = blockIdx.y * 128 + threadIdx.x;
	double sum = 0, weight = 0;
	for (int first = 0; first < g; first += 128) {
		int o = first + threadIdx.x;
		__syncthreads();
		h[threadIdx.x] = 0;
		if (o < g && counts[o] > 0) {
			double q = 0;
			for (int a = 0; a < dims; a++) {
				double e = double(pos[i * dims + a]) - double(pos[(long long)o * dims + a]);
				q = __dadd_rn(q, __dmul_rn(e, e));
			}
			q = __dmul_rn(q, inverse);
			if (q < reach) h[threadIdx.x] = decline(q);
			n[threadIdx.x] = double(counts[o]);
		}
		__syncthreads();
		int most = min(128, g - first);
		for (int j = 0; j < most; j++) {
			if (h[j] == 0) continue;
			weight = __dadd_rn(weight, __dmul_rn(h[j], n[j]));
			if (c < d) sum = __dadd_rn(sum, __dmul_rn(h[j], sums[(long long)(first + j) * d + c]));
		}
	}
	if (c < d) out[i * d + c] = sum;
	if (blockIdx.y == 0 && threadIdx.x == 0) weights[i] = weight;
}
