// Steps of batch SOM and Lloyd's k-means over points that are on the device: the nearest landmark of each
// point, exact sums of the points of each landmark, and the neighbourhood of the map.
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

// trainNearest writes to out the number of the landmark nearest to each point, ties to the lower, -1 for
// points with NaN or Inf. Distances are sums of (x-L)^2 in float32 in the order of the columns.
// Blocks of 256 threads, one for 128 points.
extern "C" __global__ void __launch_bounds__(nearThreads, 2)
	trainNearest(const float *x, long long count, int d, const float *codebook, int g, int *out) {
	__shared__ float4 pointTile[nearDepth * nearPointRow / 4];
	__shared__ float4 markTile[nearDepth * nearMarkRow / 4];
	__shared__ int bad[nearPoints], found[nearPoints]; // found -2: too far for float32
	float *points = reinterpret_cast<float *>(pointTile), *marks = reinterpret_cast<float *>(markTile);
	const float infinity = __int_as_float(0x7f800000);
	long long base = (long long)blockIdx.x * nearPoints;
	int rows = int(min((long long)nearPoints, count - base));
	x += base * d;
	int tx = threadIdx.x % 16, ty = threadIdx.x / 16; // landmarks 4 tx.., points 8 ty..
	float best[8];
	int id[8];
#pragma unroll
	for (int i = 0; i < 8; i++) best[i] = infinity, id[i] = 0;
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
			float least = fminf(fminf(sum[i][0], sum[i][1]), fminf(sum[i][2], sum[i][3]));
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
			key = other < key ? other : key;
		}
		int p = 8 * ty + i;
		if (tx == 0) found[p] = bad[p] ? -1 : unsigned(key >> 32) == 0x7f800000u ? -2 : int(unsigned(key));
	}
	__syncthreads();
	int p = threadIdx.x;
	if (p < rows) {
		int m = found[p];
		out[base + p] = m == -2 ? nearestFar(x + (long long)p * d, d, codebook, g) : m;
	}
}

// ---- sums

// In both kernels `lanes` threads side by side take the columns of a point: the least power of two that is
// at least min(d, 32).

// trainLargest raises largest[c] to the bits of the largest magnitude in column c of the points with a
// landmark. Blocks of 256 threads; blockIdx.y is which 32 columns.
extern "C" __global__ void __launch_bounds__(256)
	trainLargest(const float *x, long long count, int d, const int *bmu, int lanes, unsigned *largest) {
	__shared__ unsigned all[256];
	int c = blockIdx.y * 32 + threadIdx.x % lanes, groups = 256 / lanes;
	unsigned most = 0;
	if (c < d)
		for (long long i = (long long)blockIdx.x * groups + threadIdx.x / lanes; i < count; i += (long long)gridDim.x * groups)
			if (bmu[i] >= 0) most = max(most, __float_as_uint(x[i * d + c]) & 0x7fffffffu);
	all[threadIdx.x] = most;
	__syncthreads();
	for (int half = 128; half >= lanes; half /= 2) {
		if (threadIdx.x < half) all[threadIdx.x] = max(all[threadIdx.x], all[threadIdx.x + half]);
		__syncthreads();
	}
	if (threadIdx.x < lanes && c < d && all[threadIdx.x] > 0) atomicMax(&largest[c], all[threadIdx.x]);
}

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

// trainSums adds the points to the sums of their landmarks: g x d each of high and low parts in units of
// fixedExponent(largest[c]), and counts. A block takes `share` points (at most 4096), sorts them by
// landmark, and adds up what belongs together before it goes to memory. The order within a landmark is
// left to chance: sums of integers do not depend on it. g is at most 4096.
// Blocks of 256 threads; those with the same blockIdx.x share the columns, 32 at a time. Dynamic shared
// memory: 4 g + 4 share bytes.
extern "C" __global__ void __launch_bounds__(256)
	trainSums(const float *x, long long count, int d, const int *bmu, int g, int share, int lanes, const unsigned *largest,
			  unsigned long long *high, unsigned long long *low, unsigned long long *counts) {
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
	if (blockIdx.y == 0)
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
	for (int c = blockIdx.y * 32 + threadIdx.x % lanes; c < d; c += 32 * gridDim.y) {
		float scale = fixedScale(fixedExponent(largest[c]));
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
				Fixed f = fixedOf(v[u], scale);
				sum.high += f.high;
				sum.low += f.low;
			}
		}
		flush(high, low, (long long)now * d + c, sum);
	}
}

// ---- the neighbourhood of a batch SOM

// trainSmooth writes for landmark i = blockIdx.x the sums over o, in their order, of h sums_o to out (g x d)
// and of h counts_o to weights (g), h = exp(-q) at q = |pos_i - pos_o|^2 * inverse below reach, else 0. In
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
				q += e * e;
			}
			q *= inverse;
			if (q < reach) h[threadIdx.x] = exp(-q);
			n[threadIdx.x] = double(counts[o]);
		}
		__syncthreads();
		int most = min(128, g - first);
		for (int j = 0; j < most; j++) {
			if (h[j] == 0) continue;
			weight += h[j] * n[j];
			if (c < d) sum += h[j] * sums[(long long)(first + j) * d + c];
		}
	}
	if (c < d) out[i * d + c] = sum;
	if (blockIdx.y == 0 && threadIdx.x == 0) weights[i] = weight;
}
