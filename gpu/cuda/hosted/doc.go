// Package hosted runs CUDA kernels on the host, so that tests can check them without a card. A kernel's
// source is compiled by the ordinary C++ compiler against emulate.h and loaded; Launch then runs it
// thread by thread. Only tests import this package.
//
// A source must include "host.cuh", take dynamic shared memory by DYNAMIC_SHARED, and have its kernels
// extern "C". The compiler is $CXX or c++; where there is none, tests are skipped.
package hosted
