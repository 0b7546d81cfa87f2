// The published k-NN kernels: BASE, SHARED, GRIDINSERT, RADIX, BITONIC.
//
// Each gives the `find` nearest landmarks (rows of codebook, g x d) of the points [from, from+count) (rows
// of x, d columns) in out, count x find, nearest first, ties to the lower id. Distances are direct float32
// sums of (x-L)^2. A row is NaN with id 0 for a point that is not finite, and +Inf throughout where
// float32 overflows for one of its neighbours. 1 <= find <= min(g, 65), g <= 4096.
#include "papers_knn.cuh"

using namespace papers;

// BASE: a thread for a point, with the ordered list in its local memory (that is the stack frame the
// compiler reports). blockDim.x is free.
extern "C" __global__ void __launch_bounds__(256)
papersKnnBase(const float *__restrict__ x, long long from, long long count, int d, const float *__restrict__ codebook, int g,
              int find, Pair *__restrict__ out) {
  long long n = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (n >= count) return;
  const float *point = x + (from + n) * d;
  Pair list[65];
  for (int r = 0; r < find; r++) list[r] = {infinity, 0};
  float worst = infinity;
  for (int j = 0; j < g; j++) {
    float s = squared(point, codebook + (size_t)j * d, d);
    if (!(s < worst)) continue;
    insert(list, find, {s, (unsigned)j});
    worst = list[find - 1].distance2;
  }
  Row row = judge(worst, point, d);
  out += n * find;
  for (int r = 0; r < find; r++) out[r] = written(row, list[r], r);
}

// SHARED: BASE with the landmarks in shared memory, `tile` of them at a time: all, where they fit, and then
// they are loaded once for all points of the block. Dynamic shared memory: tile*d floats.
extern "C" __global__ void __launch_bounds__(1024)
papersKnnShared(const float *__restrict__ x, long long from, long long count, int d, const float *__restrict__ codebook, int g,
                int find, Pair *__restrict__ out, int tile) {
  DYNAMIC_SHARED(float, cached);
  Pair list[65];
  bool loaded = false;
  for (long long start = blockIdx.x * (long long)blockDim.x; start < count; start += (long long)gridDim.x * blockDim.x) {
    long long n = start + threadIdx.x;
    const float *point = x + (from + min(n, count - 1)) * d;
    for (int r = 0; r < find; r++) list[r] = {infinity, 0};
    float worst = infinity;
    for (int first = 0; first < g; first += tile) {
      int some = min(tile, g - first);
      if (!loaded) {
        __syncthreads();
        const float *source = codebook + (size_t)first * d;
        for (int i = threadIdx.x; i < some * d; i += blockDim.x) cached[i] = source[i];
        __syncthreads();
        loaded = tile >= g;
      }
      for (int j = 0; j < some; j++) {
        float s = squared(point, cached + j * d, d);
        if (!(s < worst)) continue;
        insert(list, find, {s, (unsigned)(first + j)});
        worst = list[find - 1].distance2;
      }
    }
    if (n >= count) continue;
    Row row = judge(worst, point, d);
    for (int r = 0; r < find; r++) out[n * find + r] = written(row, list[r], r);
  }
}

