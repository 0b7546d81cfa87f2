// Device functions of the published k-NN kernels: insertion, bitonic sorting, radix ranks.
#pragma once
#include "papers_common.cuh"

namespace papers {

using Key = unsigned long long; // squared distance above id: one comparison gives (distance, id) order
constexpr Key lastKey = ~Key(0);

// A squared distance is never negative, so its bits order like it does; a NaN comes last.
__device__ __forceinline__ unsigned ordered(float distance2) { return bitsOf(distance2) & 0x7fffffffu; }
__device__ __forceinline__ Key pack(float distance2, unsigned id) { return Key(ordered(distance2)) << 32 | id; }
__device__ __forceinline__ Pair unpack(Key k) { return {__uint_as_float(unsigned(k >> 32)), unsigned(k)}; }

// squaredWide is squared, with the same sum to the last bit, in loads of 16 bytes where rows allow them (d a
// multiple of 4): lanes that read a landmark each touch a line of the cache each, whatever they take from it.
__device__ __forceinline__ float squaredWide(const float *__restrict__ x, const float *__restrict__ l, int d) {
  if (d % 4 != 0) return squared(x, l, d);
  const float4 *x4 = reinterpret_cast<const float4 *>(x), *l4 = reinterpret_cast<const float4 *>(l);
  float sum = 0;
  for (int c0 = 0; c0 < d / 4; c0 += part / 4) {
    int end = min(d / 4, c0 + part / 4);
    float s = 0;
#pragma unroll 2
    for (int c = c0; c < end; c++) {
      float4 a = x4[c], b = l4[c];
      float t = a.x - b.x;
      s += t * t;
      t = a.y - b.y;
      s += t * t;
      t = a.z - b.z;
      s += t * t;
      t = a.w - b.w;
      s += t * t;
    }
    sum += s;
  }
  return sum;
}

// What a row of neighbours is, from the distance of its last.
enum Row { Ordinary, Overflown, Invalid };

// judge says so; x is looked at only where float32 gave no finite distance.
__device__ __forceinline__ Row judge(float last, const float *x, int d) {
  if (finite(last)) return Ordinary;
  for (int c = 0; c < d; c++)
    if (!finite(x[c])) return Invalid;
  return Overflown;
}

// written is the neighbour r as it is stored: NaN for a point that is not finite, +Inf in the whole row
// where a distance has overflown.
__device__ __forceinline__ Pair written(Row row, Pair p, int r) {
  if (row == Invalid) return {__uint_as_float(0x7fc00000u), 0};
  if (row == Overflown) return {infinity, unsigned(r)};
  return p;
}

// insert puts p into an ascending list of `find` neighbours, from its end; the caller has seen that it is
// nearer than the last. Landmarks come in the order of their ids, so an equal one goes behind.
__device__ __forceinline__ void insert(Pair *list, int find, Pair p) {
  int r = find - 1;
  for (; r > 0 && list[r - 1].distance2 > p.distance2; r--) list[r] = list[r - 1];
  list[r] = p;
}

__device__ __forceinline__ void order(Key &a, Key &b) {
  Key lo = a < b ? a : b;
  b = a < b ? b : a;
  a = lo;
}

// compareAt is comparator t (of K/2) of the step of a bitonic network that compares elements `stride`
// apart in sequences of `size`: ascending where up.
__device__ __forceinline__ void compareAt(Key *s, int t, int stride, bool up) {
  int i = 2 * t - (t & (stride - 1)); // (t / stride) * 2 * stride + t % stride
  Key a = s[i], b = s[i + stride];
  if ((b < a) == up) s[i] = b, s[i + stride] = a;
}

// Barrier for the comparators of one sequence of K: they are K/2 consecutive threads, and up to a stride
// of 32 a warp's comparators touch only elements of their own.
template <int K> __device__ __forceinline__ void settle(int stride) {
  if (K == 128 && stride >= 64) __syncthreads();
  else __syncwarp();
}

// merge sorts a bitonic sequence of SIZE-long parts; ascending in every other part when SIZE < K.
template <int K, int SIZE> __device__ __forceinline__ void merge(Key *s, int t) {
  bool up = SIZE == K || (2 * t & SIZE) == 0;
#pragma unroll
  for (int stride = SIZE / 2; stride > 0; stride /= 2) {
    compareAt(s, t, stride, up);
    settle<K>(stride);
    if (K == 128 && SIZE == 64 && stride == 1) __syncthreads(); // both warps, before they meet at stride 64
  }
}

// sort sorts K keys by the K/2 threads t.
template <int K> __device__ __forceinline__ void sort(Key *s, int t) {
  merge<K, 2>(s, t);
  if (K >= 4) merge<K, 4>(s, t);
  if (K >= 8) merge<K, 8>(s, t);
  if (K >= 16) merge<K, 16>(s, t);
  if (K >= 32) merge<K, 32>(s, t);
  if (K >= 64) merge<K, 64>(s, t);
  if (K >= 128) merge<K, 128>(s, t);
}

constexpr int radixThreads = 128;
constexpr int radixWarps = radixThreads / 32;
constexpr int radixBits = 8; // a digit; 31 bits of a distance are 4 digits
constexpr int radixDigits = 1 << radixBits;

__device__ __forceinline__ unsigned digitOf(unsigned key, int pass) { return key >> (pass * radixBits) & (radixDigits - 1); }

// peers returns the lanes of the warp with the same digit.
__device__ __forceinline__ unsigned peers(unsigned digit) {
  unsigned same = wholeWarp;
#pragma unroll
  for (int b = 0; b < radixBits; b++) {
    bool one = digit >> b & 1;
    unsigned ones = __ballot_sync(wholeWarp, one);
    same &= one ? ones : ~ones;
  }
  return same;
}

// inclusive returns the sum of v over this lane and those below.
__device__ __forceinline__ unsigned inclusive(unsigned v, int lane) {
#pragma unroll
  for (int by = 1; by < 32; by *= 2) {
    unsigned below = __shfl_up_sync(wholeWarp, v, by);
    if (lane >= by) v += below;
  }
  return v;
}

} // namespace papers
