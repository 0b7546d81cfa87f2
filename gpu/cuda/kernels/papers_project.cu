// The published projection kernels: BASE, SHARED, ALIGNED, REGISTERS, for positions of 2 and 3 dimensions.
//
// Each projects the points [from, from+count) (rows of x, d columns) by the direct formula, one inner
// product in d dimensions for each pair of their k nearest landmarks, and writes count x dims positions.
// pairs: count x find neighbours, nearest first, as the k-NN kernels give them; find is k, or k+1 where
// there are more than k landmarks. A point that is not finite gives NaN. A point for which float32 does not
// suffice (see papers_project.cuh) is appended to hardList, its output untouched: neighbours and position
// are then to be found in float64. `dims` and `g` of the common argument list are known or not needed.
#include "papers_project.cuh"

using namespace papers;

#define PROJECT_ARGUMENTS                                                                                             \
  const float *__restrict__ x, long long from, long long count, int d, const float *__restrict__ codebook,            \
      const float *__restrict__ pos, int dims, int g, const Pair *__restrict__ pairs, int k, int find, float boost,   \
      float adjust, float *__restrict__ out, unsigned *__restrict__ hardCount, long long *__restrict__ hardList

// BASE: a thread for a point; everything from global memory but the scores, which are in its local memory
// (that is the stack frame the compiler reports).
template <int DIMS> __device__ __forceinline__ void projectBase(PROJECT_ARGUMENTS) {
  long long n = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (n >= count) return;
  x += (from + n) * d, pairs += n * find, out += n * DIMS;
  const float nearest = sqrtf(pairs[0].distance2), last = sqrtf(pairs[find - 1].distance2);
  Fate fate = fateOf(pairs[0].distance2, pairs[find - 1].distance2);
  System<DIMS> y;
  y.clear();
  float origin[DIMS], score[64], sum = 0, mean = 0, variance = 0;
#pragma unroll
  for (int q = 0; q < DIMS; q++) origin[q] = pos[pairs[0].id * DIMS + q];
  if (fate == Solved) {
#pragma unroll 1
    for (int r = 0; r < find; r++) {
      float w = __fdividef(1.0f, r + 1.0f);
      sum += w, mean += w * (sqrtf(pairs[r].distance2) - nearest);
    }
    mean /= sum;
#pragma unroll 1
    for (int r = 0; r < find; r++) {
      float e = sqrtf(pairs[r].distance2) - nearest - mean;
      variance += __fdividef(e * e, r + 1.0f);
    }
    variance /= sum;
    if (spreadTooSmall(nearest + mean, variance)) fate = Hard;
  }
  if (fate == Solved) {
    const float per = boost / sqrtf(variance), weight = gravity * expf(-mean * per);
#pragma unroll 1
    for (int r = 0; r < k; r++) score[r] = scoreOf(sqrtf(pairs[r].distance2), nearest, last, per, k < find);
    for (int i = 0; i < k; i++) {
      const float *Li = codebook + (size_t)pairs[i].id * d;
      float li[DIMS];
#pragma unroll
      for (int q = 0; q < DIMS; q++) li[q] = pos[pairs[i].id * DIMS + q] - origin[q];
      y.pull(li, weight * score[i]);
      for (int j = i + 1; j < k; j++) {
        const float *Lj = codebook + (size_t)pairs[j].id * d;
        float lj[DIMS], q2 = 0, dot = 0;
#pragma unroll
        for (int q = 0; q < DIMS; q++) lj[q] = pos[pairs[j].id * DIMS + q] - origin[q];
#pragma unroll 4
        for (int c = 0; c < d; c++) {
          float v = Lj[c] - Li[c];
          q2 += v * v;
          dot += v * (x[c] - Li[c]);
        }
        y.pair(li, lj, score[i] * score[j], q2, dot, adjust);
      }
    }
  }
  store(fate, y, origin, out, from + n, hardCount, hardList);
}

