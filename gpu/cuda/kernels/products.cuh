// Products on tensor cores, and pairs of halves in a register; for compute capability 8.0 on.
#pragma once
#include "card.cuh"
#ifdef __CUDACC__
#include <cuda_fp16.h>
#else
#include "../hosted/half.h"
#endif

__device__ inline unsigned packed(float a, float b) {
	__half2 h = __floats2half2_rn(a, b);
	return *(unsigned *)&h;
}
__device__ inline __half2 asHalf(unsigned v) { return *(__half2 *)&v; }
__device__ inline unsigned asWord(__half2 v) { return *(unsigned *)&v; }

// Sum is what products of halves, or of bytes, are added up in.
template <bool B8> struct Sum { typedef float type; };
template <> struct Sum<true> { typedef int type; };

// multiply adds a product of 16 x 16 by 16 x 8 to c. lower is the smaller of each half, where NaN is larger
// than anything. notAbove gives all ones in each half where a <= b; NaN is never.
#ifdef __CUDACC__
__device__ inline void multiply(float (&c)[4], const unsigned (&a)[4], uint2 b) {
	asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
		: "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b.x), "r"(b.y));
}
// multiply adds a product of 16 x 32 by 32 x 8 bytes to c.
__device__ inline void multiply(int (&c)[4], const unsigned (&a)[4], uint2 b) {
	asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
		: "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b.x), "r"(b.y));
}
// multiplyHalves has its sums in halves: c[0] of columns 2p and 2p+1 of row quad, c[1] of row quad+8.
__device__ inline void multiplyHalves(unsigned (&c)[2], const unsigned (&a)[4], uint2 b) {
	asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
		: "+r"(c[0]), "+r"(c[1])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b.x), "r"(b.y));
}
__device__ inline unsigned lower(unsigned a, unsigned b) {
	unsigned m;
	asm("min.f16x2 %0, %1, %2;" : "=r"(m) : "r"(a), "r"(b));
	return m;
}
__device__ inline unsigned notAbove(unsigned a, unsigned b) {
	unsigned m;
	asm("set.le.u32.f16x2 %0, %1, %2;" : "=r"(m) : "r"(a), "r"(b));
	return m;
}
#else
inline void multiply(float (&c)[4], const unsigned (&a)[4], uint2 b) { hostMultiply(c, a, b); }
inline void multiply(int (&c)[4], const unsigned (&a)[4], uint2 b) { hostMultiply(c, a, b); }
inline void multiplyHalves(unsigned (&c)[2], const unsigned (&a)[4], uint2 b) {
	float f[4] = {__low2float(asHalf(c[0])), __high2float(asHalf(c[0])), __low2float(asHalf(c[1])), __high2float(asHalf(c[1]))};
	hostMultiply(f, a, b);
	c[0] = packed(f[0], f[1]), c[1] = packed(f[2], f[3]);
}
inline unsigned lower(unsigned a, unsigned b) { return asWord(__hmin2(asHalf(a), asHalf(b))); }
inline unsigned notAbove(unsigned a, unsigned b) { return asWord(__hle2(asHalf(a), asHalf(b))) / 0x3c00 * 0xffff; }
#endif
