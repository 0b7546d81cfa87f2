// What the kernels of the published systems share: Šmelko, Kruliš, Klepl, "GPU-acceleration of
// neighborhood-based dimensionality reduction algorithm EmbedSOM" (GPGPU '24), and the BlosSOM paper.
// They are written from the papers' text, as yardsticks for our own kernels: each keeps the scheme that
// the paper describes, and is made as well as that scheme allows.
#pragma once
#include "host.cuh"

// Pair is a neighbour of a point: a landmark and its squared distance.
struct Pair {
  float distance2;
  unsigned id;
};

namespace papers {

constexpr unsigned wholeWarp = 0xffffffffu;
constexpr float infinity = INFINITY;

__device__ __forceinline__ unsigned bitsOf(float v) { return __float_as_uint(v); }

// finite is false for NaN and Inf, whatever the compiler makes of comparisons.
__device__ __forceinline__ bool finite(float v) { return (bitsOf(v) & 0x7f800000u) != 0x7f800000u; }

// Sums over many columns are made in parts of so many, or their rounding would show in the embedding of
// data with thousands of columns, whose distances hardly differ.
constexpr int part = 64;

// squared returns |x - l|^2 by direct sums.
__device__ __forceinline__ float squared(const float *__restrict__ x, const float *__restrict__ l, int d) {
  float sum = 0;
  for (int c0 = 0; c0 < d; c0 += part) {
    int end = min(d, c0 + part);
    float s = 0;
#pragma unroll 4
    for (int c = c0; c < end; c++) {
      float t = x[c] - l[c];
      s += t * t;
    }
    sum += s;
  }
  return sum;
}

// Stride walks a rows x cols array by `step` elements at a time, without a division at each step.
struct Stride {
  int row, col, rows, rest, cols;
  __device__ __forceinline__ Stride(int start, int step, int cols)
      : row(start / cols), col(start % cols), rows(step / cols), rest(step % cols), cols(cols) {}
  __device__ __forceinline__ void next() {
    row += rows, col += rest;
    if (col >= cols) col -= cols, row++;
  }
};

} // namespace papers
