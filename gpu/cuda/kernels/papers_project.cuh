// Device functions of the published projection kernels: scores by rank, the contribution of a pair of
// landmarks, the small system of equations. Formulas: Kratochvíl, Koladiya, Vondrášek, F1000Research
// 8:2120 (2019). Positions are taken relative to the nearest landmark, and scores as parts of the nearest
// one's (gravity is scaled alike): both change nothing but rounding and overflow.
#pragma once
#include "papers_common.cuh"

namespace papers {

constexpr float gravity = 1e-5f;  // pull of each neighbour's own position
constexpr float cutoff = 10;      // steepness of the fall to zero at the last neighbour found
constexpr float minimalH = 1e-10f; // positions nearer than the root of this make no line
constexpr float largest = 1e37f;  // squares up to this: twice and four times them are still floats
constexpr float log2e = 1.44269504f;

// Where float32 is not enough, the point goes to the engine's float64 path ("hard").
constexpr float minimalSpread = 0.01f; // of the distances, relative to their mean: below it rounding shows in the scores
constexpr float minimalPivot = 0.03f;  // of the equations, relative to the diagonal
constexpr float tiny = 1e-30f;         // and at all: what has underflown is then no part of them

enum Fate { Solved, Hard, NotAPoint };

// fateOf looks at a row of neighbours: the nearest's and the last's squared distances.
__device__ __forceinline__ Fate fateOf(float first, float last) {
  if (isnan(first)) return NotAPoint;
  return last > 0 && last < largest ? Solved : Hard;
}

// spreadTooSmall judges the weighted mean and variance of the distances.
__device__ __forceinline__ bool spreadTooSmall(float mean, float variance) {
  return !(variance > minimalSpread * minimalSpread * mean * mean);
}

// scoreOf is the score of a neighbour at distance D, as a part of the nearest one's exponential, for
// per = boost/sd. last: the distance of the last neighbour found; cut: whether scores fall to 0 there.
__device__ __forceinline__ float scoreOf(float D, float nearest, float last, float per, bool cut) {
  float s = expf((nearest - D) * per);
  return cut ? s * -expm1f(cutoff * (D / last - 1)) : s;
}

// System is the symmetric equations A y = c, only the lower half of A.
template <int DIMS> struct System {
  static constexpr int halves = DIMS * (DIMS + 1) / 2;
  float a[halves]; // 00 10 11 20 21 22
  float c[DIMS];

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int i = 0; i < halves; i++) a[i] = 0;
#pragma unroll
    for (int i = 0; i < DIMS; i++) c[i] = 0;
  }

  // pull adds the gravity of a landmark at l, times its score.
  __device__ __forceinline__ void pull(const float *l, float strength) {
#pragma unroll
    for (int q = 0; q < DIMS; q++) {
      a[q * (q + 3) / 2] += strength;
      c[q] += strength * l[q];
    }
  }

  // pair adds the pair of landmarks at li and lj, of scores whose product is s: q = |L_j-L_i|^2, dot =
  // (L_j-L_i).(x-L_i).
  __device__ __forceinline__ void pair(const float *li, const float *lj, float s, float q, float dot, float adjust) {
    float h[DIMS], H = 0, along = 0;
#pragma unroll
    for (int p = 0; p < DIMS; p++) {
      h[p] = lj[p] - li[p];
      H += h[p] * h[p];
      along += h[p] * li[p];
    }
    if (q == 0 || H < minimalH) return;
    float t = __fdividef(dot, q), e = t - 0.5f;
    float w = s * exp2f(-adjust * __log2f(1 + H) - log2e * e * e);
    if (w == 0) return; // t may be huge
    w = __fdividef(w, H);
    float r = w * (t * H + along);
#pragma unroll
    for (int p = 0; p < DIMS; p++) {
      c[p] += r * h[p];
#pragma unroll
      for (int o = 0; o <= p; o++) a[p * (p + 1) / 2 + o] += w * h[p] * h[o];
    }
  }

  // solve replaces c by y; false where float32 is not enough.
  __device__ __forceinline__ bool solve() {
    if (!(a[0] > tiny)) return false;
    float m = a[1] / a[0], p = a[2] - m * a[1];
    if (!(p > tiny && p > minimalPivot * a[2])) return false;
    float y1 = c[1] - m * c[0];
    if (DIMS == 2) {
      c[1] = y1 / p;
      c[0] = c[0] / a[0] - m * c[1];
    } else {
      float n = a[3 % halves] / a[0], u = a[4 % halves] - m * a[3 % halves], o = u / p;
      float r = a[5 % halves] - n * a[3 % halves] - o * u;
      if (!(r > tiny && r > minimalPivot * a[5 % halves])) return false;
      float y2 = c[2 % DIMS] - n * c[0] - o * y1;
      c[2 % DIMS] = y2 / r;
      c[1] = y1 / p - o * c[2 % DIMS];
      c[0] = c[0] / a[0] - m * c[1] - n * c[2 % DIMS];
    }
    bool fine = true;
#pragma unroll
    for (int q = 0; q < DIMS; q++) fine = fine && finite(c[q]);
    return fine;
  }

  // gather leaves in lane 0 the sum over the warp.
  __device__ __forceinline__ void gather() {
#pragma unroll
    for (int by = 16; by > 0; by /= 2) {
#pragma unroll
      for (int i = 0; i < halves; i++) a[i] += __shfl_down_sync(wholeWarp, a[i], by);
#pragma unroll
      for (int i = 0; i < DIMS; i++) c[i] += __shfl_down_sync(wholeWarp, c[i], by);
    }
  }
};

__device__ __forceinline__ float warpSum(float v) {
#pragma unroll
  for (int by = 16; by > 0; by /= 2) v += __shfl_xor_sync(wholeWarp, v, by);
  return v;
}

// store writes a point's position, or what becomes of it else.
template <int DIMS>
__device__ __forceinline__ void store(Fate fate, System<DIMS> &y, const float *origin, float *out, long long point,
                                      unsigned *hardCount, long long *hardList) {
  if (fate == Solved && !y.solve()) fate = Hard;
  if (fate == Hard) {
    hardList[atomicAdd(hardCount, 1u)] = point;
    return;
  }
#pragma unroll
  for (int q = 0; q < DIMS; q++) out[q] = fate == Solved ? origin[q] + y.c[q] : __uint_as_float(0x7fc00000u);
}

} // namespace papers
