package glcompute

import "math"

// Mesa's software rasteriser ends all loops of an invocation, without a word, when they have gone round
// 65535 times in all (LP_MAX_TGSI_LOOP_ITERATIONS). What may come near that is left to the reference there.
// The counts below are bounds; of loops, only those over the four numbers of a vec4 are taken as unrolled.

func (d device) loops() int {
	if d.software {
		return 65000
	}
	return math.MaxInt
}

// searchLoops is for neighbours.comp.
func searchLoops(g, quads int) int {
	if quads <= maxChunk {
		return 1000 + g*(8+quads)
	}
	chunks := groups(quads, maxChunk)
	return 1000 + 4*quads + groups(g, 16)*(chunks*(4+2*maxChunk+16*(1+maxChunk))+100)
}

// farLoops is for far.comp.
func farLoops(g, quads, find int) int { return (g+find)*(quads+5+find) + 4*quads }

// placeLoops is for project.comp; with quads, for points all of whose pairs are computed from coordinates.
func placeLoops(find, quads int) int { return find*(find+1)/2*(1+quads) + 8*find }
