// Tables that depend on the landmarks alone, rebuilt when their inputs move.
//
//	prepare   centre and scale of the codebook
//	operands  its rows, padded, and as half precision factors in the order in which tensor cores read them
//	pairs     1/(2 |L_j-L_i|^2) of all pairs of landmarks, and the largest of each row
//	lines     log2((1+H)^-adjust / H) of all pairs of positions
//	closer    the same for the rows and columns of some landmarks
#include "layout.cuh"

// A Centre is what the filter of the neighbours needs to know of the codebook: filter distances are of
// coordinates (x - mean) * scale, where scale is a power of two that brings the landmarks into the unit ball.
struct Centre {
	float scale;
	float reach; // largest length of a centred and scaled landmark
	int wide;    // the landmarks are so far apart that float32 fails: every point is done in float64
	int pad;
};

// prepare: one block. mean has dp floats, the rest after d is 0.
extern "C" __global__ void prepare(const float *codebook, int g, int d, int dp, Centre *centre, float *mean) {
	__shared__ double most[256];
	int t = threadIdx.x;
	for (int c = t; c < dp; c += blockDim.x) {
		double s = 0;
		for (int i = 0; i < g && c < d; i++) s += codebook[(size_t)i * d + c];
		mean[c] = (float)(s / g);
	}
	__syncthreads();
	double m = 0;
	for (int i = t; i < g; i += blockDim.x) {
		double s = 0;
		for (int c = 0; c < d; c++) {
			double v = (double)codebook[(size_t)i * d + c] - mean[c];
			s += v * v;
		}
		m = s > m ? s : m;
	}
	most[t] = m;
	__syncthreads();
	for (int w = 128; w > 0; w >>= 1) {
		if (t < w && most[t + w] > most[t]) most[t] = most[t + w];
		__syncthreads();
	}
	if (t == 0) {
		double length = sqrt(most[0]);
		int e = 0;
		if (length > 0) frexp(length, &e);
		e = e > 120 ? 120 : e < -120 ? -120 : e;
		centre->scale = (float)ldexp(1.0, -e);
		centre->reach = (float)(length * ldexp(1.0, -e)) * 1.0001f;
		centre->wide = !(most[0] < 1e34);
	}
}

// pairs: block (32, 8), grid covers g x g. pair[i*g+j].x = 1/(2q), 0 where q is 0. closest[i] must be
// zero before; it gets the largest 1/(2q) of row i, as bits of a float (they order like integers).
extern "C" __global__ void pairs(const float *codebook, int g, int d, float2 *pair, unsigned *closest) {
	int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
	if (i >= g || j >= g) return;
	const float *a = codebook + (size_t)i * d, *b = codebook + (size_t)j * d;
	// the same order for (i, j) and (j, i): the table is symmetric to the bit
	float q = 0, carry = 0;
	for (int c = 0; c < d; c++) {
		float v = a[c] - b[c];
		float y = v * v - carry, s = q + y; // compensated: q decides a landmark's whole neighbourhood
		carry = s - q - y;
		q = s;
	}
	float w = 0;
	if (q > 0) w = fminf(0.5f / q, 1e30f);
	if (!(q < 3e38f)) w = 0;
	pair[(size_t)i * g + j].x = w;
	// twins have no line between them; a point that has one of them is looked at pair by pair
	if (i != j) atomicMax(closest + i, __float_as_uint(q == 0 ? 1e30f : w));
}

__device__ inline float lineOf(const float *pos, int dims, float adjust, int i, int j) {
	float h = 0;
	for (int q = 0; q < dims; q++) {
		float v = pos[i * dims + q] - pos[j * dims + q];
		h += v * v;
	}
	if (!(h >= tinyH && h < 1e38f)) return noLine;
	return -adjust * log2f(1 + h) - log2f(h);
}

// lines: block (32, 8), grid covers g x g.
extern "C" __global__ void lines(const float *pos, int dims, int g, float adjust, float2 *pair) {
	int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
	if (i >= g || j >= g) return;
	float2 *p = pair + (size_t)i * g + j;
	p->y = p->x > 0 ? lineOf(pos, dims, adjust, i, j) : noLine;
}

// closer: block 256, grid (g/256, moved): rows and columns of the landmarks that moved.
extern "C" __global__ void closer(const float *pos, int dims, int g, float adjust, float2 *pair, const int *moved) {
	int j = blockIdx.x * blockDim.x + threadIdx.x, i = moved[blockIdx.y];
	if (j >= g) return;
	float2 *p = pair + (size_t)i * g + j;
	float w = p->x > 0 ? lineOf(pos, dims, adjust, i, j) : noLine;
	p->y = w;
	pair[(size_t)j * g + i].y = w;
}
