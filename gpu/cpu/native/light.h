// Looking at pairs of blocks of points for single linkage: the kernels behind model/clusters/linkage's Kernel, which says what
// the arrays are. A block is LIGHT points; products are filters with a margin, and what passes is weighed in float64.
#ifndef BLOSSOM_LIGHT_H
#define BLOSSOM_LIGHT_H

#include <stddef.h>
#include <stdint.h>

enum { LIGHT = 64, SKETCH = 32, ROOM = 3 * LIGHT * LIGHT, EUCLIDEAN = 0, COSINE = 1, CITY = 2 };

typedef struct {
	int32_t n, d, blocks, metric;
	const float *x; // the table, d columns
	const int32_t *row;
	const double *norm, *core; // or NULL
	double scale;
	const double *mean;
	const float *packed, *half, *length, *centre, *centre_half, *centre_length, *centre_cols, *radius, *longest;
	// The lattice: the points as whole numbers of 16 bits, in place of packed. Each block is pairs of columns of LIGHT
	// points, 2 x 16 bits a point, so many int32 apart. Products of them are exact.
	const int32_t *lattice; // or NULL
	int64_t panel;
	int32_t pairs;
	int32_t whole;  // the points are such numbers themselves: distances are exact, too
	float per_unit; // of the filter's space, rounded up
	float slack;    // how far the distance of two of its points may be off
	const int32_t *square;  // of each place: |q|^2
	const int32_t *lattice_centre; // of each block: pairs
	const int32_t *centre_square;
	const float *lattice_radius; // rounded up
	// The sketch: the points in some directions at right angles, as a lattice too, after the other in each block; then its
	// squares. Points are no nearer to each other than there.
	int32_t sketch_pairs; // 0: none
	float sketch_per_unit, sketch_slack;
} bl_layout;

typedef struct {
	const int32_t *up;
	const double *w;
	const float *s, *smax, *core; // core or NULL
	int32_t full;
} bl_bounds;

typedef struct {
	int32_t i, j;
	double w;
} bl_edge;

typedef struct {
	int64_t tested, rechecked, light, kept;
} bl_counts;

// The memory of one thread.
typedef struct {
	float *own, *other;         // LIGHT x d each: blocks in a local frame
	float half[2 * LIGHT], length[2 * LIGHT];
	double *origin;             // d
	double *point;              // d, and as many as a sketch has
	float out[8 * LIGHT];       // scores of some rows
	int32_t score[(LIGHT + 6) * LIGHT]; // of the lattice
	int32_t start[LIGHT];       // of a block: -|q|^2/2
	int32_t beyond[LIGHT + 1];  // of a block: half squares of how far its points reach, and the largest
	uint64_t near[LIGHT];       // of rows
	float reach[LIGHT];         // squared distances of a panel of centres
	int32_t framed;             // the block that own is of, or -1
	bl_edge *kept;              // ROOM
} bl_sight;

bl_sight *bl_sight_new(int32_t d);
void bl_sight_free(bl_sight *s);

double bl_weight(const bl_layout *l, int32_t u, int32_t v);
void bl_weights(const bl_layout *l, bl_edge *edges, int64_t count);
// bl_weigh weighs the pairs of place u with those of a block that the mask names, and writes the light ones that no
// lighter one of them makes needless; it returns how many. score is what their distances can be told from where the lattice
// is whole, by point of the block, else NULL.
int32_t bl_weigh(const bl_layout *l, const bl_bounds *b, int32_t u, int32_t block, uint64_t mask, const int32_t *score,
	bl_edge *out, bl_counts *n);
// bl_frame copies a block, less the origin, and writes half squares and lengths of its points.
void bl_frame(const bl_layout *l, const double *origin, int32_t block, float *to, float *half, float *length);

// bl_whole says whether n values are whole numbers.
int bl_whole(const float *x, int64_t n);
// A grid is what bl_settle makes a lattice by, of the table's values, or with COSINE of points of length 1.
typedef struct {
	const double *origin;
	double unit;
	const double *directions; // of the sketch: d x 2 sketch_pairs
	double sketch_unit;
} bl_grid;
// bl_settle writes the lattice of a block over what packed has of it, with its squares, centre and radius.
void bl_settle(const bl_layout *l, const bl_grid *grid, int32_t block, int32_t *lattice, int32_t *square, int32_t *centre,
	int32_t *centre_square, float *radius, bl_sight *s);
// bl_has_lattice says whether an instruction set looks at a lattice.
int bl_has_lattice(int isa);

// bl_look is Kernel.Look: it writes count pairs to s->kept and returns up to where it came, which is less than to when
// there is no room for another block.
// bl_near is Kernel.Near, bl_blocks Kernel.Blocks, for k up to LIGHT: it returns how many there are.
#define BL_LIGHT(isa) \
	int32_t bl_look_##isa(const bl_layout *l, const bl_bounds *b, const float *ways, int32_t a, int32_t from, int32_t to, \
		int32_t *count, bl_counts *n, bl_sight *s); \
	int32_t bl_blocks_##isa(const bl_layout *l, int32_t a, int32_t k, int32_t *ids, bl_sight *s); \
	void bl_near_##isa(const bl_layout *l, int32_t a, uint64_t active, const int32_t *blocks, int32_t many, \
		const int32_t *label, int32_t k, int32_t *ids, float *scores, bl_sight *s);

BL_LIGHT(base)
#if defined(__x86_64__)
BL_LIGHT(avx2)
BL_LIGHT(avx512)
#endif

int32_t bl_look(int isa, const bl_layout *l, const bl_bounds *b, const float *ways, int32_t a, int32_t from, int32_t to,
	int32_t *count, bl_counts *n, bl_sight *s);
int32_t bl_blocks(int isa, const bl_layout *l, int32_t a, int32_t k, int32_t *ids, bl_sight *s);
void bl_near(int isa, const bl_layout *l, int32_t a, uint64_t active, const int32_t *blocks, int32_t many,
	const int32_t *label, int32_t k, int32_t *ids, float *scores, bl_sight *s);

#endif
