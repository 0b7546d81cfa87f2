// The order in which a map's points are kept: slot s holds the point of row rows[s]. Points near each other on the map
// lie near each other in memory then, and so do those that attract each other. Rows of P keep the order of their
// entries, so that sums over them keep their bits.
#include "tsne.cuh"

// places turns an order into its reverse: back[order[s]] = s.
extern "C" __global__ void slotsPlaces(int n, const int *order, int *back) {
	int s = blockIdx.x * blockDim.x + threadIdx.x;
	if (s < n) back[order[s]] = s;
}

// gather takes what slots have along: slot s gets that of slot order[s].
template <class T>
__device__ void gather(int n, const int *order, const T *y, const T *v, const T *gain, const unsigned char *held, T *toY, T *toV, T *toGain, unsigned char *toHeld) {
	int s = blockIdx.x * blockDim.x + threadIdx.x;
	if (s >= n) return;
	int from = order[s];
	toY[s] = y[from], toV[s] = v[from], toGain[s] = gain[from], toHeld[s] = held[from];
}
extern "C" __global__ void slotsGather2(int n, const int *order, const float2 *y, const float2 *v, const float2 *gain, const unsigned char *held, float2 *toY,
	float2 *toV, float2 *toGain, unsigned char *toHeld) {
	gather(n, order, y, v, gain, held, toY, toV, toGain, toHeld);
}
extern "C" __global__ void slotsGather3(int n, const int *order, const float4 *y, const float4 *v, const float4 *gain, const unsigned char *held, float4 *toY,
	float4 *toV, float4 *toGain, unsigned char *toHeld) {
	gather(n, order, y, v, gain, held, toY, toV, toGain, toHeld);
}

// move puts rows of P where their slots are now: row s is what row order[s] was. 8 threads a row. back, if not null, is
// the reverse of order, by which entries are renamed: else they are values, which stay.
template <class T>
__device__ void move(int n, const int *order, const int *back, const long long *start, const long long *fresh, const T *from, T *to) {
	int lane = threadIdx.x % lanes;
	long long s = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / lanes;
	if (s >= n) return;
	long long at = start[order[s]], count = fresh[s + 1] - fresh[s], put = fresh[s];
	for (long long k = lane; k < count; k += lanes) to[put + k] = back ? (T)back[(int)from[at + k]] : from[at + k];
}
extern "C" __global__ void __launch_bounds__(256) slotsColumns(int n, const int *order, const int *back, const long long *start, const long long *fresh,
	const int *from, int *to) {
	move(n, order, back, start, fresh, from, to);
}
extern "C" __global__ void __launch_bounds__(256) slotsValues(int n, const int *order, const long long *start, const long long *fresh, const float *from, float *to) {
	move<float>(n, order, nullptr, start, fresh, from, to);
}

// out writes places of slots by rows, without gaps; in does the reverse.
template <int D> __device__ void out(int n, const int *rows, const typename Stored<D>::type *from, float *to) {
	int s = blockIdx.x * blockDim.x + threadIdx.x;
	if (s >= n) return;
	Place<D> p = placeOf(from[s]);
	for (int c = 0; c < D; c++) to[(long long)D * rows[s] + c] = p.c[c];
}
extern "C" __global__ void slotsOut2(int n, const int *rows, const float2 *from, float *to) { out<2>(n, rows, from, to); }
extern "C" __global__ void slotsOut3(int n, const int *rows, const float4 *from, float *to) { out<3>(n, rows, from, to); }

template <int D> __device__ void in(int n, const int *rows, const float *from, typename Stored<D>::type *to) {
	int s = blockIdx.x * blockDim.x + threadIdx.x;
	if (s >= n) return;
	Place<D> p;
	for (int c = 0; c < D; c++) p.c[c] = from[(long long)D * rows[s] + c];
	put(to + s, p);
}
extern "C" __global__ void slotsIn2(int n, const int *rows, const float *from, float2 *to) { in<2>(n, rows, from, to); }
extern "C" __global__ void slotsIn3(int n, const int *rows, const float *from, float4 *to) { in<3>(n, rows, from, to); }