// Group is the threads that work on one point, and what they keep of it in shared memory: a group has
// blockDim.x threads (a multiple of 32), a block blockDim.y groups. Rows of landmarks are `stride` floats
// apart; the last row, after k rounded up to even, is x. Where the rows do not fit, kernels that are
// called Far read them from global memory: stride 0. A multiple of 4 floats in all, so that every group's rows are aligned.
template <int DIMS> struct Group {
  float *rows; // even(k)+1 x stride
  float *l;    // even(k) x DIMS positions relative to the nearest
  float *score;
  int *id;
  float *sums; // a System for each warp; its first float: Fate before
  int thread, threads;

  static __device__ __forceinline__ int even(int k) { return (k + 1) & ~1; }
  static constexpr int system = System<DIMS>::halves + DIMS;

  __device__ __forceinline__ Group(float *shared, int k, int stride) : thread(threadIdx.x), threads(blockDim.x) {
    int e = even(k), rest = e * (DIMS + 2) + 1 + threads / 32 * system;
    rows = shared + threadIdx.y * ((e + 1) * stride + ((rest + 3) & ~3));
    l = rows + (e + 1) * stride;
    score = l + e * DIMS;
    id = reinterpret_cast<int *>(score + e);
    sums = score + 2 * e;
  }

  __device__ __forceinline__ void together() {
    if (threads == 32) __syncwarp();
    else __syncthreads();
  }

  // begin has the first warp turn the neighbours into scores and positions, and add gravity to y.
  __device__ __forceinline__ Fate begin(System<DIMS> &y, const Pair *pairs, const float *pos, int k, int find, float boost) {
    y.clear();
    if (thread < 32) {
      Fate fate = fateOf(pairs[0].distance2, pairs[find - 1].distance2);
      float nearest = sqrtf(pairs[0].distance2), last = sqrtf(pairs[find - 1].distance2);
      float sum = 0, mean = 0, variance = 0; // at most 65 neighbours: the loops go round once to three times
#pragma unroll 1
      for (int r = thread; r < find; r += 32) {
        float w = __fdividef(1.0f, r + 1.0f);
        sum += w, mean += w * (sqrtf(pairs[r].distance2) - nearest);
      }
      sum = warpSum(sum);
      mean = warpSum(mean) / sum;
#pragma unroll 1
      for (int r = thread; r < find; r += 32) {
        float e = sqrtf(pairs[r].distance2) - nearest - mean;
        variance += __fdividef(e * e, r + 1.0f);
      }
      variance = warpSum(variance) / sum;
      if (fate == Solved && spreadTooSmall(nearest + mean, variance)) fate = Hard;
      const float per = boost / sqrtf(variance), weight = gravity * expf(-mean * per);
      const float *origin = pos + pairs[0].id * DIMS;
#pragma unroll 1
      for (int r = thread; r < even(k); r += 32) {
        Pair p = pairs[min(r, k - 1)]; // a row more where k is odd, with no score
        id[r] = p.id;
        score[r] = r < k ? scoreOf(sqrtf(p.distance2), nearest, last, per, k < find) : 0;
#pragma unroll
        for (int q = 0; q < DIMS; q++) l[r * DIMS + q] = pos[p.id * DIMS + q] - origin[q];
        if (fate == Solved) y.pull(l + r * DIMS, weight * score[r]);
      }
      if (thread == 0) sums[0] = fate;
    }
    together();
    return Fate(int(sums[0]));
  }

  // end adds up what the threads have and stores the point; then shared memory is free again.
  __device__ __forceinline__ void end(Fate fate, System<DIMS> &y, const Pair *pairs, const float *pos, float *out, long long point,
                                      unsigned *hardCount, long long *hardList, bool wanted) {
    y.gather();
    if (threads > 32) {
      __syncthreads(); // everybody has read the fate
      float *mine = sums + thread / 32 * system;
      if (thread % 32 == 0) {
#pragma unroll
        for (int i = 0; i < y.halves; i++) mine[i] = y.a[i];
#pragma unroll
        for (int i = 0; i < DIMS; i++) mine[y.halves + i] = y.c[i];
      }
      __syncthreads();
      if (thread == 0)
#pragma unroll 1
        for (int w = 1; w < threads / 32; w++) {
#pragma unroll
          for (int i = 0; i < y.halves; i++) y.a[i] += sums[w * system + i];
#pragma unroll
          for (int i = 0; i < DIMS; i++) y.c[i] += sums[w * system + y.halves + i];
        }
    }
    if (thread == 0 && wanted) store(fate, y, pos + pairs[0].id * DIMS, out, point, hardCount, hardList);
  }
};

