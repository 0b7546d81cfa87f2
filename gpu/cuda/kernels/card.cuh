// Instructions of the card that C++ has no words for, and what stands for them on the host.
#pragma once
#include "host.cuh"

#ifdef __CUDACC__
// The fast functions: relative errors below 2^-22.
__device__ inline float power2(float x) {
	float r;
	asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
	return r;
}
__device__ inline float log2of(float x) {
	float r;
	asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
	return r;
}
__device__ inline float root(float x) {
	float r;
	asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
	return r;
}
__device__ inline float inverse(float x) {
	float r;
	asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
	return r;
}

// Addresses of shared memory are 32 bits: half the work of a pointer's. On the host at is counted from start.
__device__ inline unsigned sharedAddress(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ inline float4 fromShared4(const char *, unsigned base, unsigned at) {
	float4 v;
	asm("ld.shared.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(base + at));
	return v;
}
__device__ inline float fromGlobal(const char *start, unsigned at) {
	float v;
	asm("{\n.reg .u64 a;\nmad.wide.u32 a, %2, 1, %1;\nld.global.nc.f32 %0, [a];\n}" : "=f"(v) : "l"(start), "r"(at));
	return v;
}
__device__ inline float fromShared(const char *, unsigned, unsigned at) {
	float v;
	asm("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(at));
	return v;
}

__device__ inline void keep(int &v) { asm volatile("" : "+r"(v)); } // in a register, rather than make it anew
__device__ inline void toCache(const void *p) { asm volatile("prefetch.global.L2 [%0];" : : "l"(p)); }

// Copies to shared memory that go on beside the work until they are awaited (compute capability 8.0 on). Zeros,
// where there is nothing.
__device__ inline void copyLater16(void *to, const void *from, bool there) {
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(sharedAddress(to)), "l"(from), "r"(there ? 16 : 0) : "memory");
}
__device__ inline void copyLater4(void *to, const void *from, bool there) {
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" : : "r"(sharedAddress(to)), "l"(from), "r"(there ? 4 : 0) : "memory");
}
__device__ inline void endCopies() { asm volatile("cp.async.commit_group;" : : : "memory"); }
__device__ inline void awaitCopies() { asm volatile("cp.async.wait_all;" : : : "memory"); }
#else
inline float fromGlobal(const char *start, unsigned at) { return *(const float *)(start + at); }
inline float fromShared(const char *start, unsigned, unsigned at) { return *(const float *)(start + at); }
inline float power2(float x) { return exp2f(x); }
inline float log2of(float x) { return log2f(x); }
inline float root(float x) { return sqrtf(x); }
inline float inverse(float x) { return 1 / x; }
inline unsigned sharedAddress(const void *) { return 0; }
inline float4 fromShared4(const char *start, unsigned, unsigned at) { return *(const float4 *)(start + at); }
inline void copyLater16(void *to, const void *from, bool there) {
	if (there) memcpy(to, from, 16);
	else memset(to, 0, 16);
}
inline void copyLater4(void *to, const void *from, bool there) {
	if (there) memcpy(to, from, 4);
	else memset(to, 0, 4);
}
inline void toCache(const void *) {}
inline void endCopies() {}
inline void keep(int &) {}
inline void awaitCopies() {}
#endif
