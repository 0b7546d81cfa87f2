// The memory of one worker, carved from one allocation.
#ifndef BLOSSOM_SCRATCH_H
#define BLOSSOM_SCRATCH_H

#include "kernel.h"

enum {
	FEW = 80,     // survivors of the coarse filter; a point with more goes through the fine one
	SORTED = 160,    // survivors of a point that the sorting network takes; more go through a heap
	ROUGH = SORTED + 16,
	MAX_GROUPS = 128 // group minima from which the threshold is found
};

typedef struct {
	float *x, *centred, *twice; // TILE x dp: as given times scale; less the mean; dp: 2 (x - base)
	float *half;                // TILE x dp bfloat16: centred
	float *q;                   // TILE x gp: filter distances
	float *minima, *sorted;     // TILE x MAX_GROUPS and transposed
	float *delta;               // SORTED x TILE
	int32_t *id;                // SORTED x TILE
	int32_t *list;              // TILE x listed(p): survivors of each point
	float *rough;               // TILE x ROUGH: their deltas, before they are sorted
	float *heap_delta;          // gp + 16: those of a point with too many
	float *stage;               // 14 x find x 16: neighbours of a vector of points
} scratch;

static inline float *carve(char **at, size_t n) {
	float *p = (float *)*at;
	*at += (n * sizeof(float) + 63) & ~(size_t)63;
	return p;
}

// listed is the room for one point's list; a little more than needed, as lists are written in vectors.
static inline size_t listed(const bl_plan *p) { return (size_t)p->gp + 16; }

static inline char *scratch_layout(scratch *s, const bl_plan *p, int32_t find, char *at) {
	size_t dp = p->dp, gp = p->gp;
	s->x = carve(&at, TILE * dp);
	s->centred = carve(&at, TILE * dp);
	s->twice = carve(&at, dp);
	s->half = carve(&at, TILE * dp / 2);
	s->q = carve(&at, TILE * gp);
	s->minima = carve(&at, TILE * MAX_GROUPS);
	s->sorted = carve(&at, TILE * MAX_GROUPS);
	s->delta = carve(&at, TILE * SORTED);
	s->id = (int32_t *)carve(&at, TILE * SORTED);
	s->list = (int32_t *)carve(&at, TILE * listed(p));
	s->rough = carve(&at, TILE * ROUGH);
	s->heap_delta = carve(&at, gp + 16);
	s->stage = carve(&at, 14 * (size_t)find * 16);
	return at;
}

// HALF_MARGIN |x| reach bounds how far bfloat16 factors can move one filter distance against another:
// each rounds by 2^-8, so a distance of |L|^2 - 2 x.L is off by 2 (2 2^-8 + 2^-16) |x| |L| at most.
#define HALF_MARGIN 0x1.04p-5f

#if defined(__x86_64__)
int bl_has_half(void);
void bl_filter_half(const bl_plan *p, scratch *s, int groups);
#endif

#endif
