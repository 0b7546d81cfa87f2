// The device functions of the papers' kernels, one by one, for tests.
#include "../../kernels/papers_knn.cuh"
#include "../../kernels/papers_project.cuh"

using namespace papers;

// sorts `count` sequences of K keys in place, a block of K threads for two of them.
template <int K> __device__ void sortTwo(Key *keys) {
  __shared__ Key s[2][K];
  Key *mine = keys + (size_t)blockIdx.x * 2 * K;
  s[0][threadIdx.x] = mine[threadIdx.x];
  s[1][threadIdx.x] = mine[K + threadIdx.x];
  __syncthreads();
  sort<K>(s[threadIdx.x >= K / 2], threadIdx.x % (K / 2));
  __syncthreads();
  mine[threadIdx.x] = s[0][threadIdx.x];
  mine[K + threadIdx.x] = s[1][threadIdx.x];
}
// Blocks of fewer than a warp cannot be: K = 8 and 16 run as parts of one.
template <int K> __device__ void sortSmall(Key *keys) {
  __shared__ Key s[64];
  Key *mine = keys + (size_t)blockIdx.x * 64;
  s[threadIdx.x] = mine[threadIdx.x];
  s[threadIdx.x + 32] = mine[threadIdx.x + 32];
  __syncwarp();
  sort<K>(s + threadIdx.x / (K / 2) * K, threadIdx.x % (K / 2));
  __syncwarp();
  mine[threadIdx.x] = s[threadIdx.x];
  mine[threadIdx.x + 32] = s[threadIdx.x + 32];
}
extern "C" __global__ void sort8(Key *keys) { sortSmall<8>(keys); }
extern "C" __global__ void sort16(Key *keys) { sortSmall<16>(keys); }
extern "C" __global__ void sort32(Key *keys) { sortTwo<32>(keys); }
extern "C" __global__ void sort64(Key *keys) { sortTwo<64>(keys); }
extern "C" __global__ void sort128(Key *keys) { sortTwo<128>(keys); }

// list: n distances, inserted one by one into a list of find; ids are their places.
extern "C" __global__ void insertAll(const float *v, int n, int find, float *distance2, unsigned *id) {
  Pair list[65];
  for (int r = 0; r < find; r++) list[r] = {infinity, 0};
  for (int i = 0; i < n; i++)
    if (v[i] < list[find - 1].distance2) insert(list, find, {v[i], (unsigned)i});
  for (int r = 0; r < find; r++) distance2[r] = list[r].distance2, id[r] = list[r].id;
}

// same[i]: the lanes of thread i's warp with its digit; upto[i]: the sum of v up to its lane.
extern "C" __global__ void warpWork(const unsigned *key, int pass, unsigned *same, unsigned *upto) {
  int i = threadIdx.x;
  same[i] = peers(digitOf(key[i], pass));
  upto[i] = inclusive(key[i] & 0xff, i % 32);
}

// The system of n pairs: l (2n x DIMS positions), score product, q and dot of each; gravity at the first
// of each. y and whether it could be solved.
template <int DIMS> __device__ void pairs(int n, const float *l, const float *s, const float *q, const float *dot, float adjust, float pull, float *y, int *ok) {
  System<DIMS> sys;
  sys.clear();
  for (int i = threadIdx.x; i < n; i += 32) {
    sys.pull(l + 2 * i * DIMS, pull * s[i]);
    sys.pair(l + 2 * i * DIMS, l + (2 * i + 1) * DIMS, s[i], q[i], dot[i], adjust);
  }
  sys.gather();
  if (threadIdx.x) return;
  *ok = sys.solve();
  for (int p = 0; p < DIMS; p++) y[p] = sys.c[p];
}
extern "C" __global__ void pairs2(int n, const float *l, const float *s, const float *q, const float *dot, float adjust, float pull, float *y, int *ok) {
  pairs<2>(n, l, s, q, dot, adjust, pull, y, ok);
}
extern "C" __global__ void pairs3(int n, const float *l, const float *s, const float *q, const float *dot, float adjust, float pull, float *y, int *ok) {
  pairs<3>(n, l, s, q, dot, adjust, pull, y, ok);
}

extern "C" __global__ void scores(const float *D, int k, int find, float per, float *s) {
  int r = threadIdx.x;
  if (r < k) s[r] = scoreOf(D[r], D[0], D[find - 1], per, k < find);
}
