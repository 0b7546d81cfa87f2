// Two symbols that the prebuilt cimgui archive expects of C++ and C libraries that are newer than those of Debian 11, where
// packages are built so that the program starts on old systems too. Elsewhere this file is empty.

#if defined(__linux__)
#include <features.h>
#if defined(__GLIBC__) && !__GLIBC_PREREQ(2, 32)
#include <stdlib.h>

// __libc_single_threaded says whether the process has one thread, so that counters need not be atomic. It has several.
__attribute__((weak)) char __libc_single_threaded = 0;

// std::__throw_bad_array_new_length reports an array that no memory could hold.
__attribute__((weak)) void _ZSt28__throw_bad_array_new_lengthv(void) { abort(); }
#endif
#endif
