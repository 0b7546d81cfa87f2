package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"blossom/gpu/bench/contest"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/demo"
	"blossom/model/landmarks/graph"
	"blossom/model/maps/layout"
	"blossom/model/space/knn"
	"blossom/model/space/transform"
)

// Laid is a row of the bench of layouts. Times of the row are by landmark, of one step.
type Laid struct {
	contest.Row
	Dims  int     `json:"dims"`
	Steps float64 `json:"steps_per_s"` // median
	Start float64 `json:"start_ms"`    // until the first step can begin
}

// allPairs is the row that ratios of layouts compare with: one sum over all pairs, as plain as it can be.
const allPairs = "all pairs"

// How long a layout is measured, and after how many steps: those that are first have much to make.
const (
	layoutTime  = 400 * time.Millisecond
	layoutLeast = 5
	layoutMost  = 200
	layoutWarm  = 3
	layoutJoin  = 3 // neighbours that the graph joins each landmark with
)

// LayoutMost is the largest number of landmarks that is measured: the square of it is the memory that it takes.
const LayoutMost = 1 << 14

// LayoutSizes are the numbers of landmarks of the table.
func LayoutSizes(quick bool) []int {
	sizes := []int{100, 400, 1000, 2000, 4096}
	if quick {
		return sizes[:3]
	}
	return sizes
}

// Layouts times steps of all layouts, in 2D and 3D, from landmarks at random places.
func Layouts(ctx context.Context, sizes []int, say func(string)) (rows []Laid, err error) {
	for _, g := range sizes {
		if g < 2 || g > LayoutMost {
			return rows, problem.New("", fmt.Sprintf("measure 2 to %d with --points", LayoutMost),
				"layouts are not made for %d landmarks", g)
		}
	}
	for _, g := range sizes {
		in, err := layoutInput(ctx, g)
		if err != nil {
			return rows, err
		}
		for dims := 2; dims <= 3; dims++ {
			in.Pos = matrix.New(g, dims)
			r := rand.New(rand.NewPCG(1, uint64(dims)))
			for i := range in.Pos.Data {
				in.Pos.Data[i] = float32(10 * r.NormFloat64())
			}
			say(fmt.Sprintf("layout %s, %d landmarks in %dD", allPairs, g, dims))
			plain, err := timed(ctx, func() (bool, error) { pairs(in.Pos); return true, nil })
			if err != nil {
				return rows, err
			}
			rows = append(rows, laid(allPairs, in, plain, 0))
			base := rows[len(rows)-1].Median
			for _, a := range layout.All() {
				say(fmt.Sprintf("layout %s, %d landmarks in %dD", a.ID, g, dims))
				row, err := layoutRow(ctx, a, in)
				if err != nil {
					return rows, err
				}
				row.Baseline, row.Ratio = allPairs, base/row.Median
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

// layoutInput is landmarks of a blood sample, joined with their nearest.
func layoutInput(ctx context.Context, g int) (in layout.Input, err error) {
	ds, err := demo.Generate(ctx, "cytometry", max(g, 1000), 1)
	if err != nil {
		return in, err
	}
	table, err := transform.Build(ctx, ds, transform.Default(ds), nil, nil)
	if err != nil {
		return in, err
	}
	d := table.X.Cols
	in = layout.Input{Codebook: matrix.Matrix32{Rows: g, Cols: d, Data: table.X.Data[:g*d]}, Seed: 1}
	near, err := knn.Of(ctx, in.Codebook, layoutJoin)
	if err != nil {
		return in, err
	}
	seen := map[graph.Edge]bool{}
	in.Graph.N = g
	for k, j := range near.Index {
		i := int32(k / near.K)
		e := graph.Edge{A: min(i, j), B: max(i, j), Length: float32(math.Sqrt(near.Squared(k/near.K, k%near.K)))}
		if !seen[e] {
			seen[e] = true
			in.Graph.Edges = append(in.Graph.Edges, e)
		}
	}
	slices.SortFunc(in.Graph.Edges, func(a, b graph.Edge) int {
		if a.A != b.A {
			return int(a.A - b.A)
		}
		return int(a.B - b.B)
	})
	return in, nil
}

// layoutRow measures one layout: each step for itself. One that is done at once is started anew for each.
func layoutRow(ctx context.Context, a layout.Algorithm, in layout.Input) (row Laid, err error) {
	var values step.Values
	if a.Suggest != nil {
		values = a.Suggest(in.Pos.Rows)
	}
	start := time.Now()
	l, err := a.New(in, values)
	if err != nil {
		return row, err
	}
	began := time.Since(start).Seconds()
	seconds, err := timed(ctx, func() (bool, error) {
		p, err := l.Step(ctx, 1)
		if a.Once && err == nil {
			l, err = a.New(in, values)
			return true, err
		}
		return !p.Rest, err
	})
	if err != nil {
		return row, err
	}
	return laid(a.ID, in, seconds, began), nil
}

func laid(name string, in layout.Input, seconds []float64, start float64) Laid {
	g := in.Pos.Rows
	r := Laid{Row: row("layout", name, "step", g, in.Codebook.Cols, g, seconds), Dims: in.Pos.Cols, Start: 1e3 * start}
	r.Engine, r.Repeats, r.Clock, r.Steps = "cpu", len(seconds), "wall", 1e9/(r.Median*float64(g))
	return r
}

// timed runs f for a while, as long as it says that it goes on, and returns the seconds that each run took, sorted.
func timed(ctx context.Context, f func() (bool, error)) (seconds []float64, err error) {
	var end time.Time
	for k := range layoutMost + layoutWarm {
		if k == layoutWarm {
			end = time.Now().Add(layoutTime)
		}
		if k >= layoutWarm+layoutLeast && time.Now().After(end) {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		start := time.Now()
		on, err := f()
		if err != nil {
			return nil, err
		}
		if k >= layoutWarm || !on {
			seconds = append(seconds, time.Since(start).Seconds())
		}
		if !on {
			break
		}
	}
	slices.Sort(seconds)
	return seconds, nil
}

// pairs sums a force of all landmarks on each, w^2 r with w = 1/(1+|r|^2).
func pairs(pos matrix.Matrix32) (out []float64) {
	dims := pos.Cols
	x := make([]float64, len(pos.Data))
	for i, v := range pos.Data {
		x[i] = float64(v)
	}
	out = make([]float64, len(x))
	for i := range pos.Rows {
		for j := range pos.Rows {
			w := 1.0
			for c := range dims {
				d := x[i*dims+c] - x[j*dims+c]
				w += d * d
			}
			w = 1 / (w * w)
			for c := range dims {
				out[i*dims+c] += w * (x[i*dims+c] - x[j*dims+c])
			}
		}
	}
	return out
}
