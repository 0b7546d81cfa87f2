// Places of points on a map, on the plane float2, in space float4 whose w says nothing: what the kernels of t-SNE and of
// UMAP share. Both are compiled without contraction: fused products are written where they are meant, so that the kernels
// give the same bits on a card and on the host.
#pragma once
#include "card.cuh"

template <int D> struct Place {
	float c[D];
};
template <int D> struct Stored;
template <> struct Stored<2> { typedef float2 type; };
template <> struct Stored<3> { typedef float4 type; };

__device__ inline Place<2> placeOf(float2 v) { return {{v.x, v.y}}; }
__device__ inline Place<3> placeOf(float4 v) { return {{v.x, v.y, v.z}}; }
__device__ inline void put(float2 *to, const Place<2> &p) { *to = make_float2(p.c[0], p.c[1]); }
__device__ inline void put(float4 *to, const Place<3> &p) { *to = make_float4(p.c[0], p.c[1], p.c[2], 0); }

// reciprocal is 1/x, rounded as division is, for normal x up to 1e37: Newton's step from an approximation to 1 ulp.
__device__ inline float reciprocal(float x) {
#ifdef __CUDACC__
	float r = inverse(x);
	return fmaf(fmaf(-x, r, 1), r, r);
#else
	return 1 / x;
#endif
}

// packPlace makes a place in space of three numbers.
__device__ inline void packPlace(int i, const float4 *from, float *to) {
	float4 v = from[i];
	to[3LL * i] = v.x, to[3LL * i + 1] = v.y, to[3LL * i + 2] = v.z;
}
