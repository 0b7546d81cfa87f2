// One instruction set's copy of all kernels: included after the isa_*.h that defines the vectors.
#include "sort.h"
#include "neighbours.h"
#include "winners.h"
#include "project.h"
#include "tsne_force.h"
#include "tsne_tree.h"
#include "tsne_field.h"
#include "tsne_fft.h"
#include "knn.h"
#include "umap_pull.h"

double ISA(bl_peak)(int64_t rounds) {
	vf a[8], m = V1(0.999f), b = V1(1e-3f);
	for (int i = 0; i < 8; i++) a[i] = V1((float)i);
	for (int64_t r = 0; r < rounds; r++)
#pragma GCC unroll 8
		for (int q = 0; q < 8; q++)
#pragma GCC unroll 8
			for (int i = 0; i < 8; i++) a[i] = VFMA(a[i], m, b);
	volatile float sink = 0; // so that the loop stays
	for (int i = 0; i < 8; i++) sink += VSUM(a[i]);
	return (double)rounds * 64 * 2 * W;
}
