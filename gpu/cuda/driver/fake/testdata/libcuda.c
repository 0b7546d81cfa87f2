/* A CUDA driver for tests, over the computer's own memory: it keeps account of what is made and
 * freed, knows which thread has which context, runs one kernel, and fails where it is told to.
 *
 * The environment variable BLOSSOM_FAKE_CUDA, or a call of fake_configure, says how it behaves, in words:
 *   version=12040     of CUDA                cards=2           how many
 *   capability=9.0    of all cards           memory=1048576    bytes of each
 *   gl=1              the card that draws OpenGL (absent: another maker's OpenGL)
 *   slow=3            an event is not ready the first three times it is asked
 *   fail=NAME:CODE    the function NAME returns CODE; NAME:CODE@3 from its third call on
 *                     CODE -1: the library crashes, -2: it hangs
 * A code that breaks a context (700 to 719 and 999) then comes from every call, as with a real one.
 *
 * A module is the text "fake" and a line for each kernel: its name and the sizes of its arguments in
 * bytes, "axpy 8 8 4 8". Fatbins are taken too; their kernels do nothing. PTX is refused, with a reason.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
enum { OK, INVALID_VALUE, OUT_OF_MEMORY, NOT_INITIALIZED, NO_DEVICE = 100, INVALID_DEVICE = 101, INVALID_IMAGE = 200,
       INVALID_CONTEXT = 201, ALREADY_MAPPED = 208, NOT_MAPPED = 211, INVALID_PTX = 218, INVALID_GRAPHICS_CONTEXT = 219,
       UNSUPPORTED_PTX_VERSION = 222, INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600, UNKNOWN = 999 };

#define MAX_FAILS 16
struct fail { char name[64]; int code, from, calls; };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int version, cards, major, minor, gl, slow, started, sticky, nfails;
static uint64_t memory;
static struct fail fails[MAX_FAILS];

/* Things that can be forgotten: each is a link in one list. */
enum kind { CONTEXT, BLOCK, HOST, MODULE, FUNCTION, STREAM, EVENT, SHARED };
struct thing {
    struct thing *next, *owner;
    enum kind kind;
    int card, count;      /* CONTEXT: how often retained; EVENT: how often asked; SHARED: mapped */
    uint64_t bytes, at;   /* BLOCK, HOST, SHARED; EVENT: time */
    char name[64];        /* FUNCTION */
    int nargs, args[64], dynamic;
    char *kernels;        /* MODULE: the text, or NULL for a fatbin */
};
static struct thing *things;
static uint64_t now;          /* milliseconds, one for each event */
static char launched[4096];   /* what the last launch was */

#define DEPTH 16
static __thread struct thing *stack[DEPTH];
static __thread int depth;

EXPORT void fake_configure(const char *words) {
    pthread_mutex_lock(&mutex);
    version = 12040, cards = 1, major = 8, minor = 0, memory = 1 << 30, gl = -1, slow = 0, started = 0, sticky = 0, nfails = 0, now = 0;
    char copy[4096], *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", words ? words : "");
    while ((word = strtok_r(rest, " ", &rest))) {
        struct fail f = {.from = 1};
        if (sscanf(word, "version=%d", &version) == 1 || sscanf(word, "cards=%d", &cards) == 1 || sscanf(word, "gl=%d", &gl) == 1 ||
            sscanf(word, "slow=%d", &slow) == 1 || sscanf(word, "capability=%d.%d", &major, &minor) == 2)
            continue;
        unsigned long long bytes;
        if (sscanf(word, "memory=%llu", &bytes) == 1) { memory = bytes; continue; }
        if (sscanf(word, "fail=%63[^:]:%d@%d", f.name, &f.code, &f.from) >= 2 && nfails < MAX_FAILS) { fails[nfails++] = f; continue; }
        fprintf(stderr, "fake CUDA driver: %s is not understood\n", word);
        abort();
    }
    pthread_mutex_unlock(&mutex);
}

