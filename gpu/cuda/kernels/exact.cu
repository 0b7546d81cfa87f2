// The points that float32 cannot do, in float64, with a warp for each: the reference of package embedsom,
// step by step. Distances are differences to a nearby landmark b,
//
//	|x-L_i|^2 - |x-L_b|^2 = (L_b-L_i) . ((x-L_b) + (x-L_i)),
//
// which do not cancel.
#include "layout.cuh"

__device__ inline double fromLane(double v, int lane) {
	long long b = __double_as_longlong(v);
	int low = __shfl_sync(0xffffffffu, (int)b, lane), high = __shfl_sync(0xffffffffu, (int)(b >> 32), lane);
	return __longlong_as_double((long long)high << 32 | (unsigned)low);
}
__device__ inline double fromXor(double v, int mask) { return fromLane(v, (threadIdx.x & 31) ^ mask); }

// least finds the lowest (value, id) of the warp.
__device__ inline void least(double &v, int &id) {
	for (int m = 16; m >= 1; m >>= 1) {
		double w = fromXor(v, m);
		int i = __shfl_xor_sync(0xffffffffu, id, m);
		if (w < v || (w == v && i < id)) v = w, id = i;
	}
}

// A Triangle is the upper triangular factor of the equations' matrix A (A = r^T r), with the right side and
// the diagonal of A, and the sum of the squares of what no solution satisfies. Rotating one equation after the other into it is as accurate as the square root of A's
// condition allows: scores may differ by tens of orders of magnitude.
struct Triangle {
	double r[3][3], z[3], diag[3], rest;

	// add takes row.y = b.
	__device__ void add(double (&row)[3], double b, int m) {
#pragma unroll
		for (int i = 0; i < 3; i++) {
			double v = row[i];
			if (i >= m || v == 0) continue;
			double rho = sqrt(r[i][i] * r[i][i] + v * v);
			if (rho == 0) continue;
			double c = r[i][i] / rho, s = v / rho;
			r[i][i] = rho;
#pragma unroll
			for (int j = i + 1; j < 3; j++) {
				double u = r[i][j];
				r[i][j] = c * u + s * row[j];
				row[j] = c * row[j] - s * u;
			}
			double u = z[i];
			z[i] = c * u + s * b;
			b = c * b - s * u;
		}
		rest += b * b;
	}
	__device__ void count(const double (&row)[3]) {
#pragma unroll
		for (int i = 0; i < 3; i++) diag[i] += row[i] * row[i];
	}
	// fold adds the triangles of all lanes into lane 0's, in an order that is always the same.
	__device__ void fold(int m) {
		for (int step = 16; step >= 1; step >>= 1) {
			int from = (threadIdx.x & 31) + step;
			Triangle other;
			rest += fromLane(rest, from & 31);
#pragma unroll
			for (int i = 0; i < 3; i++) {
				other.z[i] = fromLane(z[i], from & 31);
				diag[i] += fromLane(diag[i], from & 31);
#pragma unroll
				for (int j = i; j < 3; j++) other.r[i][j] = fromLane(r[i][j], from & 31);
			}
#pragma unroll
			for (int i = 0; i < 3; i++) {
				double row[3] = {};
#pragma unroll
				for (int j = i; j < 3; j++) row[j] = other.r[i][j];
				add(row, other.z[i], m);
			}
		}
	}
	// solve sets y, or returns false when a pivot is not usable: the smaller, the better the equations must agree (see
	// the reference in model/embedsom).
	__device__ bool solve(double (&y)[3], int m) const {
		double whole = rest;
		for (int i = 0; i < m; i++) whole += z[i] * z[i];
		for (int i = m - 1; i >= 0; i--) {
			double p = r[i][i], s = z[i], share = p * p / diag[i];
			if (!(share > 1e-22) || !(share * share * whole >= 1e-28 * rest) || !(p < 1e300)) return false;
			for (int j = i + 1; j < m; j++) s -= r[i][j] * y[j];
			y[i] = s / p;
			if (!(y[i] - y[i] == 0)) return false;
		}
		return true;
	}
};

