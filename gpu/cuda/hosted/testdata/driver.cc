// A CUDA driver without a card: what package driver binds, with the computer's memory in place of the
// card's and kernels that the emulator runs at once. The libraries with the kernels are named by the
// variable BLOSSOM_HOSTED_KERNELS, with colons between. Everything is done when a call returns.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {
typedef const char *Kernel(const unsigned *grid, const unsigned *block, long long shared, void **args, unsigned long long seed);

std::mutex one;
std::map<char *, size_t> card; // blocks of memory, of all cards
std::map<char *, int> owner;   // the card that has each block
struct Function {
  void *kernel;
  int card;
};
std::vector<Function *> functions;
char contexts[64];                  // of cards, by number
thread_local std::vector<int> entered; // contexts that are current on a thread
int now() { return entered.empty() ? 0 : entered.back(); }
std::string failure;           // of a kernel: all later calls fail, as with a card
uint64_t order;                // of the threads: another one in each launch
const size_t memory = size_t(256) << 20;
size_t used;

const size_t guard = 64; // bytes behind each block that nothing may touch

int allocate(uint64_t *out, size_t bytes) {
  if (used + bytes > memory) return 2;
  char *p = static_cast<char *>(aligned_alloc(256, (bytes + guard + 255) / 256 * 256));
  memset(p, 0xff, bytes + guard); // NaN until written
  used += bytes;
  card[p] = bytes;
  owner[p] = now();
  *out = reinterpret_cast<uint64_t>(p);
  return 0;
}

// inside says whether these bytes belong to one block of a card's memory.
bool inside(uint64_t at, size_t bytes, int of = now()) {
  char *p = reinterpret_cast<char *>(at);
  auto next = card.upper_bound(p);
  if (next == card.begin()) return false;
  auto block = --next;
  return owner[block->first] == of && p + bytes <= block->first + block->second;
}

// broken says whether something has written behind a block.
bool broken() {
  for (auto &b : card)
    for (size_t i = 0; i < guard; i++)
      if (b.first[b.second + i] != char(0xff)) return true;
  return false;
}

int status() { return failure.empty() ? 0 : 700; }
} // namespace

#define CALL extern "C" int
#define LOCKED std::lock_guard<std::mutex> locked(one)

