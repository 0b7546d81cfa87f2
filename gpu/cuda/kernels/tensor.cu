// Stage A on tensor cores (compute capability 8.0 on): the nearest landmarks of each point.
//
// 1. A half precision product gives filter distances |x|^2 + |L|^2 - 2 x.L of centred, scaled
//    coordinates, off by at most a known margin. A warp has 16 points; the four lanes of a quad share two.
// 2. The find-th smallest of the minima of some groups of landmarks bounds the find-th smallest of all;
//    landmarks below it, with twice the margin, survive.
// 3. The squared distances of the survivors are computed from the coordinates in float32, and sorted by their
//    bits and the place in the list, which ascends with the landmark's number.
//
// So the filter decides nothing that could be wrong: the result is that of a full search. Points with
// more survivors than fit go to nearListed.
#include "search.cuh"

// landmarkOf: columns 2p and 2p+1 of tile t are read by lane p of each quad. Tiles come in sixteens; of each,
// every lane gets a run of 32 landmarks, and bit b of its word is the b-th of them.
HOST_DEVICE inline int landmarkOf(int t, int column) {
	return (t & ~15) * 8 + (column >> 1) * 32 + (column & 1) * 16 + (t & 15);
}

// operands: one thread per element; grid covers max(tiles*8, g) x dp/4.
extern "C" __global__ void operands(const float *codebook, int g, int d, int dp, int tiles, const Centre *centre,
	const float *mean, uint2 *factors, float *norms, unsigned short *halves, float *rows) {
	int at = blockIdx.x * blockDim.x + threadIdx.x, quads = dp / 4;
	int cell = at / quads, q = at % quads; // of landmarks by four dimensions
	float s = centre->scale;
	if (cell < g) {
		for (int c = 4 * q; c < 4 * q + 4; c++) rows[(size_t)cell * dp + c] = c < d ? codebook[(size_t)cell * d + c] : 0;
	}
	if (cell >= tiles * 8) return;
	int t = cell / 8, column = cell % 8, l = landmarkOf(t, column);
	__half h[4];
	for (int c = 0; c < 4; c++) {
		int k = 4 * q + c;
		float v = l < g && k < d ? (codebook[(size_t)l * d + k] - mean[k]) * s : 0;
		h[c] = __float2half(-2 * v);
	}
	uint2 f;
	f.x = __half_as_ushort(h[0]) | (unsigned)__half_as_ushort(h[1]) << 16;
	f.y = __half_as_ushort(h[2]) | (unsigned)__half_as_ushort(h[3]) << 16;
	int step = q / 4, lane = column * 4 + q % 4;
	factors[((size_t)t * (dp / 16) + step) * 32 + lane] = f;
	if (q == 0) {
		double n = 0;
		for (int k = 0; k < d && l < g; k++) {
			double v = ((double)codebook[(size_t)l * d + k] - mean[k]) * s;
			n += v * v;
		}
		int at = t * 8 + column;
		norms[at] = l < g ? (float)n : __int_as_float(0x7fc00000); // padding: never below anything
		halves[at] = l < g ? __half_as_ushort(__float2half((float)n)) : 0x7fff;
	}
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
// nearTensor: blocks of whole warps. Dynamic shared memory: for SHARED the factors and norms, for ROWS the
// codebook, then what each warp has for itself. The grid may have any size.
template <int KS, int M, int CAP, int TILES, bool SHARED, bool ROWS> __device__ void search(const TensorArgs &a) {
	DYNAMIC_SHARED(unsigned char, memory);
	Search<KS, M, CAP, TILES, ROWS> s(a);
	s.factors = a.factors;
	s.norms = (const float2 *)a.norms;
	s.halves = a.halves;
	if (SHARED) {
		int all = a.tiles;
		uint4 *f = (uint4 *)memory;
		for (int i = threadIdx.x; i < all * KS * 16; i += blockDim.x) f[i] = ((const uint4 *)a.factors)[i];
		uint4 *n = f + all * KS * 16; // norms, as halves with one step
		const uint4 *from = KS == 1 ? (const uint4 *)a.halves : (const uint4 *)a.norms;
		int words = KS == 1 ? all : 2 * all;
		for (int i = threadIdx.x; i < words; i += blockDim.x) n[i] = from[i];
		s.factors = (const uint2 *)f;
		s.norms = (const float2 *)n;
		s.halves = (const unsigned *)n;
		memory = (unsigned char *)(n + words);
	}
	if (ROWS) {
		float4 *to = (float4 *)memory;
		for (int i = threadIdx.x; i < a.g * 4 * KS; i += blockDim.x) to[i] = ((const float4 *)a.rows)[i];
		s.rows = (const char *)(to + s.p);
		s.base = sharedAddress(s.rows);
		memory = (unsigned char *)(to + a.g * 4 * KS);
	}
	if (SHARED || ROWS) __syncthreads();
	int warp = __shfl_sync(0xffffffffu, threadIdx.x / 32, 0), warps = blockDim.x / 32; // so the compiler knows that it is the same for all lanes
	const int lists = 16 * (4 * (CAP + 4) + 2 * (CAP + 8)), own = lists + 16 * s.rowBytes;
	s.exact = (float *)(memory + warp * own);
	s.list = (unsigned short *)(s.exact + 16 * (CAP + 4));
	s.next = memory + warp * own + lists;
	long long step = (long long)gridDim.x * warps * 16, base = a.first + ((long long)blockIdx.x * warps + warp) * 16, end = a.first + a.slots;
	if (base >= end) return;
	long long point = s.pointOf(base), after = s.pointOf(base + step);
	s.fetch(point);
	for (; base < end; base += step) {
		long long later = s.pointOf(base + 2 * step);
		s.run(base, point, after);
		point = after, after = later;
	}
	awaitCopies();
}
#define SEARCH(KS, M, CAP, TILES, SHARED, ROWS) search<KS, M, CAP, TILES, SHARED, ROWS>(a)
#else
#define SEARCH(KS, M, CAP, TILES, SHARED, ROWS)
#endif

#define TENSOR(KS, M, CAP, TILES, SHARED, ROWS, THREADS, name) \
	extern "C" __global__ void __launch_bounds__(THREADS, 1) name(BY_VALUE TensorArgs a) { SEARCH(KS, M, CAP, TILES, SHARED, ROWS); }
// By steps of 16 dimensions and by neighbours to find (few, some, many: groups of landmarks in a lane, and
// room for survivors). half and one: 128 or 256 landmarks, whose distances stay in registers. For any number:
// rows with the factors and the codebook in shared memory, shared with the factors there, global with neither.
#define TENSORS(KS, ONE, FEW, SOME, MANY) \
	TENSOR(KS, 8, 64, 16, true, true, 512, nearTensor_##KS##_few_half) \
	TENSOR(KS, 8, 64, 32, true, true, ONE, nearTensor_##KS##_few_one) \
	TENSOR(KS, 8, 64, 0, true, true, FEW, nearTensor_##KS##_few_rows) \
	TENSOR(KS, 8, 64, 0, true, false, FEW, nearTensor_##KS##_few_shared) \
	TENSOR(KS, 16, 64, 0, true, true, SOME, nearTensor_##KS##_some_rows) \
	TENSOR(KS, 16, 64, 0, true, false, SOME, nearTensor_##KS##_some_shared) \
	TENSOR(KS, 16, 64, 0, false, false, SOME, nearTensor_##KS##_some_global) \
	TENSOR(KS, 16, 128, 0, true, true, MANY, nearTensor_##KS##_many_rows) \
	TENSOR(KS, 16, 128, 0, true, false, MANY, nearTensor_##KS##_many_shared) \
	TENSOR(KS, 16, 128, 0, false, false, MANY, nearTensor_##KS##_many_global)
TENSORS(1, 512, 512, 512, 384)
TENSORS(2, 384, 512, 384, 384)
TENSORS(4, 384, 512, 384, 384)
#ifndef TRIAL // see build
TENSORS(3, 384, 512, 384, 384)
TENSOR(8, 8, 64, 0, true, false, 256, nearTensor_8_few_shared)
TENSOR(8, 16, 64, 0, false, false, 256, nearTensor_8_some_global)
TENSOR(8, 16, 128, 0, false, false, 256, nearTensor_8_many_global)
#endif
