// The points that float32 cannot do, in float64, with a warp for each: the reference of package embedsom,
// step by step. Distances are differences to a nearby landmark b,
//
//	|x-L_i|^2 - |x-L_b|^2 = (L_b-L_i) . ((x-L_b) + (x-L_i)),
//
// which do not cancel.
#include "layout.cuh"

enum { full = 32 };

__device__ inline double fromLane(double v, int lane) {
	long long b = __double_as_longlong(v);
	int low = __shfl_sync(0xffffffffu, (int)b, lane), high = __shfl_sync(0xffffffffu, (int)(b >> 32), lane);
	return __longlong_as_double((long long)high << 32 | (unsigned)low);
}
__device__ inline double fromXor(double v, int mask) { return fromLane(v, (threadIdx.x & 31) ^ mask); }

__device__ inline double sumWarp(double v) {
	for (int m = 16; m >= 1; m >>= 1) v += fromXor(v, m);
	return v;
}

// least finds the lowest (value, id) of the warp.
__device__ inline void least(double &v, int &id) {
	for (int m = 16; m >= 1; m >>= 1) {
		double w = fromXor(v, m);
		int i = __shfl_xor_sync(0xffffffffu, id, m);
		if (w < v || (w == v && i < id)) v = w, id = i;
	}
}

// solveSmall replaces c by the solution of the symmetric a y = c by Cholesky factors, if the pivots are usable.
__device__ inline bool solveSmall(const double (&a)[3][3], double (&c)[3], int m) {
	double l[3][3] = {}, y[3] = {c[0], c[1], c[2]};
	for (int i = 0; i < m; i++)
		for (int j = 0; j <= i; j++) {
			double s = a[i][j];
			for (int p = 0; p < j; p++) s -= l[i][p] * l[j][p];
			if (i != j) {
				l[i][j] = s / l[j][j];
				continue;
			}
			if (!(s > 1e-14 * a[i][i]) || !(s < 1e300)) return false;
			l[i][i] = sqrt(s);
		}
	for (int i = 0; i < m; i++) {
		for (int p = 0; p < i; p++) y[i] -= l[i][p] * y[p];
		y[i] /= l[i][i];
	}
	for (int i = m - 1; i >= 0; i--) {
		for (int p = i + 1; p < m; p++) y[i] -= l[p][i] * y[p];
		y[i] /= l[i][i];
	}
	for (int i = 0; i < m; i++)
		if (!(y[i] - y[i] == 0)) return false;
	for (int i = 0; i < m; i++) c[i] = y[i];
	return true;
}

// exactListed: block 32, one warp a point; scratch has for each block g doubles (differences), g doubles (of
// those found, sorted), g doubles (scores) and g ints (numbers).
extern "C" __global__ void __launch_bounds__(32) exactListed(const float *x, int d, const float *codebook, const float *pos, int dims, int g,
	int k, int find, float boost, float adjust, const unsigned *count, const long long *points, unsigned all, long long first, float *out, unsigned char *scratch) {
	int lane = threadIdx.x & 31;
	double *delta = (double *)(scratch + (size_t)blockIdx.x * g * 28), *found = delta + g, *score = found + g;
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
		double origin[3] = {}, a[3][3] = {}, c[3] = {};
		for (int q = 0; q < dims; q++) origin[q] = pos[(size_t)ids[0] * dims + q];
		for (int i = 0; i < k; i++) {
			double li[3] = {}, own = pull * score[i];
			const float *pi = pos + (size_t)ids[i] * dims;
			for (int q = 0; q < dims; q++) li[q] = pi[q] - origin[q];
			if (lane == 0)
				for (int q = 0; q < dims; q++) a[q][q] += own, c[q] += own * li[q];
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
				double along = t;
				for (int q = 0; q < dims; q++) along += h[q] * li[q] / hh;
				for (int q = 0; q < dims; q++) {
					c[q] += weight * along * h[q];
					for (int p = 0; p < dims; p++) a[q][p] += weight / hh * h[q] * h[p];
				}
			}
		}
		for (int q = 0; q < dims; q++) {
			c[q] = sumWarp(c[q]);
			for (int p = 0; p < dims; p++) a[q][p] = sumWarp(a[q][p]);
		}
		if (!solveSmall(a, c, dims)) { // the score-weighted mean
			for (int q = 0; q < dims; q++) {
				c[q] = 0;
				for (int i = 0; i < k; i++) c[q] += score[i] * (pos[(size_t)ids[i] * dims + q] - origin[q]);
				c[q] /= total;
			}
		}
		if (lane < dims) to[lane] = (float)(origin[lane] + c[lane]);
		__syncwarp();
	}
}
