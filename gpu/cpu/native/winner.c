//go:build !race

// What a training decides by: train.Winner, distances in float64, every difference, square and sum rounded, nothing
// fused.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("O3", "fp-contract=off", "no-math-errno", "no-trapping-math")
#endif
#include "kernel.h"
#include <math.h>

int32_t bl_winner(const float *x, const float *code, int32_t d, const int32_t *list, int32_t count) {
	double best = INFINITY;
	int32_t at = 0;
	// Four at once: the sums of one landmark wait for each other, those of four do not.
	for (int32_t i = 0; i < count; i += 4) {
		int32_t id[4];
		const float *l[4];
		for (int32_t k = 0; k < 4; k++) {
			int32_t of = i + k < count ? i + k : count - 1;
			id[k] = list ? list[of] : of;
			l[k] = code + (size_t)id[k] * d;
		}
		double s[4] = {0};
		for (int32_t c = 0; c < d; c++)
			for (int32_t k = 0; k < 4; k++) {
				double e = (double)l[k][c] - (double)x[c];
				s[k] += e * e;
			}
		for (int32_t k = 0; k < 4; k++)
			if (s[k] < best) best = s[k], at = id[k];
	}
	return at;
}