__attribute__((constructor)) static void from_environment(void) { fake_configure(getenv("BLOSSOM_FAKE_CUDA")); }

/* fake_live counts what was made and not freed; a context that is retained counts once. */
EXPORT int fake_live(void) {
    int n = 0;
    pthread_mutex_lock(&mutex);
    for (struct thing *t = things; t; t = t->next)
        if (t->kind != FUNCTION) n++;
    pthread_mutex_unlock(&mutex);
    return n;
}

/* fake_launched tells the last launch: name, grid, block, shared bytes, then each argument in hex. */
EXPORT const char *fake_launched(void) { return launched; }

/* fake_mappings tells how often buffers of OpenGL were mapped (1) or unmapped (0). */
static int mappings[2];
EXPORT int fake_mappings(int on) { return mappings[on != 0]; }

static int breaks(int code) { return (code >= 700 && code < 720) || code == UNKNOWN; }

/* check says what a function returns before it does anything. */
static int check(const char *name, int needs) {
    if (!started && needs) return NOT_INITIALIZED;
    if (sticky && needs) return sticky;
    for (int i = 0; i < nfails; i++)
        if (!strcmp(fails[i].name, name) && ++fails[i].calls >= fails[i].from) {
            if (fails[i].code == -1) abort();
            while (fails[i].code == -2) pause();
            if (breaks(fails[i].code) && needs) sticky = fails[i].code;
            return fails[i].code;
        }
    if (needs > 1 && depth == 0) return INVALID_CONTEXT;
    return OK;
}

/* Each function: BEGIN(what it needs: 0 nothing, 1 cuInit, 2 a context), its body, END. */
#define BEGIN(needs) pthread_mutex_lock(&mutex); int code = check(__func__, needs); if (!code) do {
#define FAIL(x) { code = (x); break; }
#define END } while (0); pthread_mutex_unlock(&mutex); return code;

static struct thing *make(enum kind kind) {
    struct thing *t = calloc(1, sizeof *t);
    t->kind = kind, t->owner = depth ? stack[depth - 1] : NULL, t->next = things;
    if (t->owner) t->card = t->owner->card;
    return things = t;
}
static struct thing *find(enum kind kind, uint64_t key) {
    for (struct thing *t = things; t; t = t->next)
        if (t->kind == kind && ((uintptr_t)t == key || ((kind == BLOCK || kind == HOST) && t->at == key))) return t;
    return NULL;
}
static void drop(struct thing *t) {
    struct thing **p = &things;
    while (*p != t) p = &(*p)->next;
    *p = t->next;
    if (t->kind == BLOCK || t->kind == HOST || t->kind == SHARED) free((void *)(uintptr_t)t->at);
    free(t->kernels);
    free(t);
}
static uint64_t used(int card) {
    uint64_t n = 0;
    for (struct thing *t = things; t; t = t->next)
        if (t->kind == BLOCK && t->card == card) n += t->bytes;
    return n;
}
/* inside says whether the bytes lie in one block on the card or in a mapped buffer. */
static int inside(uint64_t at, uint64_t bytes) {
    for (struct thing *t = things; t; t = t->next)
        if ((t->kind == BLOCK || (t->kind == SHARED && t->count)) && at >= t->at && at + bytes <= t->at + t->bytes) return 1;
    return 0;
}
static void *pointer(uint64_t at) { return (void *)(uintptr_t)at; }

EXPORT int cuDriverGetVersion(int *v) { BEGIN(0) *v = version; END }
EXPORT int cuInit(unsigned flags) { BEGIN(0) if (flags) FAIL(INVALID_VALUE) if (cards < 1) FAIL(NO_DEVICE) started = 1; END }

