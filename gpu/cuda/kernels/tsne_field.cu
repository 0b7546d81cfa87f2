// Repulsion of t-SNE on the plane by a potential: phi(y) = sum_j 1/(1+|y-y_j|^2), of which R = -1/2 grad phi and
// Z = sum_i (phi(y_i) - 1). Unit charges are spread on a lattice of N x N nodes with B-splines of order P, convolved
// with the sampled kernel by transforms of M = 2N points a side, and phi is interpolated with the same splines.
//
// The lattice of charges is of 64-bit integers in units of 2^-36, so that their order does not matter, and is all 0
// between units. A spectrum is N rows of N + 1 numbers, of pitch N + 16.
#include "tsne.cuh"

// ---- splines

// spline writes the weights of the P nodes around u, those of order P - 1 where slope is wanted too, and returns the
// first node.
template <int P> __device__ inline int spline(float u, float (&w)[P], float (*slope)[P]) {
	float at = floorf(u), t = u - at;
	w[0] = 1 - t, w[1] = t;
#pragma unroll
	for (int k = 3; k <= P; k++) {
		if (slope && k == P) {
			(*slope)[0] = -w[0];
#pragma unroll
			for (int j = 1; j < P - 1; j++) (*slope)[j] = w[j - 1] - w[j];
			(*slope)[P - 1] = w[P - 2];
		}
		float part = 1 / (float)(k - 1);
		w[k - 1] = part * t * w[k - 2];
#pragma unroll
		for (int j = k - 2; j > 0; j--) w[j] = part * ((t + (k - 1 - j)) * w[j - 1] + ((j + 1) - t) * w[j]);
		w[0] = part * (1 - t) * w[0];
	}
	return (int)at - (P / 2 - 1);
}

// Where a place lies on the lattice, in nodes: y / h - origin.
struct Grid {
	int N;
	float inverse, x, y; // 1/h, origin
	__device__ float2 of(const Place<2> &p) const { return make_float2(fmaf(p.c[0], inverse, -x), fmaf(p.c[1], inverse, -y)); }
};

// A block spreads so many points for each thread, which follow each other: once points are in the order of the curve they
// lie near each other, and what they add to the nodes of a window around one of them is summed up in shared memory first.
// Charges there are in two halves of 18 bits, of which no sum of a block overflows 32.
enum { window = 48, low = 18 };

template <int P> __device__ void spread(int n, const float2 *y, Grid g, unsigned long long *charges, int each) {
	__shared__ unsigned sums[2][window * window];
	for (int k = threadIdx.x; k < window * window; k += blockDim.x) sums[0][k] = sums[1][k] = 0;
	long long first = (long long)blockIdx.x * blockDim.x * each;
	int count = (int)min((long long)blockDim.x * each, n - first);
	float2 middle = g.of(placeOf(y[first + count / 2]));
	int left = min(max((int)middle.x - window / 2, 0), max(g.N - window, 0)), bottom = min(max((int)middle.y - window / 2, 0), max(g.N - window, 0));
	__syncthreads();
	// Threads of a warp have points that lie apart: those side by side would wait for each other at the same nodes.
	int stretch = (count + 31) / 32;
	for (int k = threadIdx.x / 32; k < stretch; k += blockDim.x / 32) {
		int at = (int)threadIdx.x % 32 * stretch + k;
		if (at >= count) break;
		float2 u = g.of(placeOf(y[first + at]));
		float wx[P], wy[P];
		int x0 = spline<P>(u.x, wx, nullptr), y0 = spline<P>(u.y, wy, nullptr);
		if (x0 < 0 || y0 < 0 || x0 > g.N - P || y0 > g.N - P) continue; // the caller keeps points inside
		int wx0 = x0 - left, wy0 = y0 - bottom;
		bool inside = wx0 >= 0 && wy0 >= 0 && wx0 <= window - P && wy0 <= window - P;
#pragma unroll
		for (int b = 0; b < P; b++)
#pragma unroll
			for (int a = 0; a < P; a++) {
				unsigned long long charge = (unsigned long long)__float2ll_rn(wx[a] * wy[b] * 0x1p36f);
				if (inside) {
					int node = (wy0 + b) * window + wx0 + a;
					atomicAdd(&sums[0][node], (unsigned)charge & ((1u << low) - 1));
					atomicAdd(&sums[1][node], (unsigned)(charge >> low));
				} else atomicAdd(charges + (long long)(y0 + b) * g.N + x0 + a, charge);
			}
	}
	__syncthreads();
	for (int k = threadIdx.x; k < window * window; k += blockDim.x) {
		unsigned long long charge = ((unsigned long long)sums[1][k] << low) + sums[0][k];
		if (charge) atomicAdd(charges + (long long)(bottom + k / window) * g.N + left + k % window, charge);
	}
}
extern "C" __global__ void __launch_bounds__(256) fieldSpread4(int n, const float2 *y, int N, float inverse, float x0, float y0, unsigned long long *charges, int each) {
	spread<4>(n, y, {N, inverse, x0, y0}, charges, each);
}
extern "C" __global__ void __launch_bounds__(256) fieldSpread6(int n, const float2 *y, int N, float inverse, float x0, float y0, unsigned long long *charges, int each) {
	spread<6>(n, y, {N, inverse, x0, y0}, charges, each);
}

