// Lists of what may be among the nearest of rows, as nearestSweep of nearest.cu, by products of halves on tensor cores
// (compute capability 8.0 on). Scores are off by more, and margins say by how much; nearestDecide does not care.
//
// Rows x lie around the centre c of their cell, points y around the centre e of theirs, and the score of a pair is
//
//	-|x-y|^2/2 = (x-c).(y-e) + (c-e).(y-e) - |y-e|^2/2 - |x-e|^2/2
//
// The first is a product of halves. The next two, begins, are worked out once for all rows of a cell, in float32, and
// sums begin with them. The last is worked out once for a row and a cell. Without cells there is one centre, the mean of
// all points, which is 0 in panels, and the last is left out.
//
// Halves are those of float32 times a power of two, scale, which brings the longest y-e to 2^13 to 2^14: they are off
// by 2^-11 of themselves, or 2^-25 where they are subnormal. With s = |x-c| + |y-e| (radii), whose product is s^2/4 at most,
// that is, in units of 1/scale,
//
//	2^-10 (1 + 2^-10) s^2/4 + sqrt(d) 2^-25 (1 + 2^-10) s + d 2^-50
//
// below 1.0625 2^-12 s^2 + (d + 1) (2^-25 s + 2^-49). With T = |x-e| + |x-c| + |y-e|, above which is none of these, |c-e| and
// |x-y|, and u = 2^-24: coordinates rounded to float32 move a score by 0x1.02 u (|x| + |y|) T, differences of them by 3 u T^2;
// begins and |x-e|^2/2 are sums of d terms of no more than T^2/2 each, which lose (d + 2) u of that; a sum of a step's
// products and what was there before loses 2^-23 of the largest for each of them at most, (d + 16) 2^-22 of 3/4 T^2
// together; and the last difference loses u T^2. All of that is below (4 d + 64) u T^2 + 0x1.02 u (|x| + |y|) T.
//
// Of what is listed, T comes from the score itself: |x-e| <= |x-y| + |y-e|, and |x-y|^2/2 is the score, up to its margin, of
// which the part with T moves T by less than half (sqrt(2 (4 d + 64) u) < 0.07 for the columns that are tried, and
// sqrt(2 u (|x| + |y|) T) <= 2 u (|x| + |y|) + T/4).
//
// A panel all of whose points are too near the centre of their cell, for how far that is from all rows of a warp, is left
// out: where all cells are looked through, most of them are.
//
// Fragments: of a panel, of each 16 columns, of each 16 points, of each lane 4 q + p, the columns 2p, 2p+1, 2p+8, 2p+9
// of point q (x, y) and of point q + 8 (z, w): the first factor of m16n8k16, and the second of two.
#include "nearest.cuh"
#include "products.cuh"

struct DenseArgs {
	const uint4 *rows;
	const float *values, *length, *radius; // of rows
	const int *self;
	const uint4 *fragments; // of panels
	const float *begins, *longest, *radii;
	const long long *start;
	const int *list, *place, *first;
	const float *centres;
	unsigned long long *entries;
	int *counts;
	float *limits;
	long long count, from, to, blocks;
	float scale, halfUnit, halfFlat, halfLeast, halfFar; // see HalfMargin
	int d, steps, k, cap, begin;
};

// nearestCentre finds the mean of the points of each cell, whose panels first names. A block of 128 threads a cell and a
// column.
extern "C" __global__ void __launch_bounds__(128) nearestCentre(const float *panels, const float *half, int d, const int *first, float *centres) {
	__shared__ float sums[128];
	__shared__ int counts[128];
	long long from = (long long)first[blockIdx.x] * side, to = (long long)first[blockIdx.x + 1] * side;
	int c = blockIdx.y, count = 0;
	float sum = 0;
	for (long long slot = from + threadIdx.x; slot < to; slot += 128)
		if (half[slot] != INFINITY) sum += panels[((size_t)(slot / side) * d + c) * side + slot % side], count++;
	sums[threadIdx.x] = sum, counts[threadIdx.x] = count;
	__syncthreads();
	for (int w = 64; w >= 1; w /= 2) {
		if (threadIdx.x < w) sums[threadIdx.x] += sums[threadIdx.x + w], counts[threadIdx.x] += counts[threadIdx.x + w];
		__syncthreads();
	}
	if (threadIdx.x == 0) centres[(size_t)blockIdx.x * d + c] = counts[0] ? sums[0] / counts[0] : 0;
}

namespace {

// around is coordinate c of a point of a panel around the centre of its cell.
__device__ inline float around(const float *panel, int c, int point, const float *centre) { return panel[(size_t)c * side + point] - (centre ? centre[c] : 0); }

} // namespace