static const struct { int code; const char *name, *text; } words[] = {
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"}, {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"}, {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"}, {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"}};
static int word(int code, const char **out, int name) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].code == code) return *out = name ? words[i].name : words[i].text, OK;
    return *out = NULL, INVALID_VALUE;
}
EXPORT int cuGetErrorName(int code, const char **out) { return word(code, out, 1); }
EXPORT int cuGetErrorString(int code, const char **out) { return word(code, out, 0); }

EXPORT int cuDeviceGetCount(int *n) { BEGIN(1) *n = cards; END }
EXPORT int cuDeviceGet(int *d, int i) { BEGIN(1) if (i < 0 || i >= cards) FAIL(INVALID_DEVICE) *d = i; END }
EXPORT int cuDeviceGetName(char *s, int n, int d) { BEGIN(1) if (d < 0 || d >= cards) FAIL(INVALID_DEVICE) snprintf(s, n, "Fake GPU %c", 'A' + d); END }
EXPORT int cuDeviceGetPCIBusId(char *s, int n, int d) { BEGIN(1) snprintf(s, n, "0000:%02X:00.0", 0x3a + d); END }
EXPORT int cuDeviceTotalMem_v2(size_t *n, int d) { BEGIN(1) if (d < 0 || d >= cards) FAIL(INVALID_DEVICE) *n = memory; END }
EXPORT int cuDeviceGetAttribute(int *v, int what, int d) {
    BEGIN(1)
    if (d < 0 || d >= cards) FAIL(INVALID_DEVICE)
    switch (what) {
    case 13: *v = 1500000; break;
    case 16: *v = 100 + d; break;
    case 17: *v = d == gl; break;
    case 18: *v = 0; break;
    case 36: *v = 2600000; break;
    case 37: *v = 5120; break;
    case 38: *v = 40 << 20; break;
    case 39: *v = 2048; break;
    case 75: *v = major; break;
    case 76: *v = minor; break;
    case 81: *v = 164 << 10; break;
    case 82: *v = 65536; break;
    case 97: *v = 163 << 10; break;
    default: code = INVALID_VALUE;
    }
    END
}

EXPORT int cuDevicePrimaryCtxRetain(uint64_t *ctx, int d) {
    BEGIN(1)
    if (d < 0 || d >= cards) FAIL(INVALID_DEVICE)
    struct thing *t = things;
    while (t && !(t->kind == CONTEXT && t->card == d)) t = t->next;
    if (!t) t = make(CONTEXT), t->card = d;
    t->count++, *ctx = (uintptr_t)t;
    END
}
EXPORT int cuDevicePrimaryCtxRelease_v2(int d) {
    BEGIN(1)
    struct thing *t = things;
    while (t && !(t->kind == CONTEXT && t->card == d)) t = t->next;
    if (!t) FAIL(INVALID_CONTEXT)
    if (--t->count == 0) drop(t);
    END
}
EXPORT int cuCtxPushCurrent_v2(uint64_t ctx) {
    BEGIN(1)
    struct thing *t = find(CONTEXT, ctx);
    if (!t || depth == DEPTH) FAIL(INVALID_CONTEXT)
    stack[depth++] = t;
    END
}
EXPORT int cuCtxPopCurrent_v2(uint64_t *ctx) {
    pthread_mutex_lock(&mutex); /* works in a broken context too */
    int code = depth ? OK : INVALID_CONTEXT;
    if (depth) *ctx = (uintptr_t)stack[--depth];
    pthread_mutex_unlock(&mutex);
    return code;
}