// GRIDINSERT: blockDim = (w, h): w landmarks times h points at a time from shared memory, a thread for
// each distance, then one thread for each point inserts; meanwhile the others load what comes next.
// Columns are cached `chunk` at a time: all, where they fit, and then the points are loaded once.
// Dynamic shared memory: h*find Pairs, then h*w + (h+w)*(chunk|1) floats; rows are padded to an odd length
// against bank conflicts.
extern "C" __global__ void __launch_bounds__(1024)
papersKnnGridInsert(const float *__restrict__ x, long long from, long long count, int d, const float *__restrict__ codebook,
                    int g, int find, Pair *__restrict__ out, int chunk) {
  DYNAMIC_SHARED(Pair, lists);
  const int w = blockDim.x, h = blockDim.y, wide = chunk | 1;
  float *distance = reinterpret_cast<float *>(lists + h * find); // h x w
  float *landmarks = distance + h * w;                           // w x wide
  float *points = landmarks + w * wide;                          // h x wide
  const int thread = threadIdx.y * w + threadIdx.x, threads = w * h;
  const long long start = (long long)blockIdx.x * h;
  const int here = (int)min((long long)h, count - start);
  Pair *list = lists + threadIdx.y * find;
  float worst = infinity; // known to the thread that inserts

  for (int r = threadIdx.x; r < find; r += w) list[r] = {infinity, 0};
  for (int first = 0; first < g; first += w) {
    const int some = min(w, g - first);
    float s = 0;
    for (int c0 = 0; c0 < d; c0 += chunk) {
      const int columns = min(chunk, d - c0);
      if (c0 > 0) __syncthreads(); // the last columns have been used
      const float *source = codebook + (size_t)first * d + c0;
      for (Stride e(thread, threads, columns); e.row < some; e.next()) landmarks[e.row * wide + e.col] = source[(size_t)e.row * d + e.col];
      if (first == 0 || chunk < d)
        for (Stride e(thread, threads, columns); e.row < here; e.next()) points[e.row * wide + e.col] = x[(from + start + e.row) * d + c0 + e.col];
      __syncthreads();
      if ((int)threadIdx.x < some && (int)threadIdx.y < here) {
        s += squared(points + threadIdx.y * wide, landmarks + threadIdx.x * wide, columns);
      }
    }
    distance[threadIdx.y * w + threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.x == 0 && (int)threadIdx.y < here) {
      for (int j = 0; j < some; j++) {
        float t = distance[threadIdx.y * w + j];
        if (!(t < worst)) continue;
        insert(list, find, {t, (unsigned)(first + j)});
        worst = list[find - 1].distance2;
      }
    }
  }
  __syncthreads();
  if ((int)threadIdx.y >= here) return;
  const float *point = x + (from + start + threadIdx.y) * d;
  Row row = judge(list[find - 1].distance2, point, d);
  out += (start + threadIdx.y) * find;
  for (int r = threadIdx.x; r < find; r += w) out[r] = written(row, list[r], r);
}

// RADIX: a block of 128 threads for a point; all g (distance, id) pairs are sorted by a stable radix sort
// in shared memory, then the first `find` are written. A thread holds ITEMS of them, g <= 128*ITEMS.
template <int ITEMS>
__device__ __forceinline__ void knnRadix(const float *x, long long from, int d, const float *codebook, int g, int find, Pair *out) {
  constexpr int slots = radixThreads * ITEMS;
  __shared__ unsigned keys[slots];
  __shared__ unsigned short ids[slots];
  __shared__ unsigned counts[radixDigits * radixWarps]; // of digit and warp, then where they begin
  __shared__ unsigned sums[radixWarps];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int mine = warp * 32 * ITEMS + lane; // and 32, 64, ... further
  const float *point = x + (from + blockIdx.x) * d;

  float s[ITEMS];
  unsigned key[ITEMS], id[ITEMS];
#pragma unroll
  for (int i = 0; i < ITEMS; i++) s[i] = 0;
  for (int c0 = 0; c0 < d; c0 += part) {
#pragma unroll 4
    for (int c = c0; c < min(d, c0 + part); c++) {
      float v = point[c];
#pragma unroll
      for (int i = 0; i < ITEMS; i++) {
        int j = min(mine + 32 * i, g - 1);
        float t = v - codebook[(size_t)j * d + c];
        s[i] += t * t;
      }
    }
    if (d <= part) break;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) { // the sum of the parts so far waits where the key will be
      float before = c0 == 0 ? 0 : __uint_as_float(keys[mine + 32 * i]);
      s[i] += before;
      if (c0 + part >= d) continue;
      keys[mine + 32 * i] = __float_as_uint(s[i]);
      s[i] = 0;
    }
  }
