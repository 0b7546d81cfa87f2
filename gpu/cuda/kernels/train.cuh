// What the training kernels (train.cu) do to one number or one point; also compiled for the host, where
// it is tested against float64.
#pragma once
#include "host.cuh"

// Sums of points are taken in fixed point, so that no order of adding changes a bit of them. Each column
// has its own unit, from the largest magnitude in it: x = 2^e (high 2^-40 + low 2^-80) with |x| < 2^e. Both
// parts are integers; low is 0 for what is at least 2^-17 of the largest, so it costs little. The rounding
// of x is at most 2^-81 of 2^e. high stays below 2^40 and low below 2^39, so 2^20 points fit 63 bits.
enum { fixedBits = 40 };

struct Fixed {
	long long high, low;
};

// fixedExponent returns e for a column whose largest magnitude has these bits: all of it is below 2^e.
// Below 2^-86 a smaller unit would name nothing that a float can hold.
HOST_DEVICE inline int fixedExponent(unsigned largest) {
	int e = int(largest >> 23) - 126;
	return e < -86 ? -86 : e;
}

// fixedScale returns 2^(40-e), which is a normal float.
HOST_DEVICE inline float fixedScale(int e) {
	unsigned bits = unsigned(fixedBits - e + 127) << 23;
#ifdef __CUDA_ARCH__
	return __uint_as_float(bits);
#else
	union {
		unsigned u;
		float f;
	} v = {bits};
	return v.f;
#endif
}

#if defined(__CUDA_ARCH__) || !defined(__CUDACC__)
// fixedOf splits x. Every operation but the last is exact: the scale is a power of two, and what is left
// of the product behind its integer part has no more digits than the product.
__device__ inline Fixed fixedOf(float x, float scale) {
	float s = __fmul_rn(x, scale);
	Fixed f;
	f.high = __float2ll_rn(s);
	float rest = __fsub_rn(s, float(f.high));
	f.low = __float2ll_rn(__fmul_rn(rest, float(1ll << fixedBits)));
	return f;
}
#endif

// nearestFar returns the row of codebook nearest to x, ties to the lower index, in float64: for points
// at which the squares of float32 overflow.
HOST_DEVICE inline int nearestFar(const float *x, int d, const float *codebook, int g) {
	int at = 0;
	double best = 0;
	for (int m = 0; m < g; m++) {
		double s = 0;
		for (int c = 0; c < d; c++) {
			double e = double(x[c]) - double(codebook[(long long)m * d + c]);
			s += e * e;
		}
		if (m == 0 || s < best) best = s, at = m;
	}
	return at;
}