EXPORT int cuMemGetInfo_v2(size_t *free, size_t *total) { BEGIN(2) *total = memory, *free = memory - used(stack[depth - 1]->card); END }
EXPORT int cuMemAlloc_v2(uint64_t *p, size_t n) {
    BEGIN(2)
    if (!n) FAIL(INVALID_VALUE)
    if (n > memory - used(stack[depth - 1]->card)) FAIL(OUT_OF_MEMORY)
    struct thing *t = make(BLOCK);
    t->bytes = n, t->at = (uintptr_t)aligned_alloc(256, (n + 255) / 256 * 256);
    memset(pointer(t->at), 0xA5, n);
    *p = t->at;
    END
}
EXPORT int cuMemFree_v2(uint64_t p) { BEGIN(2) struct thing *t = find(BLOCK, p); if (!t) FAIL(INVALID_VALUE) drop(t); END }
EXPORT int cuMemHostAlloc(void **p, size_t n, unsigned flags) {
    BEGIN(2)
    if (!n || flags > 7) FAIL(INVALID_VALUE)
    struct thing *t = make(HOST);
    *p = malloc(n), t->at = (uintptr_t)*p, t->bytes = n;
    END
}
EXPORT int cuMemFreeHost(void *p) { BEGIN(2) struct thing *t = find(HOST, (uintptr_t)p); if (!t) FAIL(INVALID_VALUE) drop(t); END }

#define STREAM_IS(s) if (!find(STREAM, s)) FAIL(INVALID_HANDLE)
EXPORT int cuMemcpyHtoDAsync_v2(uint64_t d, const void *h, size_t n, uint64_t s) { BEGIN(2) STREAM_IS(s) if (!inside(d, n)) FAIL(INVALID_VALUE) memcpy(pointer(d), h, n); END }
EXPORT int cuMemcpyDtoHAsync_v2(void *h, uint64_t d, size_t n, uint64_t s) { BEGIN(2) STREAM_IS(s) if (!inside(d, n)) FAIL(INVALID_VALUE) memcpy(h, pointer(d), n); END }
EXPORT int cuMemcpyDtoDAsync_v2(uint64_t d, uint64_t f, size_t n, uint64_t s) { BEGIN(2) STREAM_IS(s) if (!inside(d, n) || !inside(f, n)) FAIL(INVALID_VALUE) memmove(pointer(d), pointer(f), n); END }
EXPORT int cuMemsetD8Async(uint64_t d, unsigned char v, size_t n, uint64_t s) { BEGIN(2) STREAM_IS(s) if (!inside(d, n)) FAIL(INVALID_VALUE) memset(pointer(d), v, n); END }
EXPORT int cuMemsetD32Async(uint64_t d, unsigned v, size_t n, uint64_t s) {
    BEGIN(2)
    STREAM_IS(s)
    if (d % 4 || !inside(d, 4 * n)) FAIL(INVALID_VALUE)
    for (size_t i = 0; i < n; i++) ((uint32_t *)pointer(d))[i] = v;
    END
}

