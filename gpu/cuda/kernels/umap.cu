// Sub-steps of UMAP: see model/maps/umap/device.go for what one does, and gpu/cpu/native/umap_pull.h for the same on a
// processor. A point gathers what moves it from where all points were. So many lanes share it: of each row of edges they
// pick, side by side, those that act now, and then the edges picked and the points drawn for them are dealt to the lanes,
// as both need p = a s^b:
//
//	edge: 2 clip(-2b p / (s (1+p)) r)        drawn: clip(2b / ((0.001+s)(1+p)) r)
//
// No sum depends on the order in which threads run, nor on other points: those of the lanes are added by a tree of a fixed
// shape.
#include "places.cuh"

enum {
	parts = 4,  // umap.Parts
	lanes = 16, // of a point: rows have some twenty edges, of which two act in a sub-step, for each of which five are drawn
	picks = lanes / parts,
	room = 4 * picks, // of edges that were picked
	threads = 256
};

// Epoch is what is the same for all points in a sub-step; a stands for its logarithm to the base of 2.
struct Epoch {
	float a, b, alpha;
	unsigned epoch, part, negatives, one, two;
};

// drawn is a point of n: umap.Drawn.
__device__ inline int drawn(unsigned x, unsigned one, unsigned two, int n) {
	x ^= one;
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= two;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return (int)__umulhi(x ^ x >> 16, (unsigned)n);
}

// power is 2^a t^b, to 1e-6 of it, and at most 2^60; t is positive and normal.
__device__ inline float power(float t, float a, float b) {
	int bits = __float_as_int(t), e = ((bits + (0x3f800000 - 0x3f3504f3)) >> 23) - 127; // from sqrt(1/2) to sqrt(2) it is 2^0
	float f = __int_as_float(bits - e * (1 << 23)) - 1;
	float l = 0.16818659f; // log2(1+f) / f
	l = fmaf(l, f, -0.26796386f);
	l = fmaf(l, f, 0.29611957f);
	l = fmaf(l, f, -0.35952446f);
	l = fmaf(l, f, 0.48061311f);
	l = fmaf(l, f, -0.72136021f);
	l = fmaf(l, f, 1.44269657f);
	float x = fmaf(b, fmaf(l, f, (float)e), a);
	x = fmaxf(-120, fminf(60, x));
	int n = __float2int_rn(x);
	f = x - (float)n;
	float p = 1.33908633e-3f; // 2^f
	p = fmaf(p, f, 9.67603177e-3f);
	p = fmaf(p, f, 5.55035695e-2f);
	p = fmaf(p, f, 2.40221068e-1f);
	p = fmaf(p, f, 6.93147182e-1f);
	p = fmaf(p, f, 1);
	return __int_as_float(__float_as_int(p) + n * (1 << 23));
}

// apart is how point i is pushed from a point j on its spot: umap.Apart. Seldom.
template <int D> __device__ inline void apart(int i, int j, float (&push)[D]) {
	unsigned h = (unsigned)min(i, j) ^ 0x9e3779b9u;
	h ^= h >> 16, h *= 0x7feb352du, h ^= (unsigned)max(i, j), h ^= h >> 15, h *= 0x846ca68bu, h ^= h >> 16;
	float square = 0;
#pragma unroll
	for (int c = 0; c < D; c++) {
		push[c] = (float)(int)(h >> (10 * c) & 1023) - 511.5f;
		square += push[c] * push[c]; // exactly
	}
	float f = (i < j ? 4 : -4) / sqrtf(square);
#pragma unroll
	for (int c = 0; c < D; c++) push[c] *= f;
}

// act adds what point j does to point i, by an edge or as one that was drawn.
template <int D>
__device__ inline void act(const typename Stored<D>::type *y, const Epoch &p, int i, const Place<D> &own, int j, bool edge, float (&sum)[D]) {
	Place<D> other = placeOf(__ldg(y + j));
	float r[D], s = 0;
#pragma unroll
	for (int c = 0; c < D; c++) r[c] = own.c[c] - other.c[c], s = fmaf(r[c], r[c], s);
	if (s == 0) {
		if (edge || j == i) return;
		float push[D];
		apart<D>(i, j, push);
#pragma unroll
		for (int c = 0; c < D; c++) sum[c] += push[c];
		return;
	}
	float t = fmaxf(s, 1e-30f); // smaller ones have no logarithm
	float q = power(t, p.a, p.b), twice = 2 * p.b, often = edge ? 2 : 1;
	float under = (edge ? t : 1e-3f + s) * (1 + q);
	float f = (edge ? -(twice * q) : twice) * (under < 1e37f ? reciprocal(under) : 0);
#pragma unroll
	for (int c = 0; c < D; c++) sum[c] = fmaf(often, fminf(4, fmaxf(-4, f * r[c])), sum[c]);
}

