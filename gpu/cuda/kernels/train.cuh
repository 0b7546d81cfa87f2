// What the training kernels (train.cu) do to one number or one point; also compiled for the host, where
// it is tested against float64.
#pragma once
#include "host.cuh"

// Sums of points are taken in fixed point, so that no order of adding changes a bit of them, and nothing is lost. Each
// column has its own unit, from the largest magnitude in it: |x| < 2^e, and high counts 2^(e-40), low 2^(e-80), both
// towards 0. That is all of an x from 2^(e-57) on, and of 0. Where smaller ones are, a further pass counts what is
// left, in two more steps of 2^-40, and so on: see restOf. Parts stay below 2^40, so 2^20 points fit 63 bits.
enum { fixedBits = 40, fixedPass = 2 * fixedBits };

struct Fixed {
	long long high, low;
};

HOST_DEVICE inline unsigned bitsOf(float x) {
#ifdef __CUDA_ARCH__
	return __float_as_uint(x);
#else
	union {
		float f;
		unsigned u;
	} v = {x};
	return v.u;
#endif
}

// fixedExponent returns e for a column with this largest magnitude: all of it is below 2^e. Below 2^-86 a smaller unit
// would name nothing that a float can hold.
HOST_DEVICE inline int fixedExponent(float largest) {
	int e = int(bitsOf(largest) >> 23) - 126;
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

// fixedLeast returns the bits of 2^(e-57), less one: a magnitude that is not 0 and whose bits less one are below may
// have more than high and low. 0: none has.
HOST_DEVICE inline unsigned fixedLeast(int e) { return e - 57 < -126 ? 0 : (unsigned(e - 57 + 127) << 23) - 1; }

#if defined(__CUDA_ARCH__) || !defined(__CUDACC__)
// fixedOf splits x, towards 0. What is left of the product behind its integer part is exact, as it has no more digits
// than the product; and a product that vanishes has neither part.
__device__ inline Fixed fixedOf(float x, float scale) {
	float s = __fmul_rn(x, scale);
	Fixed f;
	f.high = (long long)s;
	float rest = __fsub_rn(s, float(f.high));
	f.low = (long long)__fmul_rn(rest, float(1ll << fixedBits));
	return f;
}
#endif

// restOf is what a pass counts in units of 2^(e-40) and 2^(e-80), where e is that of the column less 80 for each pass
// before: those bits of |x| that are below 2^e and not below the unit, with the sign of x. more is set where bits are
// left below.
HOST_DEVICE inline Fixed restOf(float x, int e, unsigned &more) {
	unsigned bits = bitsOf(x), field = bits >> 23 & 0xff;
	unsigned long long m = bits & 0x7fffff;
	if (field) m |= 0x800000;
	int k = int(field ? field : 1) - 150 - (e - fixedPass); // |x| is m 2^k of the lower units
	const unsigned long long mask = (1ull << fixedBits) - 1;
	unsigned long long high = 0, low = 0;
	if (k <= -24) {
		more |= m != 0;
	} else if (k < 0) {
		low = m >> -k;
		more |= (m & ((1ull << -k) - 1)) != 0;
	} else if (k < fixedBits) {
		low = m << k & mask;
		high = m << k >> fixedBits;
	} else if (k < fixedPass) {
		high = m << (k - fixedBits) & mask;
	}
	Fixed f = {(long long)high, (long long)low};
	if (bits >> 31) f.high = -f.high, f.low = -f.low;
	return f;
}

// doubt is train.Doubt: up to which squared distance in float32 a landmark may be the winner of a point.
HOST_DEVICE inline float doubt(float best, int d) {
	return best + best * (float(d + 8) * (1.0625f / 8388608)) + float(d) * 0x1p-124f;
}

#if defined(__CUDA_ARCH__) || !defined(__CUDACC__)
// distance64 is what winners are decided by: every difference, square and sum rounded, in the order of the columns.
__device__ inline double distance64(const float *x, const float *l, int d) {
	double s = 0;
	for (int c = 0; c < d; c++) {
		double e = __dadd_rn(double(x[c]), -double(l[c]));
		s = __dadd_rn(s, __dmul_rn(e, e));
	}
	return s;
}

// decline is exp(-q) for 0 <= q < 20, the same bits as train.decline: see there.
__device__ inline double decline(double q) {
	const double even[] = {1.0 / 3628800, 1.0 / 40320, 1.0 / 720, 1.0 / 24, 1.0 / 2, 1};
	const double odd[] = {1.0 / 39916800, 1.0 / 362880, 1.0 / 5040, 1.0 / 120, 1.0 / 6, 1};
	double k = floor(__dadd_rn(__dmul_rn(q, 1.44269504088896340735992468100189214), 0.5));
	double r = __dadd_rn(__dadd_rn(__dmul_rn(k, 0x1.62e42feep-1), -q), __dmul_rn(k, 0x1.a39ef35793c76p-33));
	double square = __dmul_rn(r, r), a = 1.0 / 479001600, b = 1.0 / 6227020800.0;
	for (int i = 0; i < 6; i++) {
		a = __dadd_rn(__dmul_rn(a, square), even[i]);
		b = __dadd_rn(__dmul_rn(b, square), odd[i]);
	}
	return ldexp(__dadd_rn(a, __dmul_rn(b, r)), -int(k));
}
#endif
