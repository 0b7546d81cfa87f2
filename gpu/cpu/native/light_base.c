//go:build !race

#include "prelude.h"
#include "light.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#if !defined(__clang__)
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math")
#endif
#include "isa_base.h"
#include "light_body.h"