template <int D>
__device__ inline void pull(int n, const typename Stored<D>::type *y, typename Stored<D>::type *next, const float *loose, const long long *start,
	const int *column, const unsigned *rate, const Epoch &p) {
	const unsigned all = 0xffffffffu, ours = (1u << lanes) - 1;
	__shared__ int queues[threads / lanes][room]; // edges that were picked, by their places in the row
	int lane = threadIdx.x % lanes, shift = threadIdx.x % 32 - lane, *queue = queues[threadIdx.x / lanes];
	long long at = (long long)blockIdx.x * (threads / lanes) + threadIdx.x / lanes; // all lanes of a warp stay for its votes
	int i = (int)min(at, (long long)n - 1);
	Place<D> own = placeOf(__ldg(y + i));
	float alpha = p.alpha * loose[i], sum[D] = {};
	long long first = start[i];
	int end = at < n && alpha > 0 ? (int)(start[i + 1] - first) : 0, held = 0;
	unsigned counter = (unsigned)first * p.negatives, turn = p.epoch % parts;
	rate += first, column += first;
	unsigned ahead = lane < end ? __ldcs(rate + lane) : 0; // what comes by once is not to take the places' room in the cache
	for (int e = 0; __any_sync(all, e < end); e += lanes) {
		unsigned r = ahead;
		ahead = e + lanes + lane < end ? __ldcs(rate + e + lanes + lane) : 0;
		bool acts = e + lane < end && p.epoch * (r + 1) <= r;
		unsigned acting = __ballot_sync(all, acts) >> shift & ours, before = acting & ((1u << lane) - 1);
		bool pick = acts && (turn + __popc(before)) % parts == p.part;
		unsigned picked = __ballot_sync(all, pick) >> shift & ours;
		if (pick) queue[held + __popc(picked & ((1u << lane) - 1))] = e + lane;
		held += __popc(picked), turn = (turn + __popc(acting)) % parts;
		__syncwarp();
		if (held > room - picks || e + lanes >= end) {
			int count = held * (1 + (int)p.negatives);
			for (int k = lane; k < count; k += lanes) {
				bool edge = k < held;
				act<D>(y, p, i, own, edge ? __ldcs(column + queue[k]) : drawn(counter + (unsigned)(k - held), p.one, p.two, n), edge, sum);
			}
			counter += (unsigned)held * p.negatives, held = 0;
		}
		__syncwarp();
	}
#pragma unroll
	for (int w = lanes / 2; w > 0; w /= 2)
#pragma unroll
		for (int c = 0; c < D; c++) sum[c] += __shfl_xor_sync(all, sum[c], w);
	if (at >= n || lane != 0) return;
#pragma unroll
	for (int c = 0; c < D; c++) own.c[c] = fmaf(alpha, sum[c], own.c[c]);
	put(next + i, own);
}

#define PULL(D, T)                                                                                                                         \
	extern "C" __global__ void __launch_bounds__(256) umapPull##D(int n, const T *y, T *next, const float *loose, const long long *start,    \
		const int *column, const unsigned *rate, float a, float b, float alpha, unsigned epoch, unsigned part, unsigned negatives, unsigned one, \
		unsigned two) {                                                                                                                        \
		pull<D>(n, y, next, loose, start, column, rate, {a, b, alpha, epoch, part, negatives, one, two});                                      \
	}
PULL(2, float2)
PULL(3, float4)

// pin says how much the steps of points count, and puts them at places, as stored, where there are any. ids are different.
template <class T> __device__ void pin(int count, const int *ids, const T *places, const float *counts, T *y, float *loose) {
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k >= count) return;
	loose[ids[k]] = counts[k];
	if (places) y[ids[k]] = places[k];
}
extern "C" __global__ void umapPin2(int count, const int *ids, const float2 *places, const float *counts, float2 *y, float *loose) {
	pin(count, ids, places, counts, y, loose);
}
extern "C" __global__ void umapPin3(int count, const int *ids, const float4 *places, const float *counts, float4 *y, float *loose) {
	pin(count, ids, places, counts, y, loose);
}

// umapPack makes places in space of three numbers each.
extern "C" __global__ void umapPack(int n, const float4 *from, float *to) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) packPlace(i, from, to);
}
