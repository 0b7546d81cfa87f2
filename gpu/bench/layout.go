package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"blossom/gpu/bench/table"
	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/data/demo"
	"blossom/model/landmarks/graph"
	"blossom/model/maps/layout"
	"blossom/model/space/knn"
	"blossom/model/space/transform"
)

// Laid is a row of the measure layout. Times of the row are by landmark, of one step.
type Laid struct {
	table.Row
	Dims  int     `json:"dims"`
	Steps float64 `json:"steps_per_s"` // median
	Start float64 `json:"start_ms"`    // until the first step can begin
}

// allPairs is the row that ratios of layouts compare with: one sum over all pairs, as plain as it can be.
const allPairs = "all pairs"

const (
	layoutJoin = 3       // neighbours that the graph joins each landmark with
	layoutMost = 1 << 14 // landmarks: the square of it is the memory that it takes
)

// layoutSpan is how long a layout is measured, after the first steps, which have much to make.
var layoutSpan = span{warm: 3, least: 5, most: 200, time: 400 * time.Millisecond}

func init() {
	Register(Measure{Name: "layout", Title: "steps of each layout of landmarks",
		Help: `Times steps of each layout, over landmarks of a simulated blood sample, flat and in space:
100, 400, 1,000, 2,000 and 4,096 of them. start: what is made before the first step. Ratios compare with one
plain sum over all pairs on one core in float64, which is the least that a step without any care would do.`,
		Flags: []Flag{pointsFlag(2, layoutMost, "one number of landmarks (default: 100 to 4096)"),
			quickFlag("up to 1,000 landmarks")},
		Columns: []table.Column{
			table.Word("layout", func(r Laid) string { return r.Variant }),
			table.Size("landmarks", func(r Laid) int { return r.G }),
			table.Word("map", func(r Laid) string { return fmt.Sprintf("%dD", r.Dims) }),
			table.Value("steps/s", func(r Laid) float64 { return r.Steps }),
			table.Value("ms/step", func(r Laid) float64 { return r.All(r.Median) }),
			table.Value("p05", func(r Laid) float64 { return r.All(r.P05) }),
			table.Value("p95", func(r Laid) float64 { return r.All(r.P95) }),
			table.Value("start ms", func(r Laid) float64 { return r.Start }),
			table.Text("ratio", func(r Laid) string { return r.Times() }),
		},
		Note: func([]any) string {
			return "ratio: to one plain sum over all pairs on one core; pca is done in one step"
		},
		Run: func(ctx context.Context, r *Run) error {
			sizes := []int{100, 400, 1000, 2000, 4096}
			if r.Bool("quick") {
				sizes = sizes[:3]
			}
			return layouts(ctx, r, r.points(sizes...))
		}})
}

// layouts times steps of all layouts, in 2D and 3D, from landmarks at random places.
func layouts(ctx context.Context, r *Run, sizes []int) error {
	for _, g := range sizes {
		in, err := layoutInput(ctx, g)
		if err != nil {
			return err
		}
		for dims := 2; dims <= 3; dims++ {
			in.Pos = matrix.New(g, dims)
			rng := rand.New(rand.NewPCG(1, uint64(dims)))
			for i := range in.Pos.Data {
				in.Pos.Data[i] = float32(10 * rng.NormFloat64())
			}
			r.Say(fmt.Sprintf("layout %s, %d landmarks in %dD", allPairs, g, dims))
			plain, err := timed(ctx, layoutSpan, func() (bool, error) { pairs(in.Pos); return true, nil })
			if err != nil {
				return err
			}
			base := laid(allPairs, in, plain, 0)
			r.Add(base)
			for _, a := range layout.All() {
				r.Say(fmt.Sprintf("layout %s, %d landmarks in %dD", a.ID, g, dims))
				row, err := layoutRow(ctx, a, in)
				if err != nil {
					return err
				}
				row.Compare(allPairs, base.Median)
				r.Add(row)
			}
		}
	}
	return nil
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
	seconds, err := timed(ctx, layoutSpan, func() (bool, error) {
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
	r := Laid{Row: rowOf("layout", name, "step", g, in.Codebook.Cols, g, seconds), Dims: in.Pos.Cols,
		Start: 1e3 * start}
	r.Engine, r.Repeats, r.Clock, r.Steps = "cpu", len(seconds), "wall", 1e9/(r.Median*float64(g))
	return r
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