// nearestFragments makes the fragments of panels, and how far their points are from their centres: each, or the most of each
// panel; cellOf is the cell of a panel, or null where there are none, and then begins is what sums begin with. A block of
// 256 threads a panel.
extern "C" __global__ void __launch_bounds__(256) nearestFragments(const float *panels, const float *half, const float *length, int d, int steps, float scale,
	const int *cellOf, const float *centres, uint4 *fragments, float *radius, float *radii, float *begins) {
	__shared__ float most[side];
	const float *panel = panels + (size_t)blockIdx.x * d * side, *centre = cellOf ? centres + (size_t)cellOf[blockIdx.x] * d : nullptr;
	const float *halves = half + (size_t)blockIdx.x * side;
	for (int i = threadIdx.x; i < steps * 128; i += 256) {
		int step = i / 128, quad = i % 32 / 4, p = i % 4, point = i % 128 / 32 * 16 + quad;
		unsigned w[4];
		for (int j = 0; j < 4; j++) {
			int c = 16 * step + j % 2 * 8 + 2 * p, at = point + j / 2 * 8;
			bool there = halves[at] != INFINITY;
			w[j] = packed(there && c < d ? around(panel, c, at, centre) * scale : 0, there && c + 1 < d ? around(panel, c + 1, at, centre) * scale : 0);
		}
		fragments[(size_t)blockIdx.x * steps * 128 + i] = make_uint4(w[0], w[1], w[2], w[3]);
	}
	int t = threadIdx.x;
	long long slot = (long long)blockIdx.x * side + t;
	if (t < side) {
		double s = 0;
		for (int c = 0; c < d; c++) {
			double v = around(panel, c, t, centre);
			s += v * v;
		}
		most[t] = halves[t] != INFINITY ? up(sqrt(s) * (1 + 1e-6)) : 0;
		if (radius) radius[slot] = length[slot] == INFINITY ? INFINITY : most[t]; // too far away for float32
		if (begins) begins[slot] = -(halves[t] * scale * scale);
	}
	__syncthreads();
	if (t == 0 && radii) {
		float near = 0;
		for (int i = 0; i < side; i++) near = fmaxf(near, most[i]);
		radii[blockIdx.x] = near;
	}
}

