package train

import (
	"math"
	"slices"

	"blossom/model/base/matrix"
)

// net is distances along the edges of a map: from one landmark to another as many edges as the shortest way has, each
// as long as the middle one (the median) is on the map, or 1 where that is 0. Edges all count the same, so that the
// topology stays what was drawn when landmarks are dragged; and sigma means what it means on the map.
type net struct {
	edges [][2]int32
	g     int     // landmarks that rest is of; -1: none yet
	edge  float64 // length; 0: not measured yet
	// The neighbours of landmark i are ends[from[i]:from[i+1]].
	from, ends []int32
	rows       [][]uint16 // distances from the landmarks last asked for, up to cachedRows
	row        walk       // else the last one
}

// far is what no edges lead to.
const far = math.MaxUint16

// cachedRows is up to how many landmarks what was walked is kept: 2 bytes for two of them each, 32 MB.
const cachedRows = 4096

// set takes up other edges.
func (n *net) set(edges [][2]int32) {
	if len(edges) == 0 || len(edges) != len(n.edges) || &edges[0] != &n.edges[0] {
		*n = net{edges: edges, g: -1}
	}
}

// moved is told that landmarks have moved, come or gone.
func (n *net) moved() { n.edge = 0 }

// build makes ready for the landmarks at pos and returns the length of an edge.
func (n *net) build(pos matrix.Matrix32) float64 {
	if n.g != pos.Rows {
		n.index(pos.Rows)
	}
	if n.edge == 0 {
		n.edge = n.measure(pos)
	}
	return n.edge
}

// index finds the neighbours of g landmarks.
func (n *net) index(g int) {
	n.g = g
	n.from = make([]int32, g+1)
	n.each(func(a, b int32) {
		n.from[a+1]++
		n.from[b+1]++
	})
	for i := range g {
		n.from[i+1] += n.from[i]
	}
	n.ends = make([]int32, n.from[g])
	next := slices.Clone(n.from[:g])
	n.each(func(a, b int32) {
		n.ends[next[a]], n.ends[next[b]] = b, a
		next[a]++
		next[b]++
	})
	n.rows, n.row = nil, walk{}
	if g <= cachedRows {
		n.rows = make([][]uint16, g)
	}
}

// each calls f for the edges between landmarks that there are.
func (n *net) each(f func(a, b int32)) {
	for _, e := range n.edges {
		if e[0] >= 0 && e[1] >= 0 && int(e[0]) < n.g && int(e[1]) < n.g && e[0] != e[1] {
			f(e[0], e[1])
		}
	}
}

// measure returns the median length of the edges on the map.
func (n *net) measure(pos matrix.Matrix32) float64 {
	all := make([]float64, 0, len(n.edges))
	n.each(func(a, b int32) { all = append(all, distance64(pos.Row(int(a)), pos.Row(int(b)))) })
	if len(all) == 0 {
		return 1
	}
	slices.Sort(all)
	if middle := math.Sqrt(all[len(all)/2]); middle > 0 {
		return middle
	}
	return 1
}

// walk is one landmark's steps to all others, and the memory to find them.
type walk struct {
	of    int // landmark + 1; 0: none
	steps []uint16
	queue []int32
}

// steps returns how many edges lead from landmark i to each other one, or far, valid until the next call. For several
// goroutines each brings a walk of its own, and asks for landmarks that no other asks for.
func (n *net) steps(i int, w *walk) []uint16 {
	if n.rows != nil && n.rows[i] != nil {
		return n.rows[i]
	}
	if w.of == i+1 && len(w.steps) == n.g {
		return w.steps
	}
	if n.rows != nil || len(w.steps) != n.g {
		w.steps = make([]uint16, n.g)
	}
	out := w.steps
	for o := range out {
		out[o] = far
	}
	out[i] = 0
	w.of, w.queue = i+1, append(w.queue[:0], int32(i))
	for at := 0; at < len(w.queue); at++ {
		o := w.queue[at]
		next := min(out[o], far-2) + 1
		for _, e := range n.ends[n.from[o]:n.from[o+1]] {
			if out[e] == far {
				out[e] = next
				w.queue = append(w.queue, e)
			}
		}
	}
	if n.rows != nil {
		n.rows[i] = out
	}
	return out
}
