package graph

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"blossom/model/base/step"
	"blossom/model/landmarks/landmark"
)

// DefaultKind is the kind of graph that a map has where none is chosen.
const DefaultKind = "both"

// Choice is a kind of graph and its values.
type Choice struct {
	Kind   string      `json:"kind"`
	Values step.Values `json:"values,omitempty"` // missing ones are the defaults; never changed in place
}

// Default is the choice to begin with.
func Default() Choice { return Choice{Kind: DefaultKind} }

// Equal says whether two choices are the same.
func (c Choice) Equal(o Choice) bool { return c.Kind == o.Kind && maps.Equal(c.Values, o.Values) }

// InputOf is what a graph over a set of landmarks is made of.
func InputOf(s *landmark.Set) Input {
	if s.Len() == 0 {
		return Input{}
	}
	return Input{Codebook: s.Codebook, Pos: s.Pos, Net: s.Edges}
}

// Of returns the graph that is chosen over a set of landmarks, with what was done to its edges by hand.
func Of(c Choice, s *landmark.Set) Graph { return With(Pairs(c, InputOf(s)), s) }

// Pairs returns the pairs A < B that the chosen kind joins, without what was done by hand. A kind that is not known
// joins none. This is what takes long: With does the rest in a moment.
func Pairs(c Choice, in Input) [][2]int32 {
	k, ok := ByID(c.Kind)
	if !ok || in.Codebook.Rows < 2 {
		return nil
	}
	return k.Build(in, c.Values)
}

// With returns the graph of pairs of a set: edges cut by hand are out of it, those joined or locked are in it. Pairs of
// landmarks that the set does not have are left out.
func With(pairs [][2]int32, s *landmark.Set) Graph {
	g := Graph{N: s.Len()}
	if g.N == 0 {
		return g
	}
	g.Edges = make([]Edge, 0, len(pairs)+len(s.Edits))
	for _, p := range pairs {
		a, b := min(p[0], p[1]), max(p[0], p[1])
		if a >= 0 && a < b && int(b) < g.N {
			g.Edges = append(g.Edges, Edge{A: a, B: b})
		}
	}
	slices.SortFunc(g.Edges, compare)
	g.Edges = slices.CompactFunc(g.Edges, func(x, y Edge) bool { return compare(x, y) == 0 })
	for _, e := range s.Edits {
		i, found := slices.BinarySearchFunc(g.Edges, Edge{A: e.A, B: e.B}, compare)
		switch {
		case e.Mark&landmark.EdgeCut != 0:
			if found {
				g.Edges = slices.Delete(g.Edges, i, i+1)
			}
			continue
		case !found:
			g.Edges = slices.Insert(g.Edges, i, Edge{A: e.A, B: e.B})
		}
		g.Edges[i].Locked = e.Mark&landmark.EdgeLocked != 0
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		e.Length = float32(min(math.MaxFloat32, math.Sqrt(apart(s.Codebook.Row(int(e.A)), s.Codebook.Row(int(e.B))))))
	}
	return g
}

// compare orders edges by their landmarks.
func compare(x, y Edge) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) }

// Find returns the index of the edge of landmarks a and b, in any order, or -1.
func (g Graph) Find(a, b int) int {
	i, found := slices.BinarySearchFunc(g.Edges, Edge{A: int32(min(a, b)), B: int32(max(a, b))}, compare)
	if !found {
		return -1
	}
	return i
}

// Around returns for each landmark the mean length of its edges: the heights of a U-matrix. A landmark without edges
// has NaN.
func (g Graph) Around() []float32 {
	sum, n := make([]float64, g.N), make([]int, g.N)
	for _, e := range g.Edges {
		for _, i := range [2]int32{e.A, e.B} {
			sum[i] += float64(e.Length)
			n[i]++
		}
	}
	out := make([]float32, g.N)
	for i := range out {
		out[i] = float32(math.NaN())
		if n[i] > 0 {
			out[i] = float32(sum[i] / float64(n[i]))
		}
	}
	return out
}