// fieldAdd adds to charges those that so many other cards have spread, which lie after each other.
extern "C" __global__ void fieldAdd(long long nodes, int others, const unsigned long long *theirs, unsigned long long *charges) {
	long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= nodes) return;
	unsigned long long sum = charges[i];
	for (int k = 0; k < others; k++) sum += theirs[k * nodes + i];
	charges[i] = sum;
}

// ---- transforms

template <class R> struct alignas(2 * sizeof(R)) Complex {
	R x, y;
};
__device__ inline float fused(float a, float b, float c) { return fmaf(a, b, c); }
__device__ inline double fused(double a, double b, double c) { return fma(a, b, c); }
template <class R> __device__ inline Complex<R> operator+(Complex<R> a, Complex<R> b) { return {a.x + b.x, a.y + b.y}; }
template <class R> __device__ inline Complex<R> operator-(Complex<R> a, Complex<R> b) { return {a.x - b.x, a.y - b.y}; }
template <class R> __device__ inline Complex<R> operator*(Complex<R> a, Complex<R> b) {
	return {fused(a.x, b.x, -(a.y * b.y)), fused(a.x, b.y, a.y * b.x)};
}
template <class R> __device__ inline Complex<R> mixed(Complex<R> a, R f, Complex<R> b) { return {fused(f, b.x, a.x), fused(f, b.y, a.y)}; }
template <class R> __device__ inline Complex<R> turned(Complex<R> a) { return {a.y, -a.x}; } // times -i

// small transforms r numbers in place.
template <class R> __device__ inline void small(Complex<R> (&x)[5], int r) {
	typedef Complex<R> C;
	if (r == 4) {
		C a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = turned(x[1] - x[3]);
		x[0] = a + c, x[1] = b + d, x[2] = a - c, x[3] = b - d;
	} else if (r == 2) {
		C a = x[0] - x[1];
		x[0] = x[0] + x[1], x[1] = a;
	} else if (r == 3) {
		C s = x[1] + x[2], d = turned(x[1] - x[2]), m = mixed(x[0], R(-0.5), s);
		d = {d.x * R(0.86602540378443864676), d.y * R(0.86602540378443864676)};
		x[0] = x[0] + s, x[1] = m + d, x[2] = m - d;
	} else {
		const R c1 = R(0.30901699437494742410), c2 = R(-0.80901699437494742410), s1 = R(0.95105651629515357212), s2 = R(0.58778525229247312917);
		C s = x[1] + x[4], t = x[2] + x[3], d = turned(x[1] - x[4]), e = turned(x[2] - x[3]);
		C a = mixed(mixed(x[0], c1, s), c2, t), b = mixed(mixed(x[0], c2, s), c1, t);
		C p = mixed(C{d.x * s1, d.y * s1}, s2, e), q = mixed(C{d.x * s2, d.y * s2}, -s1, e);
		x[0] = x[0] + s + t, x[1] = a + p, x[4] = a - p, x[2] = b + q, x[3] = b - q;
	}
}