// SHARED: a group of threads for a point; the landmarks' coordinates, positions and scores in shared
// memory, a pair of landmarks for each thread in turn, sums of its own, then a reduction by warps.
// Dynamic shared memory: see Group; stride is d|1 against bank conflicts.
template <int DIMS, bool NEAR> __device__ __forceinline__ void projectShared(PROJECT_ARGUMENTS, int stride) {
  DYNAMIC_SHARED(float, shared);
  Group<DIMS> group(shared, k, stride);
  const long long n = min(blockIdx.x * (long long)blockDim.y + threadIdx.y, count - 1);
  const bool wanted = blockIdx.x * (long long)blockDim.y + threadIdx.y < count;
  x += (from + n) * d, pairs += n * find, out += n * DIMS;
  System<DIMS> y;
  Fate fate = group.begin(y, pairs, pos, k, find, boost);
  const float *point = x;
  if (NEAR) {
    for (Stride e(group.thread, group.threads, d); e.row < k; e.next())
      group.rows[e.row * stride + e.col] = codebook[(size_t)group.id[e.row] * d + e.col];
    float *cached = group.rows + group.even(k) * stride;
    for (int c = group.thread; c < d; c += group.threads) cached[c] = x[c];
    point = cached;
    group.together();
  }
  if (fate == Solved) {
    // The pairs (i, j), i < j, in the order of j: consecutive threads share j and read i without conflicts.
    int i = group.thread, j = 1;
    for (;;) {
      while (i >= j) i -= j, j++;
      if (j >= k) break;
      const float *Li = NEAR ? group.rows + i * stride : codebook + (size_t)group.id[i] * d;
      const float *Lj = NEAR ? group.rows + j * stride : codebook + (size_t)group.id[j] * d;
      float q2 = 0, dot = 0;
#pragma unroll 4
      for (int c = 0; c < d; c++) {
        float v = Lj[c] - Li[c];
        q2 += v * v;
        dot += v * (point[c] - Li[c]);
      }
      y.pair(group.l + i * DIMS, group.l + j * DIMS, group.score[i] * group.score[j], q2, dot, adjust);
      i += group.threads;
    }
  }
  group.end(fate, y, pairs, pos, out, from + n, hardCount, hardList, wanted);
}

__device__ __forceinline__ void add(float4 li, float4 lj, float4 p, float &q2, float &dot) {
  float v;
  v = lj.x - li.x, q2 += v * v, dot += v * (p.x - li.x);
  v = lj.y - li.y, q2 += v * v, dot += v * (p.y - li.y);
  v = lj.z - li.z, q2 += v * v, dot += v * (p.z - li.z);
  v = lj.w - li.w, q2 += v * v, dot += v * (p.w - li.w);
}

// Rows are a point's landmarks and coordinates as float4: in shared memory (NEAR), padded with zeros to
// whole float4s and an odd number of those; or as they lie in global memory, d a multiple of 4.
template <int DIMS, bool NEAR> struct Rows {
  const float4 *base;
  const int *id; // of global rows
  int stride;    // in float4, of whichever memory
  const float4 *x;

  __device__ __forceinline__ const float4 *row(int u) const { return NEAR ? base + u * stride : base + (size_t)id[u] * stride; }

  __device__ __forceinline__ Rows(Group<DIMS> &group, const float *codebook, const float *point, int d, int k, int strideFloats) {
    if (!NEAR) {
      base = reinterpret_cast<const float4 *>(codebook), id = group.id, stride = d / 4;
      x = reinterpret_cast<const float4 *>(point);
      return;
    }
    float4 *cached = reinterpret_cast<float4 *>(group.rows);
    const int quads = (d + 3) / 4, last = group.even(k);
    stride = strideFloats / 4, base = cached, id = nullptr, x = cached + last * stride;
    for (Stride e(group.thread, group.threads, quads); e.row <= last; e.next()) {
      const float *source = e.row == last ? point : codebook + (size_t)group.id[e.row] * d;
      float4 v;
      if (d % 4 == 0) v = reinterpret_cast<const float4 *>(source)[e.col];
      else {
        int c = 4 * e.col;
        v.x = source[c];
        v.y = c + 1 < d ? source[c + 1] : 0;
        v.z = c + 2 < d ? source[c + 2] : 0;
        v.w = c + 3 < d ? source[c + 3] : 0;
      }
      cached[e.row * stride + e.col] = v;
    }
    group.together();
  }
};

// ALIGNED: SHARED with rows as float4, aligned and padded, so that 16 bytes move at a time.
template <int DIMS, bool NEAR> __device__ __forceinline__ void projectAligned(PROJECT_ARGUMENTS, int stride) {
  DYNAMIC_SHARED(float, shared);
  Group<DIMS> group(shared, k, stride);
  const long long n = min(blockIdx.x * (long long)blockDim.y + threadIdx.y, count - 1);
  const bool wanted = blockIdx.x * (long long)blockDim.y + threadIdx.y < count;
  x += (from + n) * d, pairs += n * find, out += n * DIMS;
  System<DIMS> y;
  Fate fate = group.begin(y, pairs, pos, k, find, boost);
  const Rows<DIMS, NEAR> rows(group, codebook, x, d, k, stride);
  const int quads = (d + 3) / 4;
  if (fate == Solved) {
    int i = group.thread, j = 1;
    for (;;) {
      while (i >= j) i -= j, j++;
      if (j >= k) break;
      const float4 *Li = rows.row(i), *Lj = rows.row(j);
      float q2 = 0, dot = 0;
#pragma unroll 2
      for (int c = 0; c < quads; c++) add(Li[c], Lj[c], rows.x[c], q2, dot);
      y.pair(group.l + i * DIMS, group.l + j * DIMS, group.score[i] * group.score[j], q2, dot, adjust);
      i += group.threads;
    }
  }
  group.end(fate, y, pairs, pos, out, from + n, hardCount, hardList, wanted);
}

