package scene

import (
	"image/color"
	"math"
	"slices"

	"blossom/model/landmarks/graph"
	"blossom/render"
	"blossom/render/legend"
)

// Widths of edges in points, of the longest and of the shortest in the space of the data.
const (
	thin  = 0.6
	thick = 2.2
)

// Edges is how the edges of a graph are drawn: those between landmarks that are near in the space of the data wide and
// strong.
type Edges struct {
	Lo, Hi float64 // lengths that look strongest and faintest; further out nothing changes
	theme  render.Theme
}

// EdgesOf returns how the edges of a graph are drawn. A few far landmarks do not make all others alike.
func EdgesOf(g graph.Graph, t render.Theme) Edges {
	e := Edges{theme: t}
	if len(g.Edges) == 0 {
		return e
	}
	lengths := make([]float32, len(g.Edges))
	for i, x := range g.Edges {
		lengths[i] = x.Length
	}
	e.Lo, e.Hi = between(lengths)
	return e
}

// between returns the 2nd and the 98th percentile.
func between(v []float32) (lo, hi float64) {
	slices.Sort(v)
	at := func(q float64) float64 { return float64(v[int(math.Round(q*float64(len(v)-1)))]) }
	return at(0.02), at(0.98)
}

// strength of a length, from 0 to 1.
func (e Edges) strength(length float64) float64 {
	if !(e.Hi > e.Lo) {
		return 0.6
	}
	return min(1, max(0, (e.Hi-length)/(e.Hi-e.Lo)))
}

// line is how an edge of a length looks.
func (e Edges) line(length float64) (c color.NRGBA, width float32) {
	s := e.strength(length)
	c = e.theme.Landmark
	c.A = uint8(math.Round(255 * (0.16 + 0.72*s*s)))
	return c, float32(thin + (thick-thin)*s)
}

// Append appends the edges of a graph to dst, the longest first. One that is locked is a double line.
func (e Edges) Append(dst []render.Edge, g graph.Graph) []render.Edge {
	from := len(dst)
	for _, x := range g.Edges {
		c, w := e.line(float64(x.Length))
		dst = append(dst, render.Edge{A: x.A, B: x.B, Colour: c, Width: w})
	}
	slices.SortStableFunc(dst[from:], func(a, b render.Edge) int {
		switch {
		case a.Width < b.Width:
			return -1
		case a.Width > b.Width:
			return 1
		}
		return 0
	})
	for _, x := range g.Edges {
		if x.Locked {
			dst = append(dst, render.Edge{A: x.A, B: x.B, Colour: e.theme.Landmark, Width: 4},
				render.Edge{A: x.A, B: x.B, Colour: e.theme.Background, Width: 1.6})
		}
	}
	return dst
}

// Key says what the edges mean; ok is false where there are none that differ.
func (e Edges) Key() (k legend.Key, ok bool) {
	if !(e.Hi > e.Lo) {
		return k, false
	}
	k.Title = "edge: distance of landmarks"
	for _, x := range steps(e.Lo, e.Hi) {
		c, w := e.line(x)
		k.Lines = append(k.Lines, legend.Line{Text: written(x, e.Hi-e.Lo), Width: float64(w), Colour: c})
	}
	return k, true
}

// steps are four numbers from lo to hi.
func steps(lo, hi float64) [4]float64 {
	return [4]float64{lo, lo + (hi-lo)/3, hi - (hi-lo)/3, hi}
}

// written is one of a few numbers that span so much.
func written(x, span float64) string {
	decimals := 1 - int(math.Floor(math.Log10(span/2)))
	return legend.Format(x, min(max(decimals, 0), 5))
}