// transform is that of M numbers in a (T. Stockham's, which leaves them in order), by `threads` threads of which this
// is number `thread`; all threads of the block call it together. b has room for as many; the result's place is
// returned. turn has the M roots of unity, exp(-2 pi i j/M). M has no prime factors above 5 and is even.
template <class R> __device__ Complex<R> *transform(Complex<R> *a, Complex<R> *b, int M, const Complex<R> *turn, int thread, int threads) {
	int left = M;
	for (int s = 1; left > 1;) {
		int r = left % 4 == 0 ? 4 : left % 2 == 0 ? 2 : left % 3 == 0 ? 3 : 5;
		int m = left / r, count = M / r;
		__syncthreads();
		for (int k = thread; k < count; k += threads) {
			int p = k / s, q = k - p * s;
			Complex<R> x[5];
#pragma unroll
			for (int j = 0; j < 5; j++)
				if (j < r) x[j] = a[k + count * j];
			small(x, r);
			Complex<R> *to = b + q + s * r * p;
			to[0] = x[0];
#pragma unroll
			for (int j = 1; j < 5; j++)
				if (j < r) to[s * j] = p ? x[j] * turn[p * j * s] : x[j];
		}
		Complex<R> *t = a;
		a = b, b = t;
		s *= r, left = m;
	}
	__syncthreads();
	return a;
}

// ---- the convolution

// fieldRows makes the spectra of two rows a block, and clears them. Dynamic shared memory: 2 M numbers.
extern "C" __global__ void __launch_bounds__(256) fieldRows(int N, long long *charges, const Complex<float> *turn, Complex<float> *spectrum) {
	DYNAMIC_SHARED(Complex<float>, room);
	int M = 2 * N, pitch = N + 16;
	long long *one = charges + (long long)blockIdx.x * 2 * N, *two = one + N;
	for (int x = threadIdx.x; x < M; x += blockDim.x) {
		Complex<float> v = {0, 0};
		if (x < N) {
			v = {(float)one[x] * 0x1p-36f, (float)two[x] * 0x1p-36f};
			one[x] = 0, two[x] = 0;
		}
		room[x] = v;
	}
	Complex<float> *z = transform(room, room + M, M, turn, threadIdx.x, blockDim.x);
	Complex<float> *out = spectrum + (long long)blockIdx.x * 2 * pitch;
	for (int k = threadIdx.x; k <= N; k += blockDim.x) {
		Complex<float> a = z[k], b = z[k ? M - k : 0];
		out[k] = {0.5f * (a.x + b.x), 0.5f * (a.y - b.y)};
		out[pitch + k] = {0.5f * (a.y + b.y), 0.5f * (b.x - a.x)};
	}
}

// fieldColumns convolves `columns` columns a block: transform, times the kernel's spectrum, back. z is then the sum of
// all potentials: sum |rho^|^2 G, and what the kernel leaves out: own terms, and far (K(L), see fieldKernel).
// Dynamic shared memory: 2 M + 4 numbers a column, so that columns begin on different banks.
extern "C" __global__ void __launch_bounds__(256) fieldColumns(int N, int columns, const Complex<float> *turn, const float *kernel, Complex<float> *spectrum, double own,
	double *partial, unsigned *ticket, double *z) {
	DYNAMIC_SHARED(Complex<float>, all);
	int M = 2 * N, pitch = N + 16, first = blockIdx.x * columns;
	int room = 2 * M + 4, threads = blockDim.x / columns, c = threadIdx.x / threads, t = threadIdx.x % threads, kx = first + c;
	for (int k = threadIdx.x; k < M * columns; k += blockDim.x) {
		int y = k / columns, x = k % columns;
		Complex<float> v = {0, 0};
		if (y < N && first + x <= N) v = spectrum[(long long)y * pitch + first + x];
		all[room * x + y] = v;
	}
	Complex<float> *a = transform(all + room * c, all + room * c + M, M, turn, t, threads);
	double sum[1] = {0};
	const float *g = kernel + (long long)min(kx, N) * (N + 1); // which is symmetric
	for (int k = t; k < M; k += threads) {
		Complex<float> v = a[k];
		float f = g[k <= N ? k : M - k];
		if (kx <= N) sum[0] += (double)fmaf(v.x, v.x, v.y * v.y) * f * (kx == 0 || kx == N ? 1 : 2);
		a[k] = {v.y * f, v.x * f}; // the other way round: that makes the transform go back
	}
	Complex<float> *b = a == all + room * c ? a + M : a - M;
	a = transform(a, b, M, turn, t, threads);
	int at = (int)(a - (all + room * c)); // the same for all columns
	for (int k = threadIdx.x; k < N * columns; k += blockDim.x) {
		int y = k / columns, x = k % columns;
		Complex<float> v = all[room * x + at + y];
		if (first + x <= N) spectrum[(long long)y * pitch + first + x] = {v.y, v.x};
	}
	if (blockIdx.x == 0 && threadIdx.x == 0) sum[0] += own;
	reduce<1, 0, 0>(sum, partial, ticket, z);
}