// exactListed: block 32, one warp a point; a list is empty afterwards, and that of rough points, too, and if
// there were none of those, *none (which the computer sees) becomes turn, unless null; scratch has for each block g doubles (differences), g doubles (of
// those found, sorted), g doubles (scores) and g ints (numbers).
extern "C" __global__ void __launch_bounds__(32) exactListed(const float *x, int d, const float *codebook, const float *pos, int dims, int g,
	int k, int find, float boost, float adjust, unsigned *count, unsigned *rough, unsigned *ticket, const long long *points, unsigned all, long long first,
	float *out, unsigned char *scratch, volatile unsigned *none, unsigned turn) {
	int lane = threadIdx.x & 31;
	double *delta = (double *)(scratch + (size_t)blockIdx.x * ((g * 28 + 7) & ~7)), *found = delta + g, *score = found + g;
	int *ids = (int *)(score + g);
	unsigned n = points ? *count : all; // those of the list, or all from first on
	for (unsigned at = blockIdx.x; at < n; at += gridDim.x) {
		long long point = points ? points[at] : first + at;
		const float *row = x + point * d;
		float *to = out + point * dims;
		bool finite = true;
		for (int c = lane; c < d; c += 32) finite = finite && isFinite(row[c]);
		if (__any_sync(0xffffffffu, !finite)) {
			if (lane < dims) to[lane] = __int_as_float(0x7fc00000);
			continue;
		}
		// the nearest, about
		double best = INFINITY;
		int base = 1 << 30;
		for (int l = lane; l < g; l += 32) {
			double s = 0;
			for (int c = 0; c < d; c++) {
				double t = (double)row[c] - codebook[(size_t)l * d + c];
				s += t * t;
			}
			if (s < best || (s == best && l < base)) best = s, base = l;
		}
		least(best, base);
		const float *lb = codebook + (size_t)base * d;
		for (int l = lane; l < g; l += 32) {
			double s = 0;
			const float *ll = codebook + (size_t)l * d;
			for (int c = 0; c < d && l != base; c++) s += ((double)lb[c] - ll[c]) * (((double)row[c] - lb[c]) + ((double)row[c] - ll[c]));
			delta[l] = s;
		}
		// the find nearest, one after the other
		double last = -INFINITY;
		int lastId = -1;
		for (int r = 0; r < find; r++) {
			double v = INFINITY;
			int id = 1 << 30;
			for (int l = lane; l < g; l += 32) {
				double s = delta[l];
				bool after = s > last || (s == last && l > lastId);
				if (after && (s < v || (s == v && l < id))) v = s, id = l;
			}
			least(v, id);
			last = v, lastId = id;
			if (lane == 0) found[r] = v, ids[r] = id;
		}
		__syncwarp();
		double first = found[0], base2 = best + first;
		if (!(base2 > 0)) base2 = 0;
		double d1 = sqrt(base2), sum = 0, mu = 0, v = 0;
		for (int r = lane; r < find; r += 32) { // D_r - D_1
			double e = found[r] - first;
			score[r] = e > 0 ? e / (sqrt(base2 + e) + d1) : 0;
		}
		__syncwarp();
		for (int r = 0; r < find; r++) {
			sum += 1.0 / (r + 1);
			mu += score[r] / (r + 1);
		}
		mu /= sum;
		for (int r = 0; r < find; r++) v += (score[r] - mu) * (score[r] - mu) / (r + 1);
		double furthest = score[find - 1], sd = sqrt(v / sum), total = 0;
		__syncwarp();
		for (int r = lane; r < k; r += 32) {
			double e = score[r], f = 1;
			if (k < find && d1 + furthest > 0) f = -expm1(10 * (e - furthest) / (d1 + furthest));
			score[r] = sd > 0 ? f * exp(-(double)boost * e / sd) : f;
		}
		__syncwarp();
		for (int r = 0; r < k; r++) total += score[r];
		__syncwarp();
		if (!(total > 0)) {
			for (int r = lane; r < k; r += 32) score[r] = 1;
			total = k;
		}
		__syncwarp();
		double pull = 1e-5 * (sd > 0 ? exp(-(double)boost * mu / sd) : 1);
		double origin[3] = {}, c[3] = {}, weights = 0;
		Triangle sum3 = {};
		for (int q = 0; q < dims; q++) origin[q] = pos[(size_t)ids[0] * dims + q];
		for (int i = 0; i < k; i++) {
			double li[3] = {}, own = pull * score[i];
			const float *pi = pos + (size_t)ids[i] * dims;
			weights += own;
			for (int q = 0; q < dims; q++) {
				li[q] = pi[q] - origin[q];
				c[q] += own * li[q];
			}
			const float *ci = codebook + (size_t)ids[i] * d;
			for (int j = i + 1 + lane; j < k; j += 32) {
				double h[3] = {}, hh = 0, q2 = 0, t = 0;
				const float *pj = pos + (size_t)ids[j] * dims, *cj = codebook + (size_t)ids[j] * d;
				for (int q = 0; q < dims; q++) {
					h[q] = (double)pj[q] - pi[q];
					hh += h[q] * h[q];
				}
				if (hh < 1e-10) continue;
				for (int e = 0; e < d; e++) {
					double w = (double)cj[e] - ci[e];
					q2 += w * w;
					t += w * ((double)row[e] - ci[e]);
				}
				if (q2 == 0) continue;
				t /= q2;
				double weight = score[i] * score[j] * pow(1 + hh, -(double)adjust) * exp(-(t - 0.5) * (t - 0.5));
				if (weight == 0) continue; // t may be huge
				// sqrt(S/H) h.y = sqrt(S/H) (H t + h.l_i)
				double root = sqrt(weight / hh), b = t * hh;
				for (int q = 0; q < dims; q++) {
					b += h[q] * li[q];
					h[q] *= root;
				}
				sum3.count(h);
				sum3.add(h, root * b, dims);
			}
		}
		sum3.fold(dims);
		double root = sqrt(weights);
		for (int q = 0; q < dims && root > 0; q++) { // gravity: weights y = c
			double one[3] = {};
			one[q] = root;
			sum3.count(one);
			sum3.add(one, c[q] / root, dims);
		}
		double y[3] = {};
		int good = sum3.solve(y, dims);
		good = __shfl_sync(0xffffffffu, good, 0);
		for (int q = 0; q < dims; q++) {
			y[q] = fromLane(y[q], 0);
			if (good) continue;
			y[q] = 0; // the score-weighted mean
			for (int i = 0; i < k; i++) y[q] += score[i] * (pos[(size_t)ids[i] * dims + q] - origin[q]);
			y[q] /= total;
		}
		if (lane < dims) to[lane] = (float)(origin[lane] + y[lane]);
		__syncwarp();
	}
	if (points && none && blockIdx.x == 0 && lane == 0 && *rough == 0) *none = turn;
	if (points) clearWhenLast(ticket, count, rough);
}
