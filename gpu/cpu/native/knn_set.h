// The k nearest other points of points: what its kernels share. knn.h filters with the vectors of an instruction set,
// knn.c decides, in float64, with the same code on every one.
//
// Where the slots are in an order in which blocks are compact (model/space/blocks), a row need not look at a block whose points
// all lie farther away than its k-th nearest so far: |u - c| - radius is a lower bound. Nothing else depends on it.
#ifndef BLOSSOM_KNN_SET_H
#define BLOSSOM_KNN_SET_H

#include <stdint.h>

enum {
	KNN_ROWS = 64, KNN_FOUR = 4, // rows of the answer that are searched for side by side, and in registers
	KNN_BLOCK = 64, // slots of a block: whole panels
};

// A set is points to compare with, in slots: whole panels of pw, coordinate by coordinate.
typedef struct {
	int32_t d, pw, shift; // pw is 2^shift
	int64_t slots;
	double scale;   // a power of two that brings the spread near 1
	double *mean;   // d
	const float *x; // n x d: the points as given
	float *panel;   // slots/pw x d x pw: centred and scaled, times -2
	float *norm;    // slots: squared length; FAR for a slot without a point
	float *reach;   // slots/pw: the longest in a panel
	int32_t *id;    // slots: which point; -1 none
	float most;     // the longest of all
	// of blocks of KNN_BLOCK slots, if there are any:
	int64_t blocks;
	float *centre;  // whole panels of pw blocks, coordinate by coordinate
	float *radius;  // blocks, in whole panels: no point of the block is farther from its centre; below 0: no block
} bl_knn_set;

// A search is the memory of one worker. Of row r: limit[r] is what filter distances |y|^2 - 2 u.y of those that may be
// among the k nearest do not exceed but by their margin; pending ones lie at r*cap, those decided on at r*k.
typedef struct {
	int32_t k, cap, rows;
	float slack;       // times (|u| + |y|)^2: the margin of a filter distance
	float *u;          // rows x d: centred and scaled
	float *size;       // its length
	double *square;    // the square of that
	float *limit;
	int32_t *self;     // which point it is itself; -1 none
	int32_t *count;    // pending
	float *key;        // rows x cap: their filter distances
	float *off;        // by how much those may be off
	int32_t *slot;     // and slots
	int32_t *decided;  // how many are
	double *best;      // rows x k: squared distances
	int32_t *best_id;
	const float **own; // the row as given
	float *within;     // how far the k-th nearest of a row is at most, in the set's space
	float *gap;        // blocks: how far a block is from all rows at least; FAR once they have been compared with it
	float *apart;      // scratch: squared distances of rows (in fours) x pw centres
	int32_t *which;    // rows: those that a block is compared with
	float *middle;     // d: the centre of the rows
	float radius;      // and how far they are from it at most
	double *tried;     // k + cap: scratch
	int32_t *tried_id;
	double *merged;    // k: scratch
	int32_t *merged_id;
} bl_knn_search;

// blocked says whether there are blocks.
bl_knn_set *bl_knn_set_new(int32_t d, int64_t slots, int32_t pw, int blocked, const float *x, const double *mean,
	double scale);
void bl_knn_set_free(bl_knn_set *s);
// bl_knn_pack fills panels from the points that their slots name, and finds their blocks: from and to are whole ones.
void bl_knn_pack(bl_knn_set *s, int64_t from, int64_t to);

// bl_knn_packed is called when all are packed.
void bl_knn_packed(bl_knn_set *s);

bl_knn_search *bl_knn_search_new(const bl_knn_set *s, int32_t k);
void bl_knn_search_free(bl_knn_search *s);
// bl_knn_begin takes row r: its coordinates, which must stay, and which point it is. It returns 0 where it lies too far
// away for float32.
int bl_knn_begin(const bl_knn_set *s, bl_knn_search *w, int32_t r, const float *x, int32_t self);
// bl_knn_decide takes the pending ones of row r among the nearest, or not.
void bl_knn_decide(const bl_knn_set *s, bl_knn_search *w, int32_t r);
// bl_knn_middle finds the centre of the rows.
void bl_knn_middle(const bl_knn_set *s, bl_knn_search *w, int32_t rows);
// bl_knn_bounds finds how far the k-th nearest of each row is at most, and returns the farthest of them.
float bl_knn_bounds(const bl_knn_set *s, bl_knn_search *w, int32_t rows);
// bl_knn_nearest writes the n blocks that are nearest to the rows by the gaps, which are then FAR, and returns how many
// there are.
int32_t bl_knn_nearest(const bl_knn_set *s, bl_knn_search *w, int32_t n, int32_t *blocks);
// bl_knn_end writes the nearest of row r, in order, and returns how many.
int32_t bl_knn_end(const bl_knn_set *s, bl_knn_search *w, int32_t r, int32_t *id, double *squared);

#endif
