// An emulation of CUDA thread blocks on the host, for tests. Each CUDA thread is a fibre with a stack of
// its own; they all run on one OS thread and change over only at barriers and warp operations. So a run
// is deterministic, and a missing barrier shows when the order of the threads is changed (see launch).
// It is strict where hardware is lenient: a barrier that part of a block reaches at another line, or a
// warp operation whose mask names a lane that has ended or waits elsewhere, ends the launch with an error.
//
// Not here: textures, half, tensor cores, cooperative groups, __activemask, __match_any_sync.
#pragma once

#undef _FORTIFY_SOURCE // its longjmp refuses to change stacks
#include <csetjmp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <tuple>
#include <type_traits>
#include <ucontext.h>
#include <utility>
#include <vector>

// ---- vectors and indices

struct float2 { float x, y; };
struct float3 { float x, y, z; };
struct alignas(16) float4 { float x, y, z, w; };
struct double2 { double x, y; };
struct int2 { int x, y; };
struct alignas(16) int4 { int x, y, z, w; };
struct uint2 { unsigned x, y; };
struct uint3 { unsigned x, y, z; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
struct ulonglong2 { unsigned long long x, y; };
struct ushort2 { unsigned short x, y; };
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float3 make_float3(float x, float y, float z) { return {x, y, z}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline double2 make_double2(double x, double y) { return {x, y}; }
inline int2 make_int2(int x, int y) { return {x, y}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

// ---- the machine

namespace emulate {

enum State { Ready, AtBarrier, InWarp, Done };

struct Fibre {
  jmp_buf at; // where it goes on
  bool started;
  State state;
  uint3 index;
  unsigned mask;    // of the warp operation it waits for
  const char *kind; // of what it waits for
  const char *file;
  int line;
  unsigned long long value;    // given to a warp operation or a voting barrier
  unsigned long long seen[32]; // what the lanes gave
};

struct Machine {
  std::vector<Fibre> fibres;
  std::vector<unsigned> order;
  char *stacks = nullptr;
  size_t stackThreads = 0;
  jmp_buf scheduler;
  unsigned current = 0;
  void (*body)(void *) = nullptr;
  void *closure = nullptr;
  unsigned char *shared = nullptr;
  unsigned long long votes[3]; // and, or, count of the last voting barrier
  uint64_t random = 0;
  char error[512];
};

inline Machine machine;
constexpr size_t stackSize = 128 << 10;
constexpr size_t canaries = 64;

} // namespace emulate

inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;
constexpr int warpSize = 32;

namespace emulate {

inline void yield() {
  Fibre &f = machine.fibres[machine.current];
  if (!_setjmp(f.at)) _longjmp(machine.scheduler, 1);
}

// enter is all that a stack ever runs: a thread of one block after another.
inline void enter() {
  for (;;) {
    machine.body(machine.closure);
    Fibre &f = machine.fibres[machine.current];
    f.state = Done;
    if (!_setjmp(f.at)) _longjmp(machine.scheduler, 1);
  }
}

__attribute__((noinline)) inline void resume(unsigned i) {
  Fibre &f = machine.fibres[i];
  machine.current = i;
  threadIdx = f.index;
  if (_setjmp(machine.scheduler)) return;
  if (!f.started) {
    f.started = true;
    ucontext_t first;
    getcontext(&first);
    first.uc_stack.ss_sp = machine.stacks + i * stackSize;
    first.uc_stack.ss_size = stackSize;
    first.uc_link = nullptr;
    makecontext(&first, enter, 0);
    setcontext(&first);
  }
  _longjmp(f.at, 1);
}

// wait stops the thread until a barrier or warp operation has all its threads.
inline void wait(State s, unsigned mask, unsigned long long value, const char *kind, const char *file, int line) {
  Fibre &f = machine.fibres[machine.current];
  f.state = s, f.mask = mask, f.value = value, f.kind = kind, f.file = file, f.line = line;
  yield();
}

inline bool fail(const char *what, const Fibre &f) {
  snprintf(machine.error, sizeof machine.error, "block (%u,%u,%u): %s: thread (%u,%u,%u) waits in %s at %s:%d", blockIdx.x,
           blockIdx.y, blockIdx.z, what, f.index.x, f.index.y, f.index.z, f.kind, f.file, f.line);
  return false;
}

// release lets go on whoever has all its companions. False: an error.
inline bool release(bool &any) {
  auto &all = machine.fibres;
  any = false;
  for (size_t i = 0; i < all.size(); i++) {
    Fibre &f = all[i];
    if (f.state != InWarp) continue;
    size_t base = i & ~size_t(31);
    bool complete = true;
    for (unsigned lane = 0; lane < 32 && complete; lane++) {
      if (!(f.mask >> lane & 1)) continue;
      if (base + lane >= all.size()) return fail("the mask names a lane that does not exist", f);
      const Fibre &o = all[base + lane];
      if (o.state == Done) return fail("the mask names a lane that has ended", f);
      complete = o.state == InWarp && o.mask == f.mask && o.line == f.line && !strcmp(o.kind, f.kind);
    }
    if (!(f.mask >> (i - base) & 1)) return fail("the mask lacks the thread's own lane", f);
    if (!complete) continue;
    any = true;
    unsigned long long given[32] = {};
    for (unsigned lane = 0; lane < 32; lane++)
      if (f.mask >> lane & 1) given[lane] = all[base + lane].value;
    unsigned mask = f.mask;
    for (unsigned lane = 0; lane < 32; lane++)
      if (mask >> lane & 1) {
        memcpy(all[base + lane].seen, given, sizeof given);
        all[base + lane].state = Ready;
      }
  }
  const Fibre *one = nullptr;
  unsigned long long every = 1, some = 0, count = 0;
  for (const Fibre &f : all) {
    if (f.state == Done) continue;
    if (f.state != AtBarrier) return true;
    if (one && (one->line != f.line || strcmp(one->file, f.file))) return fail("threads of one block meet at different barriers", f);
    one = &f;
    every &= f.value != 0, some |= f.value != 0, count += f.value != 0;
  }
  if (!one) return true;
  machine.votes[0] = every, machine.votes[1] = some, machine.votes[2] = count;
  for (Fibre &f : all)
    if (f.state == AtBarrier) f.state = Ready;
  any = true;
  return true;
}

// arrange sets the order in which threads get their turn: 0 upward, 1 downward, else at random.
inline void arrange(uint64_t seed) {
  auto &o = machine.order;
  for (size_t i = 0; i < o.size(); i++) o[i] = seed == 1 ? unsigned(o.size() - 1 - i) : unsigned(i);
  if (seed < 2) return;
  for (size_t i = o.size() - 1; i > 0; i--) {
    machine.random = machine.random * 6364136223846793005u + 1442695040888963407u;
    std::swap(o[i], o[(machine.random >> 33) % (i + 1)]);
  }
}

inline bool runBlock(uint64_t seed) {
  for (size_t i = 0; i < machine.fibres.size(); i++) {
    Fibre &f = machine.fibres[i];
    f.started = f.state == Done, f.state = Ready; // a stack that is not at its end begins anew
    f.index = {unsigned(i % blockDim.x), unsigned(i / blockDim.x % blockDim.y), unsigned(i / blockDim.x / blockDim.y)};
  }
  for (;;) {
    arrange(seed);
    bool ran = false, any = false, alive = false;
    for (unsigned i : machine.order)
      if (machine.fibres[i].state == Ready) ran = true, resume(i);
    if (!release(any)) return false;
    for (const Fibre &f : machine.fibres) alive |= f.state != Done;
    if (!alive) return true;
    if (!any) {
      for (const Fibre &f : machine.fibres)
        if (f.state != Done) return fail("no thread can go on", f);
    }
    (void)ran;
  }
}

// launch runs a kernel over a grid; args points to the arguments as cuLaunchKernel has them. It returns
// nullptr, or what went wrong. seed gives the order of threads and blocks.
template <class... A, size_t... I>
const char *launch(void (*kernel)(A...), const unsigned *grid, const unsigned *block, long long shared, void **args,
                   uint64_t seed, std::index_sequence<I...>) {
  gridDim = dim3(grid[0], grid[1], grid[2]), blockDim = dim3(block[0], block[1], block[2]);
  size_t threads = size_t(block[0]) * block[1] * block[2];
  if (threads == 0 || threads > 1024 || shared < 0 || shared > 232448) return "the block is too large, or empty";
  auto body = [&] { kernel(*static_cast<std::remove_reference_t<A> *>(args[I])...); };
  machine.closure = &body;
  machine.body = [](void *c) { (*static_cast<decltype(body) *>(c))(); };
  machine.fibres.resize(threads), machine.order.resize(threads);
  machine.random = seed * 0x9e3779b97f4a7c15u + 1;
  if (machine.stackThreads < threads) {
    if (machine.stacks) munmap(machine.stacks, machine.stackThreads * stackSize);
    machine.stacks = static_cast<char *>(mmap(nullptr, threads * stackSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    machine.stackThreads = threads;
    for (Fibre &f : machine.fibres) f.state = Ready; // none has a stack
  }
  size_t room = (size_t(shared) + 15) / 16 * 16;
  machine.shared = static_cast<unsigned char *>(aligned_alloc(16, room + canaries));
  const char *error = nullptr;
  long long blocks = static_cast<long long>(grid[0]) * grid[1] * grid[2];
  for (long long n = 0; n < blocks && !error; n++) {
    long long b = seed == 1 ? blocks - 1 - n : n;
    blockIdx = {unsigned(b % grid[0]), unsigned(b / grid[0] % grid[1]), unsigned(b / grid[0] / grid[1])};
    memset(machine.shared, 0xff, room + canaries); // floats that are NaN until they are written
    if (!runBlock(seed)) error = machine.error;
    for (size_t i = size_t(shared); i < room + canaries && !error; i++)
      if (machine.shared[i] != 0xff) error = "the kernel writes beyond its dynamic shared memory";
  }
  free(machine.shared);
  machine.shared = nullptr;
  return error;
}

template <class... A>
const char *launchPacked(void (*kernel)(A...), const unsigned *grid, const unsigned *block, long long shared, void **args, uint64_t seed) {
  return launch(kernel, grid, block, shared, args, seed, std::index_sequence_for<A...>{});
}

inline unsigned lane() { return machine.current & 31; }
template <class T> unsigned long long pack(T v) {
  static_assert(sizeof(T) <= 8, "at most 64 bits travel in a warp");
  unsigned long long u = 0;
  memcpy(&u, &v, sizeof v);
  return u;
}
template <class T> T unpack(unsigned long long u) {
  T v;
  memcpy(&v, &u, sizeof v);
  return v;
}
inline const unsigned long long *exchange(unsigned mask, unsigned long long v, const char *kind, const char *file, int line) {
  wait(InWarp, mask, v, kind, file, line);
  return machine.fibres[machine.current].seen;
}
// from reads lane `source`, which must take part; outside of the segment or mask a thread keeps its own.
template <class T> T from(unsigned mask, T own, int source, int lo, int hi, const char *kind, const char *file, int line) {
  const unsigned long long *seen = exchange(mask, pack(own), kind, file, line);
  return source >= lo && source < hi && (mask >> source & 1) ? unpack<T>(seen[source]) : own;
}
template <class T> T shfl(const char *file, int line, unsigned mask, T v, int source, int width = 32) {
  int lo = lane() & ~(width - 1);
  return from(mask, v, lo + (source & (width - 1)), lo, lo + width, "__shfl_sync", file, line);
}
template <class T> T shflXor(const char *file, int line, unsigned mask, T v, int bits, int width = 32) {
  int lo = lane() & ~(width - 1);
  return from(mask, v, int(lane()) ^ bits, 0, lo + width, "__shfl_xor_sync", file, line);
}
template <class T> T shflUp(const char *file, int line, unsigned mask, T v, unsigned by, int width = 32) {
  int lo = lane() & ~(width - 1);
  return from(mask, v, int(lane()) - int(by), lo, lo + width, "__shfl_up_sync", file, line);
}
template <class T> T shflDown(const char *file, int line, unsigned mask, T v, unsigned by, int width = 32) {
  int lo = lane() & ~(width - 1);
  return from(mask, v, int(lane()) + int(by), lo, lo + width, "__shfl_down_sync", file, line);
}
inline unsigned ballot(const char *file, int line, unsigned mask, bool p) {
  const unsigned long long *seen = exchange(mask, p, "__ballot_sync", file, line);
  unsigned b = 0;
  for (unsigned i = 0; i < 32; i++) b |= unsigned(seen[i] != 0) << i;
  return b;
}
inline int reduceAdd(const char *file, int line, unsigned mask, int v) {
  const unsigned long long *seen = exchange(mask, unsigned(v), "__reduce_add_sync", file, line);
  unsigned sum = 0;
  for (unsigned i = 0; i < 32; i++) sum += mask >> i & 1 ? unsigned(seen[i]) : 0;
  return int(sum);
}
inline void barrier(const char *file, int line, bool p = false) { wait(AtBarrier, 0, p, "__syncthreads", file, line); }
inline int vote(const char *file, int line, int which, bool p) {
  barrier(file, line, p);
  return int(machine.votes[which]);
}
template <class T> T swap(T *at, T v) {
  T old = *at;
  *at = v;
  return old;
}

} // namespace emulate

// ---- the words of CUDA

#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__
#define __constant__ static
#define __shared__ static
#define __align__(n) alignas(n)
#define __grid_constant__
#ifndef HOSTED_SCAN // the scan for kernels looks for these words
#define __global__
#define __launch_bounds__(...)
#endif
#define DYNAMIC_SHARED(type, name) type *name = reinterpret_cast<type *>(emulate::machine.shared)

#define HERE_ __FILE__, __LINE__
#define __syncthreads() emulate::barrier(HERE_)
#define __syncthreads_and(p) emulate::vote(HERE_, 0, p)
#define __syncthreads_or(p) emulate::vote(HERE_, 1, p)
#define __syncthreads_count(p) emulate::vote(HERE_, 2, p)
#define __syncwarp(...) emulate::exchange(emulate::maskOr(__VA_ARGS__), 0, "__syncwarp", HERE_)
#define __shfl_sync(...) emulate::shfl(HERE_, __VA_ARGS__)
#define __shfl_xor_sync(...) emulate::shflXor(HERE_, __VA_ARGS__)
#define __shfl_up_sync(...) emulate::shflUp(HERE_, __VA_ARGS__)
#define __shfl_down_sync(...) emulate::shflDown(HERE_, __VA_ARGS__)
#define __ballot_sync(mask, p) emulate::ballot(HERE_, mask, p)
#define __reduce_add_sync(mask, v) emulate::reduceAdd(HERE_, mask, v)
#define __any_sync(mask, p) (emulate::ballot(HERE_, mask, p) != 0)
#define __all_sync(mask, p) (emulate::ballot(HERE_, mask, !(p)) == 0)
namespace emulate {
inline unsigned maskOr(unsigned m = 0xffffffffu) { return m; }
} // namespace emulate

inline void __threadfence() {}
inline void __threadfence_block() {}
template <class T> T atomicAdd(T *at, std::common_type_t<T> v) { return emulate::swap(at, T(*at + v)); }
template <class T> T atomicSub(T *at, std::common_type_t<T> v) { return emulate::swap(at, T(*at - v)); }
template <class T> T atomicMin(T *at, std::common_type_t<T> v) { return emulate::swap(at, v < *at ? v : *at); }
template <class T> T atomicMax(T *at, std::common_type_t<T> v) { return emulate::swap(at, *at < v ? v : *at); }
template <class T> T atomicOr(T *at, std::common_type_t<T> v) { return emulate::swap(at, T(*at | v)); }
template <class T> T atomicAnd(T *at, std::common_type_t<T> v) { return emulate::swap(at, T(*at & v)); }
template <class T> T atomicExch(T *at, std::common_type_t<T> v) { return emulate::swap(at, v); }
template <class T> T atomicCAS(T *at, std::common_type_t<T> expect, std::common_type_t<T> v) {
  return emulate::swap(at, *at == expect ? v : *at);
}

template <class T> T __ldg(const T *p) { return *p; }
template <class T> T __ldcs(const T *p) { return *p; }
template <class T> T __ldcg(const T *p) { return *p; }
template <class T> T __ldca(const T *p) { return *p; }
template <class T> void __stcs(T *p, T v) { *p = v; }
template <class T> void __stcg(T *p, T v) { *p = v; }

inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
inline int __ffs(int v) { return __builtin_ffs(v); }
inline int __ffsll(long long v) { return __builtin_ffsll(v); }
inline int __clz(int v) { return v ? __builtin_clz(unsigned(v)) : 32; }
inline int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8) c += (a >> i & 255) * (b >> i & 255);
  return c;
}
inline unsigned __brev(unsigned v) {
  unsigned r = 0;
  for (int i = 0; i < 32; i++) r |= (v >> i & 1) << (31 - i);
  return r;
}
inline unsigned __float_as_uint(float v) { return emulate::unpack<unsigned>(emulate::pack(v)); }
inline int __float_as_int(float v) { return emulate::unpack<int>(emulate::pack(v)); }
inline float __uint_as_float(unsigned v) { return emulate::unpack<float>(emulate::pack(v)); }
inline float __int_as_float(int v) { return emulate::unpack<float>(emulate::pack(v)); }
inline long long __double_as_longlong(double v) { return emulate::unpack<long long>(emulate::pack(v)); }
inline double __longlong_as_double(long long v) { return emulate::unpack<double>(emulate::pack(v)); }
inline int __float2int_rn(float v) { return int(rintf(v)); }
inline int __float2int_rz(float v) { return int(v); }
inline int __float2int_rd(float v) { return int(floorf(v)); }
inline unsigned __float2uint_rn(float v) { return v > 0 ? unsigned(rintf(v)) : 0; }
inline unsigned __float2uint_rz(float v) { return v > 0 ? unsigned(v) : 0; }
inline long long __float2ll_rn(float v) { return llrintf(v); }
inline long long __double2ll_rn(double v) { return llrint(v); }
inline float __int2float_rn(int v) { return float(v); }
inline float __uint2float_rn(unsigned v) { return float(v); }

// The fast versions are the exact ones here: tests on the host say nothing about their rounding.
inline float rsqrtf(float v) { return 1 / sqrtf(v); }
inline float __frsqrt_rn(float v) { return 1 / sqrtf(v); }
inline float __fsqrt_rn(float v) { return sqrtf(v); }
inline float __frcp_rn(float v) { return 1 / v; }
inline float __fdividef(float a, float b) { return a / b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline float __expf(float v) { return expf(v); }
inline float __logf(float v) { return logf(v); }
inline float __log2f(float v) { return log2f(v); }
inline float __powf(float a, float b) { return powf(a, b); }
inline float __saturatef(float v) { return v > 0 ? (v < 1 ? v : 1) : 0; }
using std::isfinite;
using std::isinf;
using std::isnan;

// min and max mix types as in CUDA; of a NaN and a number they give the number.
template <class A, class B> auto emulateMin(A a, B b) -> std::common_type_t<A, B> {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<T>) return T(fmin(T(a), T(b)));
  else return T(a) < T(b) ? T(a) : T(b);
}
template <class A, class B> auto emulateMax(A a, B b) -> std::common_type_t<A, B> {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<T>) return T(fmax(T(a), T(b)));
  else return T(a) > T(b) ? T(a) : T(b);
}
template <class A, class B> auto min(A a, B b) { return emulateMin(a, b); }
template <class A, class B> auto max(A a, B b) { return emulateMax(a, b); }
inline unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }

// HOSTED_KERNEL(name) makes the kernel callable from Go as hosted_name.
#define HOSTED_KERNEL(name)                                                                                        \
  extern "C" const char *hosted_##name(const unsigned *grid, const unsigned *block, long long shared, void **args, \
                                       unsigned long long seed) {                                                  \
    return emulate::launchPacked(&name, grid, block, shared, args, seed);                                          \
  }