#pragma unroll
  for (int i = 0; i < ITEMS; i++) {
    id[i] = mine + 32 * i;
    key[i] = (int)id[i] < g ? ordered(s[i]) : 0x7fffffffu; // what is no landmark comes last
  }

  for (int pass = 0; pass < 4; pass++) {
    for (int i = thread; i < radixDigits * radixWarps; i += radixThreads) counts[i] = 0;
    __syncthreads();
    unsigned rank[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) { // among the equal digits of the warp, in order
      unsigned digit = digitOf(key[i], pass), same = peers(digit);
      unsigned *count = counts + digit * radixWarps + warp;
      unsigned before = __popc(same & ((1u << lane) - 1));
      rank[i] = *count + before;
      __syncwarp();
      if (before == 0) *count += __popc(same);
      __syncwarp();
    }
    __syncthreads();
    // Exclusive sums over all counts: a thread has 8 consecutive ones.
    constexpr int own = radixDigits * radixWarps / radixThreads;
    unsigned part[own], sum = 0;
#pragma unroll
    for (int i = 0; i < own; i++) part[i] = counts[thread * own + i], sum += part[i];
    unsigned upto = inclusive(sum, lane);
    if (lane == 31) sums[warp] = upto;
    __syncthreads();
    unsigned start = upto - sum;
    for (int i = 0; i < warp; i++) start += sums[i];
#pragma unroll
    for (int i = 0; i < own; i++) {
      counts[thread * own + i] = start;
      start += part[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
      unsigned place = counts[digitOf(key[i], pass) * radixWarps + warp] + rank[i];
      keys[place] = key[i];
      ids[place] = id[i];
    }
    __syncthreads();
    if (pass == 3) break;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) key[i] = keys[mine + 32 * i], id[i] = ids[mine + 32 * i];
  }
  Row row = judge(__uint_as_float(keys[find - 1]), point, d);
  out += (long long)blockIdx.x * find;
  for (int r = thread; r < find; r += radixThreads) out[r] = written(row, {__uint_as_float(keys[r]), ids[r]}, r);
}

#define KNN_RADIX(items)                                                                                          \
  extern "C" __global__ void __launch_bounds__(radixThreads)                                                       \
  papersKnnRadix##items(const float *__restrict__ x, long long from, long long count, int d,                      \
                        const float *__restrict__ codebook, int g, int find, Pair *__restrict__ out) {            \
    knnRadix<items>(x, from, d, codebook, g, find, out);                                                          \
  }
KNN_RADIX(1)
KNN_RADIX(2)
KNN_RADIX(4)
KNN_RADIX(8)
KNN_RADIX(16)
KNN_RADIX(32)

// BITONIC: K threads for a point, K the power of two from `find` up; 2K keys in shared memory: the K nearest
// so far and K new ones. K/2 threads sort the first while K/2 sort the second; then min(first[i],
// second[K-1-i]) are the K nearest, a bitonic sequence. 256 threads, so 256/K points, in a block.
template <int K>
__device__ __forceinline__ void knnBitonic(const float *x, long long from, long long count, int d, const float *codebook, int g, int find, Pair *out) {
  constexpr int points = 256 / K;
  __shared__ Key buffers[points][2][K];
  const int t = threadIdx.x % K, p = threadIdx.x / K;
  Key *best = buffers[p][0], *fresh = buffers[p][1];
  const long long n = (long long)blockIdx.x * points + p;
  const float *point = x + (from + min(n, count - 1)) * d; // the last block's spare threads repeat the last point
  auto key = [&](int j) { return j < g ? pack(squaredWide(point, codebook + (size_t)j * d, d), j) : lastKey; };
  auto together = [] {
    if (K <= 32) __syncwarp();
    else __syncthreads();
  };

  best[t] = key(t);
  for (int first = K; first < g; first += K) {
    fresh[t] = key(first + t);
    together();
    sort<K>(t < K / 2 ? best : fresh, t % (K / 2));
    together();
    Key other = fresh[K - 1 - t];
    if (other < best[t]) best[t] = other;
    together();
  }
  together();
  sort<K>(t < K / 2 ? best : fresh, t % (K / 2));
  together();
  if (n >= count) return;
  Row row = judge(unpack(best[find - 1]).distance2, point, d);
  for (int r = t; r < find; r += K) out[n * find + r] = written(row, unpack(best[r]), r);
}

#define KNN_BITONIC(k)                                                                                             \
  extern "C" __global__ void __launch_bounds__(256, 6)                                                             \
  papersKnnBitonic##k(const float *__restrict__ x, long long from, long long count, int d,                         \
                      const float *__restrict__ codebook, int g, int find, Pair *__restrict__ out) {               \
    knnBitonic<k>(x, from, count, d, codebook, g, find, out);                                                      \
  }
KNN_BITONIC(8)
KNN_BITONIC(16)
KNN_BITONIC(32)
KNN_BITONIC(64)
KNN_BITONIC(128)
