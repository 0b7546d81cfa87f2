// What every kernel file includes before the instruction set is switched.
#include "kernel.h"
#include "tsne.h"
#include "umap.h"
#include "scratch.h"
#include <math.h>
#include <string.h>