// fieldBack makes two rows of the potential a block. Dynamic shared memory: 2 M numbers.
extern "C" __global__ void __launch_bounds__(256) fieldBack(int N, const Complex<float> *spectrum, const Complex<float> *turn, float *potential) {
	DYNAMIC_SHARED(Complex<float>, room);
	int M = 2 * N, pitch = N + 16;
	const Complex<float> *one = spectrum + (long long)blockIdx.x * 2 * pitch, *two = one + pitch;
	for (int k = threadIdx.x; k < M; k += blockDim.x) {
		int j = k <= N ? k : M - k;
		float s = k <= N ? 1 : -1;
		Complex<float> a = one[j], b = two[j];
		if (j == 0 || j == N) a.y = 0, b.y = 0; // real, but for rounding
		room[k] = {s * a.y + b.x, a.x - s * b.y}; // a + i b, turned round
	}
	Complex<float> *z = transform(room, room + M, M, turn, threadIdx.x, blockDim.x);
	float *out = potential + (long long)blockIdx.x * 2 * N;
	for (int x = threadIdx.x; x < N; x += blockDim.x) out[x] = z[x].y, out[N + x] = z[x].x;
}

// ---- the kernel's spectrum, when the lattice has changed

// fieldKernelRows transforms rows 0..N of K(r) - K(L) = (L^2-r^2)/((1+r^2)(1+L^2)), sampled at distances of h and even
// about 0, two at a time; L is the lattice's diagonal. room has 2 M numbers a block.
extern "C" __global__ void __launch_bounds__(256) fieldKernelRows(int N, double h, const Complex<double> *turn, Complex<double> *room, double *rows) {
	int M = 2 * N;
	double l2 = 2 * (h * N) * (h * N);
	Complex<double> *a = room + (long long)blockIdx.x * 2 * M;
	for (int y = 2 * blockIdx.x; y <= N; y += 2 * gridDim.x) {
		__syncthreads();
		for (int k = threadIdx.x; k < M; k += blockDim.x) {
			double x = h * (k <= N ? k : M - k), v[2];
			for (int i = 0; i < 2; i++) {
				double r2 = x * x + (h * (y + i)) * (h * (y + i));
				v[i] = (l2 - r2) / ((1 + r2) * (1 + l2));
			}
			a[k] = {v[0], v[1]};
		}
		Complex<double> *z = transform(a, a + M, M, turn, threadIdx.x, blockDim.x);
		for (int k = threadIdx.x; k <= N; k += blockDim.x) {
			rows[(long long)y * (N + 1) + k] = z[k].x;
			if (y < N) rows[(long long)(y + 1) * (N + 1) + k] = z[k].y;
		}
	}
}

// bend is the square of the transform of the spline at integers.
__device__ inline double bend(int order, int k, int M, const Complex<double> *turn) {
	double b = order == 4 ? (4 + 2 * turn[k].x) / 6 : (66 + 52 * turn[k].x + 2 * turn[2 * k % M].x) / 120;
	return b * b;
}

// fieldKernelColumns does the other direction, and divides by the splines' spectra and by M^2. The result is symmetric.
extern "C" __global__ void __launch_bounds__(256) fieldKernelColumns(int N, int order, const Complex<double> *turn, Complex<double> *room, const double *rows,
	float *kernel) {
	int M = 2 * N;
	Complex<double> *a = room + (long long)blockIdx.x * 2 * M;
	for (int x = 2 * blockIdx.x; x <= N; x += 2 * gridDim.x) {
		__syncthreads();
		int other = min(x + 1, N);
		for (int k = threadIdx.x; k < M; k += blockDim.x) {
			const double *from = rows + (long long)(k <= N ? k : M - k) * (N + 1);
			a[k] = {from[x], from[other]};
		}
		Complex<double> *z = transform(a, a + M, M, turn, threadIdx.x, blockDim.x);
		for (int k = threadIdx.x; k <= N; k += blockDim.x) {
			double by = (double)M * M * bend(order, k, M, turn);
			kernel[(long long)x * (N + 1) + k] = (float)(z[k].x / (by * bend(order, x, M, turn)));
			if (x < N) kernel[(long long)other * (N + 1) + k] = (float)(z[k].y / (by * bend(order, other, M, turn)));
		}
	}
}

