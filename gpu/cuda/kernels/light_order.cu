// Points put into an order in which neighbours are near each other, in blocks, and all that the filter knows of them: see
// model/linkage, order.go and layout.go. Parts are split at the median along the direction in which a sample of their
// points varies the most, until they are blocks: a level is directions, keys, and a stable sort (tsne_sort.cu).
#include "light.cuh"

struct OrderArgs {
	const float *x;
	const int *row;       // of each point, that of the table
	const double *from;   // of each point: its length, for cosine, or its core
	int n, d, blocks, metric;
	const int *start;     // of parts and one more, in blocks
	const int *part;      // of blocks
	float *mean, *way;    // of parts, d of each
	unsigned long long *key;
	int *order;           // of places, the point
	int *place;           // of places, the row
	double *to;
	const double *centred, *norm; // the mean of the filter's space, d, or null; of places their lengths
	double *sums;         // of columns, by blocks of threads; or the longest
	double scale;
	float *packed, *half, *length, *centre, *centreHalf, *centreLength, *centreCols, *radius, *longest;
};

namespace {

enum { sample = 96, rounds = 4 };

__device__ inline float sum32(float v) {
	for (int w = 16; w >= 1; w /= 2) v += __shfl_xor_sync(0xffffffffu, v, w);
	return v;
}

// value is coordinate c of a place in the filter's space, before the mean goes and the scale comes.
__device__ inline double value(const OrderArgs &o, const float *x, int place, int c) { return o.norm ? (double)x[c] / o.norm[place] : (double)x[c]; }
__device__ inline const float *values(const OrderArgs &o, int place) { return o.x + (size_t)o.place[place] * o.d; }

// unite makes the way of a part of length 1, or, if there is none that float32 holds, that of the first column.
__device__ inline void unite(float *v, int d) {
	__shared__ double parts[16];
	int t = threadIdx.x;
	double s = 0;
	for (int c = t; c < d; c += blockDim.x) s += (double)v[c] * v[c];
	for (int w = 16; w >= 1; w /= 2) s += __shfl_xor_sync(0xffffffffu, s, w);
	if (t % 32 == 0) parts[t / 32] = s;
	__syncthreads();
	s = 0;
	for (int w = 0; w < (int)blockDim.x / 32; w++) s += parts[w];
	s = sqrt(s);
	for (int c = t; c < d; c += blockDim.x) v[c] = s > 0 && s < INFINITY ? (float)(v[c] / s) : c == 0;
	__syncthreads();
}

} // namespace

// orderStart: every point is at the place of its number.
extern "C" __global__ void __launch_bounds__(256) orderStart(BY_VALUE OrderArgs o) {
	int i = blockIdx.x * 256 + threadIdx.x;
	if (i < o.n) o.order[i] = i;
}

// orderWay finds the direction of a part, a block of up to 512 threads for each, by the power method.
extern "C" __global__ void __launch_bounds__(512) orderWay(BY_VALUE OrderArgs o) {
	__shared__ float along[sample];
	__shared__ int rows[sample];
	int t = threadIdx.x, all = blockDim.x, lane = t % 32, warp = t / 32, warps = all / 32, d = o.d, from = o.start[blockIdx.x] * side, to = min(o.n, o.start[blockIdx.x + 1] * side);
	if (to - from <= side) return;
	int n = min(to - from, (int)sample);
	float *mean = o.mean + (size_t)blockIdx.x * d, *way = o.way + (size_t)blockIdx.x * d;
#define ROW(i) (o.x + (size_t)rows[i] * d)
	for (int i = t; i < n; i += all) rows[i] = o.row[o.order[from + (int)((long long)i * (to - from) / n)]];
	__syncthreads();
	for (int c = t; c < d; c += all) {
		float s = 0;
		for (int i = 0; i < n; i++) s += ROW(i)[c] / n;
		mean[c] = s;
	}
	__syncthreads();
	for (int i = warp; i < n; i += warps) {
		const float *x = ROW(i);
		float s = 0;
		for (int c = lane; c < d; c += 32) s += (x[c] - mean[c]) * (x[c] - mean[c]);
		s = sum32(s);
		if (lane == 0) along[i] = s;
	}
	__syncthreads();
	int far = 0;
	for (int i = 1; i < n; i++)
		if (along[i] > along[far]) far = i;
	const float *x = ROW(far);
	for (int c = t; c < d; c += all) way[c] = x[c] - mean[c];
	__syncthreads();
	for (int r = 0; r < rounds; r++) {
		unite(way, d);
		for (int i = warp; i < n; i += warps) {
			const float *x = ROW(i);
			float s = 0;
			for (int c = lane; c < d; c += 32) s += (x[c] - mean[c]) * way[c];
			s = sum32(s);
			if (lane == 0) along[i] = s;
		}
		__syncthreads();
		for (int c = t; c < d; c += all) {
			float s = 0;
			for (int i = 0; i < n; i++) s += along[i] * (ROW(i)[c] - mean[c]);
			way[c] = s;
		}
		__syncthreads();
	}
	unite(way, d);
#undef ROW
}

