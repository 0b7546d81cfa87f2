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
func (d device) searchLoops(g, quads, find int) int {
	c := d.cut(g, quads, find)
	bring := groups(c.stage*c.chunk, c.threads) + groups(c.stage, c.threads) + 2
	tile := 1 + bring*groups(c.tile, c.stage)
	if quads > d.chunk {
		tile = 1 + c.parts*(1+bring)
	}
	passes := (c.groups/c.tile*c.members + groups(g, c.tile)) * tile
	return 100 + passes + 4*(1+c.groups/8) + c.list*c.list/8 + 3*c.list + find + 4*quads
}

// farLoops is for far.comp.
func farLoops(g, quads, find int) int { return (g+find)*(quads+5+find) + 4*quads }

// placeLoops is for project.comp; with quads, for points all of whose pairs are computed from coordinates.
func placeLoops(find, quads int) int { return find*(find+1)/2*(1+quads) + find*find/8 + 10*find }