// REGISTERS: ALIGNED where a thread takes 2 x 2 pairs at a time, of rows (2a, 2a+1) with (2b, 2b+1), a < b,
// so that each float4 it loads serves two pairs. What remains are the pairs (2a, 2a+1).
template <int DIMS, bool NEAR> __device__ __forceinline__ void projectRegisters(PROJECT_ARGUMENTS, int stride) {
  DYNAMIC_SHARED(float, shared);
  Group<DIMS> group(shared, k, stride);
  const long long n = min(blockIdx.x * (long long)blockDim.y + threadIdx.y, count - 1);
  const bool wanted = blockIdx.x * (long long)blockDim.y + threadIdx.y < count;
  x += (from + n) * d, pairs += n * find, out += n * DIMS;
  System<DIMS> y;
  Fate fate = group.begin(y, pairs, pos, k, find, boost);
  const Rows<DIMS, NEAR> rows(group, codebook, x, d, k, stride);
  const int quads = (d + 3) / 4, twos = group.even(k) / 2;
  if (fate == Solved) {
    auto finish = [&](int i, int j, float q2, float dot) {
      y.pair(group.l + i * DIMS, group.l + j * DIMS, group.score[i] * group.score[j], q2, dot, adjust);
    };
    int a = group.thread, b = 1;
    for (;;) {
      while (b < twos && a >= b) a -= b, b++;
      if (b >= twos) break;
      const float4 *L0 = rows.row(2 * a), *L1 = rows.row(2 * a + 1), *L2 = rows.row(2 * b), *L3 = rows.row(2 * b + 1);
      float q02 = 0, q03 = 0, q12 = 0, q13 = 0, t02 = 0, t03 = 0, t12 = 0, t13 = 0;
#pragma unroll 1
      for (int c = 0; c < quads; c++) { // 20 registers of coordinates are enough
        float4 p = rows.x[c], v0 = L0[c], v1 = L1[c], v2 = L2[c], v3 = L3[c];
        add(v0, v2, p, q02, t02);
        add(v0, v3, p, q03, t03);
        add(v1, v2, p, q12, t12);
        add(v1, v3, p, q13, t13);
      }
      finish(2 * a, 2 * b, q02, t02);
      finish(2 * a, 2 * b + 1, q03, t03);
      finish(2 * a + 1, 2 * b, q12, t12);
      finish(2 * a + 1, 2 * b + 1, q13, t13);
      a += group.threads;
    }
    // a counts on through the remaining pairs, which go to the threads that are free.
    for (; a < twos; a += group.threads) {
      const float4 *L0 = rows.row(2 * a), *L1 = rows.row(2 * a + 1);
      float q2 = 0, dot = 0;
#pragma unroll 2
      for (int c = 0; c < quads; c++) add(L0[c], L1[c], rows.x[c], q2, dot);
      finish(2 * a, 2 * a + 1, q2, dot);
    }
  }
  group.end(fate, y, pairs, pos, out, from + n, hardCount, hardList, wanted);
}

#define GIVEN x, from, count, d, codebook, pos, dims, g, pairs, k, find, boost, adjust, out, hardCount, hardList
#define PROJECT_GROUPS(name, scheme, n, near)                                                                         \
  extern "C" __global__ void __launch_bounds__(256, near && n == 2 ? 4 : 3) papersProject##name##n(PROJECT_ARGUMENTS, int stride) {            \
    project##scheme<n, near>(GIVEN, stride);                                                                          \
  }
#define PROJECT(n)                                                                                                    \
  extern "C" __global__ void __launch_bounds__(256) papersProjectBase##n(PROJECT_ARGUMENTS) { projectBase<n>(GIVEN); } \
  PROJECT_GROUPS(Shared, Shared, n, true)                                                                             \
  PROJECT_GROUPS(SharedFar, Shared, n, false)                                                                         \
  PROJECT_GROUPS(Aligned, Aligned, n, true)                                                                           \
  PROJECT_GROUPS(AlignedFar, Aligned, n, false)                                                                       \
  PROJECT_GROUPS(Registers, Registers, n, true)                                                                       \
  PROJECT_GROUPS(RegistersFar, Registers, n, false)
PROJECT(2)
PROJECT(3)