// orderKeys: how far a point is along the direction of its part. A warp a place.
extern "C" __global__ void __launch_bounds__(256) orderKeys(BY_VALUE OrderArgs o) {
	int i = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
	if (i >= o.n) return;
	int part = o.part[i / side];
	bool whole = o.start[part + 1] - o.start[part] < 2; // it is a block
	const float *x = o.x + (size_t)o.row[o.order[i]] * o.d, *way = o.way + (size_t)part * o.d;
	float s = 0;
	for (int c = lane; c < o.d && !whole; c += 32) s += x[c] * way[c];
	s = sum32(s);
	if (lane == 0) o.key[i] = (unsigned long long)part << 32 | ordered(s);
}

// orderPlaces: the row of each place; orderGather: what each place has of the numbers of points.
extern "C" __global__ void __launch_bounds__(256) orderPlaces(BY_VALUE OrderArgs o) {
	int i = blockIdx.x * 256 + threadIdx.x;
	if (i < o.n) o.place[i] = o.row[o.order[i]];
}
extern "C" __global__ void __launch_bounds__(256) orderGather(BY_VALUE OrderArgs o) {
	int i = blockIdx.x * 256 + threadIdx.x;
	if (i < o.n) o.to[i] = o.from[o.order[i]];
}

// orderSums adds columns up, each block of 256 threads those of its share of the places.
extern "C" __global__ void __launch_bounds__(256) orderSums(BY_VALUE OrderArgs o) {
	int from = (int)((long long)o.n * blockIdx.x / gridDim.x), to = (int)((long long)o.n * (blockIdx.x + 1) / gridDim.x);
	for (int c = threadIdx.x; c < o.d; c += 256) {
		double s = 0;
		for (int i = from; i < to; i++) s += value(o, values(o, i), i, c);
		o.sums[(size_t)blockIdx.x * o.d + c] = s;
	}
}

// orderLongest finds the most that a place is from the mean, squared or, for L1, as a sum. A warp a place.
extern "C" __global__ void __launch_bounds__(256) orderLongest(BY_VALUE OrderArgs o) {
	int lane = threadIdx.x % 32;
	double most = 0;
	for (int i = blockIdx.x * 8 + threadIdx.x / 32; i < o.n; i += gridDim.x * 8) {
		const float *x = values(o, i);
		double s = 0;
		for (int c = lane; c < o.d; c += 32) {
			double v = value(o, x, i, c) - o.centred[c];
			s += o.metric == CITY ? fabs(v) : v * v;
		}
		for (int w = 16; w >= 1; w /= 2) s += __shfl_xor_sync(0xffffffffu, s, w);
		most = fmax(most, s);
	}
	if (lane == 0) atomicMax((unsigned long long *)o.sums, (unsigned long long)__double_as_longlong(most));
}

namespace {

__device__ inline double part(const OrderArgs &o, double v) { return o.metric == CITY ? fabs(v) : v * v; }
__device__ inline double lengthOf(const OrderArgs &o, double s) { return o.metric == CITY ? s : sqrt(s); }

} // namespace

// orderPack copies a block of points and finds its centre and radius. 64 threads.
extern "C" __global__ void __launch_bounds__(64) orderPack(BY_VALUE OrderArgs o) {
	__shared__ double parts[side];
	__shared__ float lengths[side];
	int b = blockIdx.x, t = threadIdx.x, d = o.d, i = b * side + t, many = min((int)side, o.n - b * side);
	float *panel = o.packed + (size_t)b * d * side, *centre = o.centre + (size_t)b * d;
	bool there = t < many;
	double s = 0;
	const float *x = there ? values(o, i) : o.x;
	for (int c = 0; c < d; c++) {
		float v = there ? (float)((value(o, x, i, c) - o.centred[c]) * o.scale) : 0;
		panel[(size_t)c * side + t] = v;
		s += part(o, v);
	}
	float length = there ? fmaxf(shortest, up(lengthOf(o, s) * (1 + 1e-7))) : 0;
	o.half[i] = !there ? INFINITY : o.metric == CITY ? 0 : (float)(s / 2);
	o.length[i] = length;
	lengths[t] = length;
	__syncthreads();
	s = 0;
	for (int c = t; c < d; c += side) {
		double sum = 0;
		for (int k = 0; k < many; k++) sum += panel[(size_t)c * side + k];
		float v = (float)(sum / many);
		centre[c] = v;
		o.centreCols[((size_t)(b / side) * d + c) * side + b % side] = v;
		s += part(o, v);
	}
	parts[t] = s;
	__syncthreads();
	if (t == 0) {
		float longest = 0;
		s = 0;
		for (int k = 0; k < side; k++) s += parts[k], longest = fmaxf(longest, lengths[k]);
		o.centreHalf[b] = o.metric == CITY ? 0 : (float)(s / 2);
		o.centreLength[b] = fmaxf(shortest, up(lengthOf(o, s) * (1 + 1e-7)));
		o.longest[b] = longest;
	}
	__syncthreads();
	s = 0;
	for (int c = 0; c < d && there; c++) s += part(o, (double)panel[(size_t)c * side + t] - (double)centre[c]);
	parts[t] = there ? lengthOf(o, s) * (1 + 1e-9) + 0x1.1p-24 * (double)length : 0;
	__syncthreads();
	if (t > 0) return;
	double radius = 0;
	for (int k = 0; k < side; k++) radius = fmax(radius, parts[k]);
	o.radius[b] = up(radius);
}
