package scene

import (
	"context"
	"fmt"

	"blossom/model/maps/density"
	"blossom/model/maps/derived"
	"blossom/render"
)

// ContourSample is how many points, at most, contours are made from.
const ContourSample = 50_000

// contourWidth is that of a line, in points.
const contourWidth = 1

// ContoursOf returns the lines that part points of a flat map into tenths by their density, over the box that
// derived.Core has of them.
func ContoursOf(ctx context.Context, pos []float32) (*density.Lines, error) {
	low, high, ok := derived.Core(derived.Positions{Dims: 2, Pos: pos})
	if !ok {
		return &density.Lines{}, nil
	}
	return density.Contours(ctx, pos, [2]float64{low[0], low[1]}, [2]float64{high[0], high[1]}, density.Tenths)
}

// Contours is how lines of equal density are drawn.
func Contours(l *density.Lines, t render.Theme) render.Lines {
	out := render.Lines{Places: l.Places, Edges: make([]render.Edge, len(l.Pieces))}
	for i, p := range l.Pieces {
		out.Edges[i] = render.Edge{A: p.A, B: p.B, Colour: t.Text, Width: contourWidth}
	}
	return out
}

// Levels are the lines as they say how many of the points they enclose.
func Levels(l *density.Lines) render.Levels {
	out := render.Levels{Places: l.Places}
	for _, x := range l.Loops() {
		out.Lines = append(out.Lines, render.Level{Text: fmt.Sprintf("%.0f %%", 100*density.Tenths[x.Level]),
			Rows: x.Rows})
	}
	return out
}

// Sample returns the places of the first of some points of a flat map, at most so many, of those that are shown and
// have a place.
func Sample(pos []float32, most int, shown func(point int) bool) []float32 {
	out := make([]float32, 0, min(len(pos), 2*most))
	for i := 0; 2*i+1 < len(pos) && len(out) < 2*most; i++ {
		if x, y := pos[2*i], pos[2*i+1]; x == x && y == y && shown(i) {
			out = append(out, x, y)
		}
	}
	return out
}

// trace makes the contours that a plan wants of the points, which are in a random order; those without a place are
// hidden.
func (s *Scene) trace(ctx context.Context, p Plan) (err error) {
	if p.Contours && s.Points.Dims() == 2 {
		all := func(int) bool { return true }
		s.Contours, err = ContoursOf(ctx, Sample(s.Points.Host(), ContourSample, all))
	}
	return err
}
