// Package gputest has the tests that need a graphics card, or what stands for one: engines that write
// into the buffer that is drawn (interop), and a map that is worked on for a long time (soak). They need
// no window. Under a software OpenGL they are short; `make test-gpu` runs them in full where a card is.
//
// Environment:
//
//	BLOSSOM_ENGINES      the engines to test, "cuda,gl"; by default all that work and are no processor's
//	BLOSSOM_REQUIRE_GL   engine gl must work; BLOSSOM_REQUIRE_CUDA likewise
//	BLOSSOM_KNN, BLOSSOM_PROJECTION   their kernels; by default the fastest
//	SOAK                 how long ("10m"; default 3s)
//	SOAK_POINTS          with how many points, also of the interop test
package gputest