EXPORT int cuModuleLoadDataEx(uint64_t *m, const void *image, unsigned n, const int *options, void **values) {
    BEGIN(2)
    const char *text = image;
    int fatbin = *(const uint32_t *)image == 0xBA55ED50u;
    if (text[0] == '.') { /* PTX */
        char *log = NULL;
        size_t size = 0;
        for (unsigned i = 0; i < n; i++) {
            if (options[i] == 5) log = values[i];
            if (options[i] == 6) size = (size_t)values[i];
        }
        if (log) snprintf(log, size, "ptxas fatal: no PTX here (%zu characters)", strlen(text));
        FAIL(INVALID_PTX)
    }
    if (!fatbin && strncmp(text, "fake\n", 5)) FAIL(INVALID_IMAGE)
    struct thing *t = make(MODULE);
    t->kernels = fatbin ? NULL : strdup(text);
    *m = (uintptr_t)t;
    END
}
EXPORT int cuModuleUnload(uint64_t m) {
    BEGIN(2)
    struct thing *t = find(MODULE, m);
    if (!t) FAIL(INVALID_HANDLE)
    for (struct thing *f = things, *next; f; f = next) {
        next = f->next;
        if (f->kind == FUNCTION && f->owner == t) drop(f);
    }
    drop(t);
    END
}
EXPORT int cuModuleGetFunction(uint64_t *f, uint64_t m, const char *name) {
    BEGIN(2)
    struct thing *module = find(MODULE, m);
    if (!module) FAIL(INVALID_HANDLE)
    size_t length = strlen(name);
    const char *line = module->kernels;
    while (line && (strncmp(line, name, length) || (line[length] != ' ' && line[length] != '\n'))) {
        line = strchr(line, '\n');
        if (line && !*++line) line = NULL;
        if (!line) break;
    }
    if (module->kernels && !line) FAIL(NOT_FOUND)
    struct thing *t = make(FUNCTION);
    t->owner = module;
    snprintf(t->name, sizeof t->name, "%s", name);
    if (line) {
        line += length;
        for (int size, used; t->nargs < 64 && sscanf(line, "%*[ ]%d%n", &size, &used) == 1; line += used) t->args[t->nargs++] = size;
    }
    *f = (uintptr_t)t;
    END
}
EXPORT int cuFuncGetAttribute(int *v, int what, uint64_t f) {
    BEGIN(2)
    struct thing *t = find(FUNCTION, f);
    if (!t) FAIL(INVALID_HANDLE)
    *v = what == 0 ? 1024 : what == 1 ? 512 : what == 4 ? 40 : what == 8 ? t->dynamic : 0;
    END
}
EXPORT int cuFuncSetAttribute(uint64_t f, int what, int v) {
    BEGIN(2)
    struct thing *t = find(FUNCTION, f);
    if (!t) FAIL(INVALID_HANDLE)
    if (what != 8 || v < 0 || v > (163 << 10) - 512) FAIL(INVALID_VALUE)
    t->dynamic = v;
    END
}
EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, uint64_t f, int threads, size_t shared) {
    BEGIN(2)
    if (!find(FUNCTION, f) || threads < 1) FAIL(INVALID_VALUE)
    int by_threads = 2048 / threads, by_shared = (164 << 10) / (int)(shared + 1024);
    *n = by_threads < by_shared ? by_threads : by_shared;
    END
}

/* y[i] += a x[i], the one kernel that is there. */
static void axpy(void **args, uint64_t threads) {
    const float *x = *(float **)args[0];
    float *y = *(float **)args[1];
    for (uint64_t i = 0; i < threads && (int64_t)i < *(int64_t *)args[3]; i++) y[i] += *(float *)args[2] * x[i];
}
EXPORT int cuLaunchKernel(uint64_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, uint64_t s, void **args, void **extra) {
    BEGIN(2)
    struct thing *t = find(FUNCTION, f);
    STREAM_IS(s)
    uint64_t block = (uint64_t)bx * by * bz;
    if (!t || extra || !gx || !gy || !gz || gy > 65535 || gz > 65535 || gx > 2147483647u || !block || block > 1024) FAIL(INVALID_VALUE)
    if (shared > (unsigned)(t->dynamic > 48 << 10 ? t->dynamic : 48 << 10)) FAIL(INVALID_VALUE)
    char *to = launched, *end = launched + sizeof launched;
    to += snprintf(to, end - to, "%s grid %u %u %u block %u %u %u shared %u:", t->name, gx, gy, gz, bx, by, bz, shared);
    for (int i = 0; i < t->nargs; i++) {
        to += snprintf(to, end - to, " ");
        for (int b = t->args[i] - 1; b >= 0; b--) to += snprintf(to, end - to, "%02x", ((unsigned char *)args[i])[b]);
    }
    if (!strcmp(t->name, "axpy") && t->nargs == 4) axpy(args, block * gx * gy * gz);
    END
}