CALL cuDriverGetVersion(int *v) { return *v = 11080, 0; }
CALL cuInit(unsigned) { return 0; }
CALL cuGetErrorName(int code, const char **s) {
  *s = code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : code == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : code == 500 ? "CUDA_ERROR_NOT_FOUND" : "CUDA_ERROR_INVALID_VALUE";
  return 0;
}
CALL cuGetErrorString(int code, const char **s) {
  *s = code == 700 ? failure.c_str() : "emulated";
  return 0;
}
// BLOSSOM_HOSTED_CARDS: how many there are, which share the memory.
int cards() {
  const char *s = getenv("BLOSSOM_HOSTED_CARDS");
  return s ? atoi(s) : 1;
}
CALL cuDeviceGetCount(int *n) { return *n = cards(), 0; }
CALL cuDeviceGet(int *d, int i) { return *d = i, i >= 0 && i < cards() ? 0 : 101; }
CALL cuDeviceGetName(char *s, int n, int) { return snprintf(s, size_t(n), "emulated card"), 0; }
CALL cuDeviceTotalMem_v2(size_t *n, int) { return *n = memory, 0; }
CALL cuDeviceGetAttribute(int *v, int which, int) {
  static const std::map<int, int> known = {{13, 1000000}, {16, 2}, {36, 1000000}, {37, 64}, {38, 1 << 20}, {39, 2048},
                                           {75, 9}, {76, 0}, {81, 228 << 10}, {82, 65536}, {97, 227 << 10}};
  auto k = known.find(which);
  *v = k == known.end() ? 0 : k->second;
  return 0;
}
CALL cuDeviceGetPCIBusId(char *, int, int) { return 1; }
CALL cuDevicePrimaryCtxRetain(void **c, int d) { return *c = &contexts[d], 0; }
CALL cuDevicePrimaryCtxRelease_v2(int) { return 0; }
CALL cuCtxPushCurrent_v2(void *c) { return entered.push_back(int(static_cast<char *>(c) - contexts)), 0; }
CALL cuCtxPopCurrent_v2(void **c) {
  if (entered.empty()) return 201;
  *c = &contexts[entered.back()];
  return entered.pop_back(), 0;
}
CALL cuMemGetInfo_v2(size_t *f, size_t *t) {
  LOCKED;
  return *f = memory - used, *t = memory, 0;
}
CALL cuMemAlloc_v2(uint64_t *p, size_t n) {
  LOCKED;
  return status() ? status() : allocate(p, n);
}
CALL cuMemFree_v2(uint64_t p) {
  LOCKED;
  auto b = card.find(reinterpret_cast<char *>(p));
  if (b == card.end() || owner[b->first] != now()) return 1;
  used -= b->second;
  free(b->first);
  card.erase(b);
  return status();
}
CALL cuMemHostAlloc(void **p, size_t n, unsigned) {
  *p = aligned_alloc(256, (n + 255) / 256 * 256);
  memset(*p, 0xff, n);
  return 0;
}
CALL cuMemFreeHost(void *p) { return free(p), 0; }
CALL cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t n, void *) {
  LOCKED;
  if (!inside(to, n)) return 1;
  memcpy(reinterpret_cast<void *>(to), from, n);
  return status();
}
CALL cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t n, void *) {
  LOCKED;
  if (!inside(from, n)) return 1;
  memcpy(to, reinterpret_cast<void *>(from), n);
  return status();
}
CALL cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t n, void *) {
  LOCKED;
  if (!inside(from, n) || !inside(to, n)) return 1;
  memcpy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), n);
  return status();
}
CALL cuCtxEnablePeerAccess(void *, unsigned) { return 0; }
CALL cuMemcpyPeerAsync(uint64_t to, void *there, uint64_t from, void *here, size_t n, void *) {
  LOCKED;
  if (!inside(from, n, int(static_cast<char *>(here) - contexts)) || !inside(to, n, int(static_cast<char *>(there) - contexts))) return 1;
  memcpy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), n);
  return status();
}
CALL cuMemsetD8Async(uint64_t to, unsigned char v, size_t n, void *) {
  LOCKED;
  if (!inside(to, n)) return 1;
  memset(reinterpret_cast<void *>(to), v, n);
  return status();
}
CALL cuMemsetD32Async(uint64_t to, unsigned v, size_t n, void *) {
  LOCKED;
  if (!inside(to, 4 * n)) return 1;
  for (size_t i = 0; i < n; i++) reinterpret_cast<unsigned *>(to)[i] = v;
  return status();
}
CALL cuModuleLoadDataEx(void **m, const void *, unsigned, int *, void **) { return *m = &card, 0; }
CALL cuModuleUnload(void *) { return 0; }
CALL cuModuleGetFunction(void **f, void *, const char *name) {
  LOCKED;
  static const std::vector<void *> libraries = [] {
    std::vector<void *> all;
    std::string list = getenv("BLOSSOM_HOSTED_KERNELS") ? getenv("BLOSSOM_HOSTED_KERNELS") : "";
    for (size_t at = 0; at < list.size();) {
      size_t end = list.find(':', at);
      if (end == std::string::npos) end = list.size();
      if (void *l = dlopen(list.substr(at, end - at).c_str(), RTLD_NOW | RTLD_LOCAL)) all.push_back(l);
      else fprintf(stderr, "emulated driver: %s\n", dlerror());
      at = end + 1;
    }
    return all;
  }();
  for (void *l : libraries)
    if (void *kernel = dlsym(l, (std::string("hosted_") + name).c_str())) {
      functions.push_back(new Function{kernel, now()}); // as long as the process
      return *f = functions.back(), 0;
    }
  return 500;
}
CALL cuFuncGetAttribute(int *v, int, void *) { return *v = 0, 0; }
CALL cuFuncSetAttribute(void *, int, int) { return 0; }
CALL cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, void *, int, size_t) { return *n = 2, 0; }
CALL cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                    void *, void **args, void **) {
  LOCKED;
  if (status()) return status();
  if (gx == 0 || gy == 0 || gz == 0 || gy > 65535 || gz > 65535 || bx * by * bz > 1024) return 1;
  unsigned grid[3] = {gx, gy, gz}, block[3] = {bx, by, bz};
  auto function = static_cast<Function *>(f);
  if (function->card != now()) return 400; // of another card
  const char *error = reinterpret_cast<Kernel *>(function->kernel)(grid, block, shared, args, order++);
  if (!error && broken()) error = "a kernel wrote behind a block of memory";
  if (error) failure = error;
  return status();
}
CALL cuStreamCreate(void **s, unsigned) { return *s = new char, 0; }
CALL cuStreamDestroy_v2(void *s) { return delete static_cast<char *>(s), 0; }
CALL cuStreamSynchronize(void *) { return status(); }
CALL cuStreamWaitEvent(void *, void *, unsigned) { return 0; }

typedef std::chrono::steady_clock Clock;
CALL cuEventCreate(void **e, unsigned) { return *e = new Clock::time_point, 0; }
CALL cuEventDestroy_v2(void *e) { return delete static_cast<Clock::time_point *>(e), 0; }
CALL cuEventRecord(void *e, void *) { return *static_cast<Clock::time_point *>(e) = Clock::now(), 0; }
CALL cuEventQuery(void *) { return status(); }
CALL cuEventSynchronize(void *) { return status(); }
CALL cuEventElapsedTime(float *ms, void *from, void *to) {
  *ms = std::chrono::duration<float, std::milli>(*static_cast<Clock::time_point *>(to) - *static_cast<Clock::time_point *>(from)).count();
  return 0;
}
