// What lets a kernel also be compiled by an ordinary C++ compiler, for tests without a card (package
// hosted): under nvcc nothing but the macro below, else an emulation of CUDA on the host.
#pragma once

#ifdef __CUDACC__
// DYNAMIC_SHARED(float, s): s is the dynamic shared memory of the block, aligned to 16 bytes. BY_VALUE: of an argument.
extern __shared__ float4 blossomDynamicShared[];
#define DYNAMIC_SHARED(type, name) type *name = reinterpret_cast<type *>(blossomDynamicShared)
#define HOST_DEVICE __host__ __device__
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define BY_VALUE const
#else
#define BY_VALUE const __grid_constant__
#endif
#else
#include "../hosted/emulate.h"
#define HOST_DEVICE
#define BY_VALUE const
#endif
