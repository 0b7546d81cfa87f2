// Repulsion of t-SNE on the plane as V. Nguyen, J. Zhang, "Parallelizing Gradient Calculations in t-SNE" do it, as a
// yardstick: a quadtree as a heap, children of i at 4 i + 1 .. 4 i + 4, made a layer at a time by sorting the points of
// each node into four buckets; centres of mass backwards; a thread a point with a stack of its own. Their kernels start
// kernels; here the host starts each layer, a block a node.
#include "tsne.cuh"

enum { buckets = 4, splitThreads = 128 };

// A span are the points of a node; a box its lowest and highest corner; a mass x, y, how many points, and the square of
// the longest side, negative for a leaf. Spans and masses begin as zeros.

extern "C" __global__ void ptgRoot(int n, const double *look, int2 *spans, float4 *boxes) {
	spans[0] = {0, n};
	boxes[0] = make_float4((float)look[statLow], (float)look[statLow + 1], (float)look[statHigh], (float)look[statHigh + 1]);
}

// ptgSplit: nodes from `first` on, a block each. In the last layer they are all leaves.
extern "C" __global__ void __launch_bounds__(splitThreads) ptgSplit(int first, int last, const float2 *from, float2 *to, int2 *spans, float4 *boxes, float4 *masses) {
	__shared__ int counts[buckets][splitThreads], totals[buckets];
	int node = first + blockIdx.x, t = threadIdx.x;
	int2 span = spans[node];
	int count = span.y - span.x;
	if (count == 0) return;
	if (count == 1) {
		float2 p = from[span.x];
		if (t == 0) masses[node] = make_float4(p.x, p.y, 1, -1);
		return;
	}
	if (last) {
		double sum[2] = {0, 0};
		for (int k = span.x + t; k < span.y; k += splitThreads) sum[0] += from[k].x, sum[1] += from[k].y;
		reduceBlock<2, 0, 0>(sum);
		__shared__ double sums[2];
		if (t < 2) sums[t] = sum[0];
		__syncthreads();
		if (t == 0) masses[node] = make_float4((float)(sums[0] / count), (float)(sums[1] / count), (float)count, -1);
		return;
	}
	float4 box = boxes[node];
	float cx = 0.5f * (box.x + box.z), cy = 0.5f * (box.y + box.w);
	int mine[buckets] = {};
	for (int k = span.x + t; k < span.y; k += splitThreads) {
		float2 p = from[k];
		int q = (p.x >= cx) + 2 * (p.y >= cy);
#pragma unroll
		for (int b = 0; b < buckets; b++) mine[b] += q == b;
	}
#pragma unroll
	for (int b = 0; b < buckets; b++) counts[b][t] = mine[b];
	__syncthreads();
	int lane = t % 32, row = t / 32, before = 0; // a warp scans a row
	for (int i = lane; i < splitThreads; i += 32) {
		int own = counts[row][i], sum = own;
		for (int w = 1; w < 32; w *= 2) {
			int other = __shfl_up_sync(0xffffffffu, sum, w);
			if (lane >= w) sum += other;
		}
		counts[row][i] = before + sum - own;
		before += __shfl_sync(0xffffffffu, sum, 31);
	}
	if (lane == 0) totals[row] = before;
	__syncthreads();
	int start = span.x;
#pragma unroll
	for (int b = 0; b < buckets; b++) {
		mine[b] = start + counts[b][t];
		if (t == b) {
			int child = 4 * node + 1 + b;
			spans[child] = {start, start + totals[b]};
			boxes[child] = make_float4(b & 1 ? cx : box.x, b & 2 ? cy : box.y, b & 1 ? box.z : cx, b & 2 ? box.w : cy);
		}
		start += totals[b];
	}
	for (int k = span.x + t; k < span.y; k += splitThreads) {
		float2 p = from[k];
		int q = (p.x >= cx) + 2 * (p.y >= cy);
#pragma unroll
		for (int b = 0; b < buckets; b++)
			if (q == b) to[mine[b]++] = p;
	}
	if (t == 0) {
		float side = fmaxf(box.z - box.x, box.w - box.y);
		masses[node] = make_float4(0, 0, 0, side * side);
	}
}

// ptgMass makes the masses of nodes of a layer from those of the layer below.
extern "C" __global__ void ptgMass(int first, int count, const int2 *spans, float4 *masses) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count) return;
	i += first;
	float4 m = masses[i];
	if (spans[i].x == spans[i].y || m.z > 0) return; // empty, or a leaf
	for (int b = 1; b <= buckets; b++) {
		float4 c = masses[4 * i + b];
		m.x = fmaf(c.z, c.x, m.x), m.y = fmaf(c.z, c.y, m.y), m.z += c.z;
	}
	m.x /= m.z, m.y /= m.z;
	masses[i] = m;
}

extern "C" __global__ void __launch_bounds__(256) ptgWalk(int n, float theta2, const float2 *y, const float4 *masses, float2 *repulsion, double *partial, unsigned *ticket,
	double *z) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, stack[64], size = 0;
	Place<2> own = placeOf(y[min(i, n - 1)]), f = {};
	float phi = 0;
	if (i < n) stack[size++] = 0;
	while (size > 0) {
		int node = stack[--size];
		float4 m = masses[node];
		if (m.z == 0) continue;
		Place<2> p = {{m.x, m.y}};
		float r[2], d = apart(own, p, r);
		if (m.w < theta2 * (d - 1)) { // a leaf's is negative
			float w = reciprocal(d), a = m.z * w;
			phi += a;
			a *= w;
			f.c[0] = fmaf(a, r[0], f.c[0]), f.c[1] = fmaf(a, r[1], f.c[1]);
		} else {
			for (int b = 1; b <= buckets; b++) stack[size++] = 4 * node + b;
		}
	}
	double sum[1] = {0};
	if (i < n) {
		put(repulsion + i, f);
		sum[0] = (double)phi - 1;
	}
	reduce<1, 0, 0>(sum, partial, ticket, z);
}
