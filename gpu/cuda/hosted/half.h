// Half precision and a tensor core product for the emulation in emulate.h: what kernels here use of
// cuda_fp16.h, and mma.m16n8k16 as the PTX manual lays its fragments out.
#pragma once
#include "emulate.h"
#include <cmath>

typedef _Float16 hostHalf;
struct __half {
  unsigned short bits;
};
struct __half2 {
  unsigned short x, y;
};

inline float __half2float(__half h) { hostHalf f; memcpy(&f, &h.bits, 2); return float(f); }
inline __half __float2half(float v) { hostHalf f = hostHalf(v); __half h; memcpy(&h.bits, &f, 2); return h; }
inline unsigned short __half_as_ushort(__half h) { return h.bits; }
inline __half __ushort_as_half(unsigned short b) { return {b}; }

// nextHalf is the neighbour of h above or below.
inline __half nextHalf(__half h, bool up) {
  if ((h.bits & 0x7fff) == 0) return {(unsigned short)(up ? 1 : 0x8001)};
  bool positive = !(h.bits & 0x8000);
  return {(unsigned short)(h.bits + (positive == up ? 1 : -1))};
}
inline __half __float2half_ru(float v) { __half h = __float2half(v); return __half2float(h) < v ? nextHalf(h, true) : h; }
inline __half __float2half_rd(float v) { __half h = __float2half(v); return __half2float(h) > v ? nextHalf(h, false) : h; }

inline float __low2float(__half2 v) { return __half2float({v.x}); }
inline float __high2float(__half2 v) { return __half2float({v.y}); }
inline __half2 __floats2half2_rn(float a, float b) { return {__float2half(a).bits, __float2half(b).bits}; }
template <class F> __half2 eachHalf(__half2 a, __half2 b, F f) {
  return __floats2half2_rn(f(__low2float(a), __low2float(b)), f(__high2float(a), __high2float(b)));
}
inline __half2 __hmin2(__half2 a, __half2 b) { return eachHalf(a, b, [](float x, float y) { return fminf(x, y); }); }
inline __half2 __hmax2(__half2 a, __half2 b) { return eachHalf(a, b, [](float x, float y) { return fmaxf(x, y); }); }
inline __half2 __hadd2(__half2 a, __half2 b) { return eachHalf(a, b, [](float x, float y) { return x + y; }); }
inline __half2 __hle2(__half2 a, __half2 b) { return eachHalf(a, b, [](float x, float y) { return x <= y ? 1.f : 0.f; }); }

inline unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
  unsigned long long both = (unsigned long long)y << 32 | x;
  unsigned r = 0;
  for (int i = 0; i < 4; i++) r |= unsigned(both >> 8 * (s >> 4 * i & 7) & 255) << 8 * i;
  return r;
}

// Fragments are what the lanes of a warp give to a product: four words of the first factor, two of the second.
struct Fragments {
  unsigned word[32][6];
  Fragments(const unsigned (&a)[4], uint2 b) {
    unsigned own[6] = {a[0], a[1], a[2], a[3], b.x, b.y};
    for (int w = 0; w < 6; w += 2) {
      const unsigned long long *seen = emulate::exchange(0xffffffffu, own[w] | (unsigned long long)own[w + 1] << 32, "mma.sync", HERE_);
      for (int i = 0; i < 32; i++) word[i][w] = unsigned(seen[i]), word[i][w + 1] = unsigned(seen[i] >> 32);
    }
  }
};

// hostMultiply adds a (16 x 16, row by row) times b (16 x 8, column by column) to c (16 x 8) of a warp.
inline void hostMultiply(float (&c)[4], const unsigned (&a)[4], uint2 b) {
  Fragments all(a, b);
  int lane = threadIdx.x & 31, quad = lane >> 2, p = lane & 3;
  for (int r = 0; r < 2; r++)
    for (int column = 0; column < 2; column++)
      for (int q = 0; q < 4; q++)
        for (int h = 0; h < 2; h++)
          for (int i = 0; i < 2; i++)
            c[2 * r + column] += __half2float({(unsigned short)(all.word[quad * 4 + q][r + 2 * h] >> 16 * i)}) *
                                 __half2float({(unsigned short)(all.word[(2 * p + column) * 4 + q][4 + h] >> 16 * i)});
}
// The same of bytes, 16 x 32 by 32 x 8.
inline void hostMultiply(int (&c)[4], const unsigned (&a)[4], uint2 b) {
  Fragments all(a, b);
  int lane = threadIdx.x & 31, quad = lane >> 2, p = lane & 3;
  for (int r = 0; r < 2; r++)
    for (int column = 0; column < 2; column++)
      for (int q = 0; q < 4; q++)
        for (int h = 0; h < 2; h++)
          for (int i = 0; i < 4; i++)
            c[2 * r + column] += int(all.word[quad * 4 + q][r + 2 * h] >> 8 * i & 255) * int(all.word[(2 * p + column) * 4 + q][4 + h] >> 8 * i & 255);
}

inline unsigned reduceMax(unsigned mask, unsigned v) {
  for (int m = 16; m >= 1; m >>= 1) {
    unsigned w = __shfl_xor_sync(mask, v, m);
    v = w > v ? w : v;
  }
  return v;
}
#define __reduce_max_sync(mask, v) reduceMax(mask, v)