EXPORT int cuStreamCreate(uint64_t *s, unsigned flags) { BEGIN(2) if (flags > 1) FAIL(INVALID_VALUE) *s = (uintptr_t)make(STREAM); END }
EXPORT int cuStreamDestroy_v2(uint64_t s) { BEGIN(2) STREAM_IS(s) drop(find(STREAM, s)); END }
EXPORT int cuStreamSynchronize(uint64_t s) { BEGIN(2) STREAM_IS(s) END }
#define EVENT_IS(e) struct thing *event = find(EVENT, e); if (!event) FAIL(INVALID_HANDLE)
EXPORT int cuStreamWaitEvent(uint64_t s, uint64_t e, unsigned flags) { BEGIN(2) STREAM_IS(s) EVENT_IS(e) if (flags) FAIL(INVALID_VALUE) (void)event; END }
EXPORT int cuEventCreate(uint64_t *e, unsigned flags) { BEGIN(2) if (flags > 7) FAIL(INVALID_VALUE) *e = (uintptr_t)make(EVENT); END }
EXPORT int cuEventDestroy_v2(uint64_t e) { BEGIN(2) EVENT_IS(e) drop(event); END }
EXPORT int cuEventRecord(uint64_t e, uint64_t s) { BEGIN(2) STREAM_IS(s) EVENT_IS(e) event->at = ++now, event->count = 0; END }
EXPORT int cuEventQuery(uint64_t e) { BEGIN(2) EVENT_IS(e) if (event->at && event->count++ < slow) FAIL(NOT_READY) END }
EXPORT int cuEventSynchronize(uint64_t e) { BEGIN(2) EVENT_IS(e) event->count = slow; END }
EXPORT int cuEventElapsedTime(float *ms, uint64_t a, uint64_t b) {
    BEGIN(2)
    struct thing *from = find(EVENT, a), *to = find(EVENT, b);
    if (!from || !to || !from->at || !to->at) FAIL(INVALID_HANDLE)
    *ms = (float)((double)to->at - (double)from->at);
    END
}

#ifndef FAKE_WITHOUT_GL
EXPORT int cuGLGetDevices_v2(unsigned *n, int *list, unsigned size, int which) {
    BEGIN(1)
    if (which != 1 || !size) FAIL(INVALID_VALUE)
    if (gl < 0) FAIL(INVALID_GRAPHICS_CONTEXT)
    *n = 1, list[0] = gl;
    END
}
EXPORT int cuGraphicsGLRegisterBuffer(uint64_t *x, unsigned buffer, unsigned flags) {
    BEGIN(2)
    if (gl != stack[depth - 1]->card) FAIL(INVALID_GRAPHICS_CONTEXT)
    if (!buffer || flags) FAIL(INVALID_VALUE)
    struct thing *t = make(SHARED);
    t->bytes = 4096, t->at = (uintptr_t)calloc(1, 4096);
    *x = (uintptr_t)t;
    END
}
EXPORT int cuGraphicsUnregisterResource(uint64_t x) {
    BEGIN(2)
    struct thing *t = find(SHARED, x);
    if (!t) FAIL(INVALID_HANDLE)
    if (t->count) FAIL(ALREADY_MAPPED)
    drop(t);
    END
}
static int map(unsigned n, uint64_t *x, uint64_t s, int on) {
    struct thing *t = n == 1 ? find(SHARED, *x) : NULL;
    if (!t || !find(STREAM, s)) return INVALID_HANDLE;
    if (t->count == on) return on ? ALREADY_MAPPED : NOT_MAPPED;
    t->count = on, mappings[on]++;
    return OK;
}
EXPORT int cuGraphicsMapResources(unsigned n, uint64_t *x, uint64_t s) { BEGIN(2) code = map(n, x, s, 1); END }
EXPORT int cuGraphicsUnmapResources(unsigned n, uint64_t *x, uint64_t s) { BEGIN(2) code = map(n, x, s, 0); END }
EXPORT int cuGraphicsResourceGetMappedPointer_v2(uint64_t *p, size_t *n, uint64_t x) {
    BEGIN(2)
    struct thing *t = find(SHARED, x);
    if (!t) FAIL(INVALID_HANDLE)
    if (!t->count) FAIL(NOT_MAPPED)
    *p = t->at, *n = t->bytes;
    END
}
#endif
