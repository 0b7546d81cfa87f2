// What Go calls. isa: 0 base, 1 AVX2, 2 AVX-512, 3 scalar.
#ifndef BLOSSOM_DISPATCH_H
#define BLOSSOM_DISPATCH_H

#include "kernel.h"

int bl_has(int isa);   // whether this machine runs it
int bl_lanes(int isa); // floats in a vector
int bl_panel(int isa); // landmarks in a panel
void bl_pairs(int isa, bl_plan *p, int32_t from, int32_t to);
void bl_lines(int isa, bl_plan *p, float adjust, int32_t from, int32_t to);
void bl_neighbours(int isa, const bl_plan *p, const float *x, int64_t from, int64_t to, int32_t find,
	uint16_t *ids, float *delta, float *near, void *scratch);
void bl_winners(int isa, const bl_plan *p, const float *code, const float *x, int64_t from, int64_t to, int32_t *out,
	void *scratch);
int64_t bl_project(int isa, const bl_plan *p, const float *x, int64_t from, int64_t to, int32_t k, int32_t find,
	float boost, const uint16_t *ids, const float *delta, const float *near, float *out, int32_t *hard, void *scratch);
void bl_knn_sweep(int isa, const bl_knn_set *s, bl_knn_search *w, int32_t rows, int64_t from, int64_t to);
void bl_knn_gaps(int isa, const bl_knn_set *s, bl_knn_search *w);
void bl_knn_settle(int isa, const bl_knn_set *s, bl_knn_search *w, int32_t r);
void bl_knn_rest(int isa, const bl_knn_set *s, bl_knn_search *w, int32_t rows, int64_t from, int64_t to);
double bl_peak(int isa, int64_t rounds);

#endif