// nearestBegins works out what sums of the points of a cell begin with, for the rows of the cell asking: an entry of the
// list a block of 256 threads. place is where the panels of the entry begin in begins.
extern "C" __global__ void __launch_bounds__(256) nearestBegins(const float *panels, const float *half, int d, float scale, const float *centres,
	const int *list, const int *asking, const int *place, const int *first, float *begins) {
	int cell = list[blockIdx.x], from = first[cell];
	const float *e = centres + (size_t)cell * d, *c = centres + (size_t)asking[blockIdx.x] * d;
	float *to = begins + (size_t)place[blockIdx.x] * side;
	for (int i = threadIdx.x; i < (first[cell + 1] - from) * side; i += 256) {
		size_t panel = from + i / side;
		float s = 0;
		for (int k = 0; k < d; k++) {
			float y = panels[(panel * d + k) * side + i % side] - e[k], apart = c[k] - e[k];
			s = fmaf(y, apart - y / 2, s);
		}
		to[i] = half[panel * side + i % side] == INFINITY ? -INFINITY : s * scale * scale;
	}
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
namespace {

enum { warps = 4, tall = 32 }; // of a block; rows of a warp

// State is what a warp knows of its rows.
struct State {
	float limit[tall], length[tall], radius[tall], apart[tall], beside[tall]; // |x|, |x-c|, |x-e|, |x-e|^2/2
	int size[tall], self[tall];
};

// Strip is 32 rows, which a warp compares with panels; KS: steps, whose first factors stay in registers, or 0, which is any.
template <int KS> struct Strip {
	State &s;
	const uint4 *rows;
	int lane, quad, p;
	const DenseArgs &a;
	Entry *entries; // of the first row
	float limit[4], length[4], radius[4], apart[4], beside[4];
	float need; // see aim

	__device__ void know() {
#pragma unroll
		for (int i = 0; i < 4; i++) {
			int r = 8 * i + quad;
			limit[i] = s.limit[r], length[i] = s.length[r], radius[i] = s.radius[r], apart[i] = s.apart[r], beside[i] = s.beside[r];
		}
	}

	__device__ HalfMargin by() const { return {a.scale, a.halfUnit, a.halfFlat, a.halfLeast, a.halfFar}; }

	// meet has each lane work out how far its row, of these in a panel of floats, is from the centre of a cell.
	__device__ void meet(const float *row, const float *centre, int d, float scale) {
		float sum = 0;
		for (int c = 0; c < d; c++) {
			float v = row[(size_t)c * side] - centre[c];
			sum = fmaf(v, v, sum);
		}
		__syncwarp();
		s.beside[lane] = sum * (scale * scale / 2), s.apart[lane] = sqrtf(sum) * (1 + 0x1p-9f);
		__syncwarp();
#pragma unroll
		for (int i = 0; i < 4; i++) beside[i] = s.beside[8 * i + quad], apart[i] = s.apart[8 * i + quad];
		aim();
	}

	// aim finds how far points must be from the centre of the cell, at least, to be among the nearest of any row: a score is
	// -(|x-e| - |y-e|)^2/2 at most, and what it has to reach is beyond doubt. Coordinates are off by u of their lengths.
	// Rows that are left to nearestExact, and those that are none, ask for nothing.
	__device__ void aim() {
		float least = s.limit[lane], far = INFINITY;
		if (least < 3e38f)
			far = s.apart[lane] * (1 - 0x1p-7f) - 0x1p-22f * s.length[lane] - sqrtf(fmaxf(-2 * least, 0)) * by().shrink() * (1 + 0x1p-9f);
		for (int w = 16; w > 0; w /= 2) far = fminf(far, __shfl_xor_sync(0xffffffffu, far, w));
		need = far;
	}
	// farthest is how far points of a panel are from the centre of their cell, at most.
	__device__ float farthest(int panel) const { return a.radii[panel] + 0x1p-22f * a.longest[panel]; }

	// products computes the scores of the rows 16 i + 8 h + quad with columns 8 j + 2 p + e: acc[i][j][2 h + e].
	__device__ void products(const uint4 *columns, const float2 *begins, const uint4 (&held)[KS ? KS : 1][2], int steps, float (&acc)[2][8][4]) {
#pragma unroll
		for (int j = 0; j < 8; j++) {
			float2 b = begins[4 * j + p];
#pragma unroll
			for (int i = 0; i < 2; i++) acc[i][j][0] = acc[i][j][2] = b.x, acc[i][j][1] = acc[i][j][3] = b.y;
		}
		if (KS) {
#pragma unroll
			for (int step = 0; step < KS; step++) add(columns + 128 * step, held[step], acc);
		} else {
			for (int step = 0; step < steps; step++) {
				uint4 f[2] = {rows[128 * step], rows[128 * step + 32]};
				add(columns + 128 * step, f, acc);
			}
		}
	}
	__device__ void add(const uint4 *columns, const uint4 (&f)[2], float (&acc)[2][8][4]) {
		uint4 g[4];
#pragma unroll
		for (int j = 0; j < 4; j++) g[j] = columns[32 * j];
#pragma unroll
		for (int i = 0; i < 2; i++) {
			unsigned a[4] = {f[i].x, f[i].z, f[i].y, f[i].w};
#pragma unroll
			for (int j = 0; j < 4; j++) multiply(acc[i][2 * j], a, make_uint2(g[j].x, g[j].y)), multiply(acc[i][2 * j + 1], a, make_uint2(g[j].z, g[j].w));
		}
	}

	// offer lists what reaches the limits of its row, and says whether a list of this lane must be cut before the next panel.
	__device__ bool offer(const float (&acc)[2][8][4], int panel) {
		float far = a.longest[panel], around = a.radii[panel], least[4];
		bool some[4], any = false, full = false;
#pragma unroll
		for (int i = 0; i < 4; i++) {
			least[i] = limit[i] - by().products(radius[i] + around) - by().rest(apart[i] + radius[i] + around, length[i] + far) + beside[i];
			some[i] = false;
#pragma unroll
			for (int j = 0; j < 8; j++) some[i] |= acc[i / 2][j][i % 2 * 2] >= least[i] || acc[i / 2][j][i % 2 * 2 + 1] >= least[i];
			any |= some[i];
		}
		if (!any) return false;
#pragma unroll
		for (int i = 0; i < 4; i++) {
			if (!some[i]) continue;
			float v[16];
			unsigned reach = 0; // without a branch for each, which would cost more than the products
#pragma unroll
			for (int n = 0; n < 16; n++) v[n] = acc[i / 2][n / 2][i % 2 * 2 + n % 2], reach |= (unsigned)(v[n] >= least[i]) << n;
			int r = 8 * i + quad;
			while (reach) {
				int n = 31 - __clz((int)reach), slot = panel * side + n / 2 * 8 + 2 * p + n % 2;
				reach &= ~(1u << n);
				if (slot == s.self[r]) continue;
				int at = atomicAdd(&s.size[r], 1);
				entries[(size_t)r * a.cap + at] = entryOf(chosen(v, n) - beside[i], slot);
				full |= at + 1 > a.cap - side;
			}
		}
		return full;
	}
	// chosen is v[n], of registers.
	__device__ static float chosen(const float (&v)[16], int n) {
		float t[8];
#pragma unroll
		for (int i = 0; i < 8; i++) t[i] = n & 1 ? v[2 * i + 1] : v[2 * i];
#pragma unroll
		for (int i = 0; i < 4; i++) t[i] = n & 2 ? t[2 * i + 1] : t[2 * i];
		t[0] = n & 4 ? t[1] : t[0], t[1] = n & 4 ? t[3] : t[2];
		return n & 8 ? t[1] : t[0];
	}

	// cut drops from lists that are full what cannot be among the k nearest.
	__device__ void cut() {
		__syncwarp(); // what other lanes have listed is there
		for (int r = 0; r < tall; r++) {
			int n = s.size[r];
			if (n <= a.cap - side || n == tooMany) continue;
			float least = s.limit[r];
			int left = keepBest(entries + (size_t)r * a.cap, n, a.k,
				HalfRow{by(), a.first != nullptr, s.length[r], s.radius[r], a.longest, a.radii}, least);
			__syncwarp();
			if (lane == 0) {
				bool over = left > a.cap - side;
				s.size[r] = over ? tooMany : left;
				s.limit[r] = over ? NAN : fmaxf(least, s.limit[r]);
			}
		}
		__syncwarp();
		know();
		if (a.first) aim();
	}
};

// dense is sweep: a warp has half a panel of rows, of so many blocks. Rows that halves do not hold are left to
// nearestExact. Warps know nothing of each other.
template <int KS> __device__ void dense(const DenseArgs &a) {
	__shared__ State states[warps];
	int warp = threadIdx.x / 32, lane = threadIdx.x & 31, steps = KS ? KS : a.steps;
	long long strip = (long long)blockIdx.x * warps + warp, block = strip / 2, row = strip * tall + lane;
	if (block >= a.blocks) return;
	const uint4 *rows = a.rows + (size_t)block * steps * 128 + strip % 2 * 64 + lane;
	Strip<KS> s{states[warp], rows, lane, lane >> 2, lane & 3, a, (Entry *)a.entries + strip * tall * a.cap};
	s.s.length[lane] = a.length[row], s.s.self[lane] = a.self[row], s.s.beside[lane] = 0;
	s.s.radius[lane] = s.s.apart[lane] = a.radius[row];
	if (a.begin) {
		bool off = a.self[row] < -1, over = !off && !(a.radius[row] * a.scale < 0x1p15f);
		s.s.size[lane] = over ? tooMany : 0;
		s.s.limit[lane] = over ? NAN : off ? INFINITY : -3e38f; // scores of what halves do not hold may be infinite
	} else s.s.size[lane] = a.counts[row], s.s.limit[lane] = a.limits[row];
	__syncwarp();
	s.know();
	uint4 held[KS ? KS : 1][2];
	if (KS) {
#pragma unroll
		for (int step = 0; step < KS; step++) held[step][0] = rows[128 * step], held[step][1] = rows[128 * step + 32];
	}
	Way way(a.start, a.list, a.first, a.count, a.from, a.to, block);
	const float *begins = a.begins; // of panel 0, were it in this cell
	long long met = -1;
	int base = 0;
	float far = INFINITY;
	for (bool more = way.next(); more;) {
		int other = way.panel;
		bool fresh = a.first && way.at != met;
		if (fresh) {
			met = way.at;
			int cell = a.list[met - 1];
			begins = a.begins + ((long long)a.place[met - 1] - a.first[cell]) * side;
			s.meet(a.values + (size_t)block * a.d * side + strip % 2 * tall + lane, a.centres + (size_t)cell * a.d, a.d, a.scale);
		}
		if (a.first) { // a lane knows a panel of 32
			if (fresh || other >= base + 32) base = other, far = other + lane <= way.last ? s.farthest(other + lane) : INFINITY;
			if (__ballot_sync(0xffffffffu, far < s.need) >> (other - base) & 1) {
				more = way.next();
				continue;
			}
		}
		float acc[2][8][4];
		s.products(a.fragments + (size_t)other * steps * 128 + lane, (const float2 *)(begins + (long long)other * side), held, steps, acc);
		more = way.next(); // what it waits for is there when the next is begun
		bool full = s.offer(acc, other);
		if (__any_sync(0xffffffffu, full)) s.cut();
	}
	__syncwarp();
	a.counts[row] = s.s.size[lane], a.limits[row] = s.s.limit[lane];
}

} // namespace
#define SWEEP(KS) dense<KS>(a)
#else
#define SWEEP(KS)
#endif

#define DENSE(KS, name) \
	extern "C" __global__ void __launch_bounds__(128) name(BY_VALUE DenseArgs a) { SWEEP(KS); }
DENSE(0, nearestDenseAny)
DENSE(1, nearestDense1)
DENSE(2, nearestDense2)
DENSE(3, nearestDense3)
DENSE(4, nearestDense4)
