//go:build linux && cgo

// Runs before the Go runtime, which cannot be asked to say in one line that it got no memory, no thread or
// no file. Under a limit of memory (ulimit -v, -d) the program becomes a child of this process, which
// waits, hands signals on and everything that the child says, but the runtime's stacks.
#define _GNU_SOURCE
#include "limits.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { leastFiles = 24 };

static volatile pid_t child;

// handOn passes on what was sent to this process alone; what comes from the terminal the child has too.
static void handOn(int number, siginfo_t *info, void *context) {
  (void)context;
  if (info->si_code <= 0 && child > 0) kill(child, number);
}

// starved says whether a line is how the runtime, or a library, begins to die of a limit.
static int starved(const char *line) {
  static const char *const begins[] = {
      "fatal error: failed to reserve", "fatal error: runtime: cannot allocate memory", "fatal error: out of memory",
      "fatal error: runtime: out of memory", "runtime: out of memory", "runtime: cannot allocate", "runtime: cannot map",
      "runtime: failed to create new OS thread", "fatal error: newosproc",
      "fatal error: mSpanList", "fatal error: too many address space collisions", "LLVM ERROR: out of memory",
      "terminate called after throwing an instance of 'std::bad_alloc'", "runtime: may need to increase max",
      "fatal error: runtime: cannot map pages", "fatal error: arena already initialized",
      "runtime: mmap", "fatal error: failed to allocate"};
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (strncmp(line, begins[i], strlen(begins[i])) == 0) return 1;
  return strstr(line, "pthread_create failed") != NULL; // several threads say so at once, into each other's words
}

// say writes a line of the child.
static void say(int to, const char *line, size_t n) {
  for (size_t done = 0; done < n;) {
    ssize_t wrote = write(to, line + done, n - done);
    if (wrote < 0 && errno != EINTR) break; // nobody listens any more
    if (wrote > 0) done += wrote;
  }
}

static int64_t milliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int bl_relay(int from, int to) {
  enum { wait = 1000 };
  static const char ours[] = "blossom: ";
  char line[4096], held[4096], part[4096];
  size_t n = 0, kept = 0;
  int64_t until = 0;
  int dying = 0;
  for (;;) {
    if (kept > 0) {
      struct pollfd said = {.fd = from, .events = POLLIN};
      int64_t left = until - milliseconds();
      int ready = left > 0 ? poll(&said, 1, (int)left) : 0;
      if (ready < 0 && errno == EINTR) continue;
      if (ready == 0) {
        say(to, held, kept);
        kept = 0;
      }
    }
    ssize_t got = read(from, part, sizeof part);
    if (got < 0 && errno == EINTR) continue;
    for (ssize_t i = 0; i < got || (got <= 0 && i == 0 && n > 0); i++) {
      if (got > 0) line[n++] = part[i];
      if (got > 0 && part[i] != '\n' && part[i] != '\r' && n < sizeof line - 1) continue;
      line[n] = 0;
      if (!dying && !(dying = starved(line))) {
        say(to, held, kept);
        kept = strncmp(line, ours, sizeof ours - 1) == 0 ? n : 0;
        memcpy(held, line, kept);
        until = milliseconds() + wait;
        if (kept == 0) say(to, line, n);
      }
      n = 0;
    }
    if (got <= 0) {
      if (!dying) say(to, held, kept);
      return dying;
    }
  }
}

static void watch(unsigned long long allowed) {
  int ends[2];
  if (pipe(ends) != 0) return; // unwatched
  child = fork();
  if (child <= 0) {
    if (child == 0) {
      dup2(ends[1], 2);
      prctl(PR_SET_PDEATHSIG, SIGTERM);
    }
    close(ends[0]);
    close(ends[1]);
    return;
  }
  close(ends[1]);
  struct sigaction action = {.sa_sigaction = handOn, .sa_flags = SA_SIGINFO | SA_RESTART};
  const int handed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
  for (size_t i = 0; i < sizeof handed / sizeof *handed; i++) sigaction(handed[i], &action, NULL);
  signal(SIGPIPE, SIG_IGN);
  int dying = bl_relay(ends[0], 2), status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (dying) {
    dprintf(2, "blossom: the limit of memory (ulimit -v or -d), %llu MB, is too small for this: raise it, or take fewer points\n",
            allowed >> 20);
    _exit(1);
  }
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  _exit(1);
}

__attribute__((constructor)) static void keepToLimits(void) {
  // The runtime opens /dev/null for a standard output that is closed, and all would be lost in silence; writing
  // to one that is open for reading fails.
  if (fcntl(1, F_GETFD) == -1 && errno == EBADF) {
    int none = open("/dev/null", O_RDONLY);
    if (none >= 0 && none != 1) {
      dup2(none, 1);
      close(none);
    }
  }
  struct rlimit files, space;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < leastFiles) {
    files.rlim_cur = files.rlim_max < leastFiles ? files.rlim_max : leastFiles;
    setrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_max < leastFiles) {
      dprintf(2, "blossom: only %lu files may be open at a time (ulimit -n): allow %d or more\n",
              (unsigned long)files.rlim_max, leastFiles);
      _exit(1);
    }
  }
  rlim_t least = RLIM_INFINITY;
  const int limits[] = {RLIMIT_AS, RLIMIT_DATA};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    if (getrlimit(limits[i], &space) == 0 && space.rlim_cur < least) least = space.rlim_cur;
  if (least != RLIM_INFINITY) watch(least);
}