// ---- a unit's end

// The lanes of a row share the nodes around its point.
template <int P> __device__ inline Place<2> repulsion(Grid g, const float *potential, const Place<2> &own, int lane) {
	float2 u = g.of(own);
	float wx[P], wy[P], dx[P], dy[P];
	int x0 = spline<P>(u.x, wx, &dx), y0 = spline<P>(u.y, wy, &dy);
	float fx = 0, fy = 0;
	if (x0 >= 0 && y0 >= 0 && x0 <= g.N - P && y0 <= g.N - P) {
		// Of P = 4 nodes a row is that of two lanes, of P = 6 of one.
		const int half = P == 4 ? 2 : 1;
		int b = lane / half, a0 = lane % half * (P / half);
		float weight = 0, rise = 0, value = 0, slope = 0;
#pragma unroll
		for (int k = 0; k < P; k++)
			if (k == b) weight = wy[k], rise = dy[k];
		if (b < P) {
			const float *row = potential + (long long)(y0 + b) * g.N + x0 + a0;
#pragma unroll
			for (int a = 0; a < P / half; a++) {
				bool right = half == 2 && a0;
				float v = row[a];
				value = fmaf(right ? wx[(a + P / 2) % P] : wx[a], v, value);
				slope = fmaf(right ? dx[(a + P / 2) % P] : dx[a], v, slope);
			}
		}
		fx = slope * weight, fy = value * rise;
	}
	Place<2> r = {{fx, fy}};
#pragma unroll
	for (int w = lanes / 2; w > 0; w /= 2)
#pragma unroll
		for (int c = 0; c < 2; c++) r.c[c] += __shfl_xor_sync(0xffffffffu, r.c[c], w);
	r.c[0] *= -0.5f * g.inverse, r.c[1] *= -0.5f * g.inverse;
	return r;
}

// Points first to n - 1 are moved; a block moves so many rows that follow each other.
template <int P>
__device__ void move(int n, Moving<2> m, Grid g, const float *potential, const long long *start, const int *column, const float *value, const double *z, int rows, int first) {
	__shared__ float over;
	if (threadIdx.x == 0) over = *z > 0 ? (float)(1 / *z) : 0;
	long long from = first + (long long)blockIdx.x * rows, end = min(from + rows, (long long)n);
	__syncthreads();
	m.over = over;
	int lane = threadIdx.x % lanes, each = blockDim.x / lanes;
	for (long long base = from; base < end; base += each) {
		long long at = base + threadIdx.x / lanes;
		int i = (int)min(at, end - 1);
		Place<2> own = placeOf(m.y[i]), r = repulsion<P>(g, potential, own, lane);
		Place<2> a = attraction<2>(m.y, i, own, start[i], start[i + 1], column, value);
		if (at < end && lane == 0) m.point(i, own, a, r);
	}
}

#define MOVE(P)                                                                                                                                      \
	extern "C" __global__ void __launch_bounds__(moveThreads, moveBlocks) fieldMove##P(int n, const float2 *y, float2 *fresh, float2 *v, float2 *gain, \
		const unsigned char *held, const long long *start, const int *column, const float *value, const float *potential, int N, float inverse,          \
		float x0, float y0, float lowX, float lowY, float highX, float highY, const double *z, float e, float mu, float eta, float *forces,              \
		int rows, int first) {                                                                                                                           \
		move<P>(n, {y, fresh, v, gain, held, e, mu, eta, 0, {lowX, lowY}, {highX, highY}, forces}, {N, inverse, x0, y0}, potential, start,               \
			column, value, z, rows, first);                                                                                                                \
	}
MOVE(4)
MOVE(6)
