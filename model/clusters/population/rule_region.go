package population

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"blossom/model/base/bounded"
	"blossom/model/base/problem"
	"blossom/model/maps/selection"
)

func init() {
	Register(Kind{ID: "region", Title: "a region of a map", Order: 15,
		Decode: func(raw []byte, _ int) (Rule, error) {
			var r Region
			if err := bounded.Unmarshal(raw, (*encodedRegion)(&r)); err != nil {
				return nil, problem.New("", "leave it out", "its region cannot be read (%s)", bounded.Flaw(err))
			}
			if err := r.check(); err != nil {
				return nil, err
			}
			return &r, nil
		}})
}

// Region is a live region: the points that lie within an outline on a map, wherever that map has them.
type Region struct {
	Of      Map      `json:"map"`
	Strokes []Stroke `json:"strokes"` // one after the other, the first into nothing
}

// Map names a flat map: the kind of its embedding, and the columns that it is of, where the kind takes some. It has the
// fields of embedding.Recipe.
type Map struct {
	Kind    string   `json:"kind"`
	Dims    int      `json:"dims"`
	Columns []string `json:"columns,omitempty"`
}

// Key is one text for one map.
func (m Map) Key() string {
	return fmt.Sprintf("%s/%d/%s", m.Kind, m.Dims, strings.Join(m.Columns, "\x00"))
}

// Places are where the points of a map are.
type Places struct {
	Pos   []float32 // two coordinates of each point; NaN: it has no place
	Order []int32   // the row of each point; nil: points are in the order of rows
}

// These are what a stroke does with the points within it to those of the strokes before.
const (
	Adds       = "add"
	Takes      = "subtract"
	Intersects = "intersect"
)

// Stroke is a part of a region.
type Stroke struct {
	Does  string       `json:"does"`  // Adds, Takes, Intersects
	Shape string       `json:"shape"` // Rectangle or Polygon, as of a Gate
	Path  [][2]float64 `json:"path"`  // corners, in coordinates of the map
}

type encodedRegion Region

// mostStrokes is how many strokes a region may be of.
const mostStrokes = 1000

func (r *Region) Kind() string { return "region" }
func (r *Region) Says() string { return "a region of a map" }
func (r *Region) Needs() Needs { return Needs{Maps: []Map{r.Of}} }

// Renamed returns the rule as it is: no column is looked at.
func (r *Region) Renamed(_, _ string) Rule { return r }

// check says what is wrong with a region.
func (r *Region) check() error {
	switch {
	case r.Of.Kind == "" || r.Of.Dims != 2:
		return problem.New("", "leave it out", "it is a region of no flat map")
	case len(r.Strokes) == 0 || len(r.Strokes) > mostStrokes:
		return problem.New("", "leave it out", "a region of %d strokes is none", len(r.Strokes))
	}
	for _, s := range r.Strokes {
		if s.Shape != Rectangle && s.Shape != Polygon || s.Does != Adds && s.Does != Takes && s.Does != Intersects {
			return problem.New("", "use a newer program", "there are no regions of %.40q, %.40q here", s.Does, s.Shape)
		}
		if err := s.gate().check(); err != nil {
			return problem.New("", "leave it out", "a %s of %d corners is no region", s.Shape, len(s.Path))
		}
		for _, p := range s.Path {
			if math.Abs(p[0]) > math.MaxFloat32 || math.Abs(p[1]) > math.MaxFloat32 {
				return problem.New("", "leave it out", "a corner at %g, %g is on no map", p[0], p[1])
			}
		}
	}
	return nil
}

// gate is the shape of a stroke, as gates have it.
func (s Stroke) gate() *Gate { return &Gate{Shape: s.Shape, Path: s.Path} }

// Corners are all corners of a stroke, in order.
func (s Stroke) Corners() [][2]float64 { return s.gate().Corners() }

// Equal says whether two regions have the same points whatever the map.
func (r *Region) Equal(o *Region) bool {
	return r == o || r.Of.Key() == o.Of.Key() && slices.EqualFunc(r.Strokes, o.Strokes, func(a, b Stroke) bool {
		return a.Does == b.Does && a.Shape == b.Shape && slices.Equal(a.Path, b.Path)
	})
}

// And returns the region with a stroke more; ok is false where there is no room for it.
func (r *Region) And(s Stroke) (out *Region, ok bool) {
	if len(r.Strokes) >= mostStrokes {
		return r, false
	}
	return &Region{r.Of, append(slices.Clone(r.Strokes), s)}, true
}

// Moved returns the region with a corner at another place. Corners are counted through all strokes.
func (r *Region) Moved(corner int, x, y float64) *Region {
	out := &Region{r.Of, slices.Clone(r.Strokes)}
	for i, s := range r.Strokes {
		n := len(s.Corners())
		if corner < n {
			out.Strokes[i].Path = s.gate().Moved(corner, x, y).Path
			break
		}
		corner -= n
	}
	return out
}

// Shifted returns the region at another place of its map.
func (r *Region) Shifted(dx, dy float64) *Region {
	out := &Region{r.Of, slices.Clone(r.Strokes)}
	for i, s := range r.Strokes {
		out.Strokes[i].Path = shifted(s.Path, dx, dy)
	}
	return out
}

// Rows returns the rows whose points lie within the region where they are now.
func (r *Region) Rows(ctx context.Context, in Inputs) (*selection.Set, error) {
	if in.Places == nil {
		return nil, problem.New("", "make it of its points or of limits on columns",
			"it is a region of a map, and there is no map")
	}
	at, err := in.Places(r.Of)
	if err != nil {
		return nil, err
	}
	points := selection.Points{Pos: at.Pos, Dims: 2, Order: at.Order}
	if points.Len() != in.Rows {
		return nil, problem.New("", "choose its points anew, or define it by columns or landmarks",
			"it is a region of a map of %d points, and there are %d", points.Len(), in.Rows)
	}
	out := selection.None(in.Rows)
	for _, s := range r.Strokes {
		region, factor := s.gate().Region()
		set, err := selection.OnMap{Region: region, Points: points, Factor: factor}.Pick(ctx)
		if err != nil {
			return nil, err
		}
		switch s.Does {
		case Adds:
			out = selection.Union(out, set)
		case Takes:
			out = selection.Subtract(out, set)
		case Intersects:
			out = selection.Intersect(out, set)
		}
	}
	return out, nil
}

// MarshalJSON encodes the region.
func (r *Region) MarshalJSON() ([]byte, error) { return json.Marshal((*encodedRegion)(r)) }
