package layout

import (
	"math"

	"blossom/model/landmarks/graph"
)

// lock is an edge that keeps its length on the map.
type lock struct {
	a, b   int32
	length float64
}

// lock lists the locked edges: those that were locked before keep the length that they had then.
func (b *body) lock(g graph.Graph, before []lock) (out []lock) {
	at := map[[2]int32]float64{}
	for _, l := range before {
		at[[2]int32{l.a, l.b}] = l.length
	}
	for _, e := range g.Edges {
		if !e.Locked {
			continue
		}
		length, ok := at[[2]int32{e.A, e.B}]
		if !ok {
			length = b.distance(b.x, int(e.A), int(e.B))
		}
		out = append(out, lock{e.A, e.B, length})
	}
	return out
}

func (b *body) distance(x []float64, i, j int) float64 {
	sum := 0.0
	for c := range b.dims {
		d := x[i*b.dims+c] - x[j*b.dims+c]
		sum += d * d
	}
	return math.Sqrt(sum)
}

// Rounds of restoring locked edges, and the part of the map's diameter that they may be off after it.
const (
	lockRounds = 500
	lockError  = 1e-7
)

// constrain restores the lengths of locked edges, one after the other until all are right: where ends are free, both
// move by half. Edges between fixed landmarks are as long as those lie apart.
func (b *body) constrain() {
	if len(b.locks) == 0 {
		return
	}
	enough := lockError * b.diameter()
	for range lockRounds {
		worst := 0.0
		for _, l := range b.locks {
			i, j := int(l.a), int(l.b)
			wi, wj := share(b.free[i], b.free[j]), share(b.free[j], b.free[i])
			if wi+wj == 0 {
				continue
			}
			d := b.distance(b.x, i, j)
			off := d - l.length
			worst = max(worst, math.Abs(off))
			for c := range b.dims {
				var u float64
				switch {
				case d > 0:
					u = (b.x[j*b.dims+c] - b.x[i*b.dims+c]) / d
				case c == 0: // on one spot: along the first axis
					u = 1
				}
				b.x[i*b.dims+c] += wi * off * u
				b.x[j*b.dims+c] -= wj * off * u
			}
		}
		if worst <= enough {
			return
		}
	}
}

// share is the share of a correction that a landmark takes.
func share(free, other bool) float64 {
	switch {
	case !free:
		return 0
	case other:
		return 0.5
	}
	return 1
}
