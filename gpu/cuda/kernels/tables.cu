// Tables that depend on the codebook alone, rebuilt when it moves.
//
//	prepare   its centre and scale
//	pairs     1/(2 |L_j-L_i|^2) of all pairs of landmarks, as a triangle, and the largest of each landmark
//
// Nothing is tabled that depends on positions: log2 of a distance on the map costs less than looking it up.
#include "layout.cuh"

__device__ inline double fromXor(double v, int mask) {
	long long bits = __double_as_longlong(v);
	int low = __shfl_xor_sync(0xffffffffu, (int)bits, mask), high = __shfl_xor_sync(0xffffffffu, (int)(bits >> 32), mask);
	return __longlong_as_double((long long)high << 32 | (unsigned)low);
}

// prepare: one block of 1024 threads. mean has dp floats, the rest after d is 0.
extern "C" __global__ void __launch_bounds__(1024) prepare(const float *codebook, int g, int d, int dp, Centre *centre, float *mean) {
	__shared__ double part[1024];
	int t = threadIdx.x;
	// every thread keeps to one column, and the block reads the codebook from one end to the other
	for (int c0 = 0; c0 < dp; c0 += 1024) {
		int columns = dp - c0 < 1024 ? dp - c0 : 1024, groups = 1024 / columns;
		int c = c0 + t % columns, group = t / columns;
		double s = 0;
		if (group < groups && c < d)
#pragma unroll 8
			for (int i = group; i < g; i += groups) s += codebook[(size_t)i * d + c];
		part[t] = s;
		__syncthreads();
		if (t < columns) {
			s = 0;
			for (int i = 0; i < groups; i++) s += part[i * columns + t];
			mean[c] = c < d ? (float)(s / g) : 0;
		}
		__syncthreads();
	}
	// four lanes share a landmark
	int lane = t & 3;
	double most = 0;
	for (int i0 = 0; i0 < g; i0 += 256) {
		int i = i0 + t / 4;
		double s = 0;
		if (i < g)
#pragma unroll 8
			for (int c = lane; c < d; c += 4) {
				double v = (double)codebook[(size_t)i * d + c] - mean[c];
				s += v * v;
			}
		for (int m = 2; m >= 1; m >>= 1) s += fromXor(s, m);
		most = s > most ? s : most;
	}
	for (int m = 16; m >= 4; m >>= 1) {
		double other = fromXor(most, m);
		most = other > most ? other : most;
	}
	if (t % 32 == 0) part[t / 32] = most;
	__syncthreads();
	if (t == 0) {
		for (int i = 1; i < 32; i++) most = part[i] > most ? part[i] : most;
		double length = sqrt(most);
		int e = 0;
		if (length > 0) frexp(length, &e);
		e = e > 120 ? 120 : e < -120 ? -120 : e;
		centre->scale = (float)ldexp(1.0, -e);
		centre->reach = (float)(length * ldexp(1.0, -e)) * 1.0001f;
		centre->wide = !(most < 1e34);
	}
}

// pairs: block (16, 16), grid covers g x g. Of rows i >= j, triangle[i(i+1)/2 + j] = 1/(2q), 0 where q is 0.
// Row i is landmark named[i], or i where named is null. closest[i] must be zero before; it gets the largest
// of them for row i, as bits of a float (they order like integers).
extern "C" __global__ void pairs(const float *codebook, int g, int d, const unsigned short *named, float *triangle, unsigned *closest) {
	__shared__ float rows[16][17], columns[16][17];
	int tx = threadIdx.x, ty = threadIdx.y, i0 = blockIdx.y * 16, j0 = blockIdx.x * 16;
	int i = i0 + ty, j = j0 + tx;
	// whose coordinates this thread brings
	int left = i, right = j0 + ty;
	if (named) left = i < g ? named[i] : 0, right = right < g ? named[right] : g;
	float q = 0, carry = 0;
	for (int c0 = 0; c0 < d; c0 += 16) {
		int c = c0 + tx;
		rows[ty][tx] = i < g && c < d ? codebook[(size_t)left * d + c] : 0;
		columns[ty][tx] = right < g && c < d ? codebook[(size_t)right * d + c] : 0;
		__syncthreads();
#pragma unroll
		for (int e = 0; e < 16; e++) {
			float v = rows[ty][e] - columns[tx][e];
			float y = v * v - carry, s = q + y; // compensated: q decides a landmark's whole neighbourhood
			carry = s - q - y;
			q = s;
		}
		__syncthreads();
	}
	bool there = i < g && j < g;
	float w = 0;
	if (q > 0) w = fminf(0.5f / q, 1e30f);
	if (!(q < 3e38f)) w = 0;
	if (there && j <= i) triangle[(size_t)i * (i + 1) / 2 + j] = w;
	// twins have no line between them; a point that has one of them is looked at pair by pair
	float near = there && i != j ? (q == 0 ? 1e30f : w) : 0;
	for (int m = 8; m >= 1; m >>= 1) near = fmaxf(near, __shfl_xor_sync(0xffffffffu, near, m));
	if (tx == 0 && i < g) atomicMax(closest + i, __float_as_uint(near));
}
