package linkage

import "blossom/model/base/problem"

// A hierarchy takes so much memory, in bytes of a point: a run holds 100 at most (trees as they are merged, three of 16
// bytes an edge, their links, lengths and numbers), and as much again for the last one known, in the window, or for one
// that nobody holds any more. A coordinate costs a copy in the order of blocks, and one as a device has it. A graph
// keeps which each neighbour is and how far, and while lists grow as much again.
const (
	pointBytes      = 200
	coordinateBytes = 8
	neighbourBytes  = 32
	listBytes       = 8 // one neighbour, while cores are found
)

// Bytes is about how much memory a hierarchy of n points of cols coordinates takes beside the points themselves.
func (o Options) Bytes(n, cols int) int64 {
	each := pointBytes + coordinateBytes*cols
	if a, err := Named(o.Algorithm); err == nil && a.Neighbours {
		each += neighbourBytes * o.neighbours(n)
	}
	all := int64(each) * int64(n)
	if o.MinSamples > 1 {
		all += listBytes * min(int64(n)*int64(o.MinSamples), nearLists)
	}
	return all
}

// Fits says (problem.Problem) that a hierarchy does not fit into so many bytes of free memory, with what would: fewer
// points, which fewer turns into what the user can do. free 0: it is not known.
func (o Options) Fits(n, cols int, free int64, fewer func(n int) string) error {
	need, room := o.Bytes(n, cols), 0.9*float64(free)
	if free <= 0 || float64(need) <= room {
		return nil
	}
	remedy := "close other programs"
	if fit := problem.Fewer(n, room, func(n int) float64 { return float64(o.Bytes(n, cols)) }); fit > 0 {
		remedy = fewer(fit)
	}
	return problem.New("", remedy, "single linkage of %d points needs about %.1f GB of memory, and %.1f GB are free", n,
		float64(need)/1e9, float64(free)/1e9)
}
