// The compute kernels of the CPU engine. One C file per instruction set includes kernel_body.h; the
// functions below exist once per set, with its suffix. All sizes are in elements.
#ifndef BLOSSOM_KERNEL_H
#define BLOSSOM_KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include "knn_set.h"

enum { TILE = 16 }; // points that share one tile of the neighbour cache

// A plan is everything that depends on the landmarks alone. Coordinates in it are multiplied by
// scale, a power of two that brings the landmarks' spread near 1, so that squares neither overflow
// nor vanish.
typedef struct {
	int32_t d, dp;      // dimensions; padded to whole vectors
	int32_t g, gp;      // landmarks; padded to whole panels
	int32_t lanes, pw;  // floats in a vector; landmarks in a panel
	int32_t tabled;     // whether pair exists
	int32_t coarse;     // whether points go through the coarse filter first, which needs half
	int32_t m;          // coordinates of a position, 2 or 3
	float scale, reach; // reach: the longest centred landmark
	float *mean;        // dp: mean landmark
	float *rows;        // g x dp: landmarks
	float *cols;        // d x gp: landmarks, transposed
	float *panel;       // gp/pw x d x pw: centred landmarks times -2
	uint16_t *half;     // gp/pw x (d+1)/2 x pw x 2: panel in bfloat16, where that is used, or NULL
	float *norm;        // gp: squared length of centred landmarks; FAR for padding
	float *pair;        // g x g x {1/(2 |L_j-L_i|^2), log2((1+H)^-adjust / H)}
	int32_t fly;        // whether the latter are out of date in pair, and are computed where they are needed
	float adjust;       // with this
	float *pos[3];      // gp each: positions, as given
	float *place;       // gp x {x, y, z or 0, 0}: the same
} bl_plan;

#define FAR 3e38f        // padding: farther than anything
#define NO_LINE (-1e4f)  // log2 weight of a pair that defines no line

bl_plan *bl_plan_new(int32_t d, int32_t g, int32_t lanes, int32_t pw, int32_t tabled);
void bl_plan_free(bl_plan *p);
// bl_codebook takes g x d landmarks; a scale that still suits is kept. It returns the scale.
float bl_codebook(bl_plan *p, const float *code, float scale);
void bl_positions(bl_plan *p, const float *pos, int32_t m);
// bl_mirror copies the line weights of row j of the pair table to column j.
void bl_mirror(bl_plan *p, int32_t j);

void *bl_alloc(size_t bytes); // zeroed, aligned to 64; NULL when there is no memory
void bl_release(void *p);
size_t bl_scratch_bytes(const bl_plan *p, int32_t find);

// bl_winner is train.Winner of a finite point among count landmarks of code that list has in ascending order; list NULL:
// the first count.
int32_t bl_winner(const float *x, const float *code, int32_t d, const int32_t *list, int32_t count);

// Neighbour cache: tile t = point / TILE holds ids and delta at [(t*find + r)*TILE + point%TILE]
// for rank r, and near at [point]. delta is the squared distance less that of the nearest landmark,
// near the squared distance of the nearest: NAN for an invalid point, INFINITY for one that is so
// far away that it is left to the reference (it then has no ids).
#define BL_DECLARE(isa) \
	void bl_pairs_##isa(bl_plan *p, int32_t from, int32_t to); \
	void bl_lines_##isa(bl_plan *p, float adjust, int32_t from, int32_t to); \
	void bl_neighbours_##isa(const bl_plan *p, const float *x, int64_t from, int64_t to, int32_t find, \
		uint16_t *ids, float *delta, float *near, void *scratch); \
	void bl_winners_##isa(const bl_plan *p, const float *code, const float *x, int64_t from, int64_t to, int32_t *out, \
		void *scratch); \
	int64_t bl_project_##isa(const bl_plan *p, const float *x, int64_t from, int64_t to, int32_t k, int32_t find, \
		float boost, const uint16_t *ids, const float *delta, const float *near, float *out, int32_t *hard, void *scratch); \
	double bl_peak_##isa(int64_t rounds);
// bl_project returns how many points, listed in hard relative to from, it leaves to the reference:
// those whose equations are too ill-conditioned for float32.
// bl_peak runs rounds x 64 multiply-adds on whole vectors and returns the floating point operations.

// What only the instruction sets have, and the published formula has not.
#define BL_DECLARE_VECTORS(isa) \
	BL_DECLARE(isa) \
	void bl_knn_sweep_##isa(const bl_knn_set *s, bl_knn_search *w, int32_t rows, int64_t from, int64_t to); \
	void bl_knn_gaps_##isa(const bl_knn_set *s, bl_knn_search *w); \
	void bl_knn_settle_##isa(const bl_knn_set *s, bl_knn_search *w, int32_t r); \
	void bl_knn_rest_##isa(const bl_knn_set *s, bl_knn_search *w, int32_t rows, int64_t from, int64_t to);

BL_DECLARE_VECTORS(base)
#if defined(__x86_64__)
BL_DECLARE_VECTORS(avx2)
BL_DECLARE_VECTORS(avx512)
#endif
BL_DECLARE(scalar)

#endif
