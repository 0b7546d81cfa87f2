package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"blossom/gpu/bench/contest"
	"blossom/gpu/bench/table"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/document/opening"
)

// clusterShape is points that are clustered: 24 Gaussians as cytometry has them, 30 of different widths where there
// are up to 6,000 points (those that the published system gets wrong), or bytes.
type clusterShape struct {
	n, d  int
	bytes bool
	input string // a file or demo that they are read from instead, as the map takes them; n and d come from there
}

func (s clusterShape) String() string {
	if s.input != "" {
		return s.input
	}
	if s.bytes {
		return fmt.Sprintf("%dx%db", s.n, s.d)
	}
	return fmt.Sprintf("%dx%d", s.n, s.d)
}

// parseClusterShape reads "10000x39", with a b behind it for bytes.
func parseClusterShape(text string) (s clusterShape, err error) {
	rest, isBytes := strings.CutSuffix(text, "b")
	n, d, found := strings.Cut(rest, "x")
	s.bytes = isBytes
	var e1, e2 error
	s.n, e1 = strconv.Atoi(n)
	s.d, e2 = strconv.Atoi(d)
	if !found || e1 != nil || e2 != nil || s.n < 2 || s.n > 1<<27 || s.d < 1 || s.d > 1<<14 {
		return s, usage("write points x columns: --shape 10000x39, or 60000x784b for bytes",
			"--shape %s is no size", text)
	}
	return s, nil
}

// clusterShapes are the sizes that a run was asked for, or those of the table.
func clusterShapes(r *Run) ([]clusterShape, error) {
	var shapes []clusterShape
	if n := r.Int("points"); n > 0 {
		shapes = []clusterShape{{n: n, d: 39}}
	}
	if asked := r.List("shape"); len(asked) > 0 {
		shapes = nil
		for _, text := range asked {
			s, err := parseClusterShape(text)
			if err != nil {
				return nil, err
			}
			shapes = append(shapes, s)
		}
	}
	for _, input := range r.Inputs {
		shapes = append(shapes, clusterShape{input: input})
	}
	if len(shapes) == 0 {
		shapes = []clusterShape{{n: 3000, d: 8}, {n: 3000, d: 32}, {n: 10_000, d: 39}}
		if !r.Bool("quick") {
			shapes = append(shapes, clusterShape{n: 100_000, d: 39}, clusterShape{n: 1_000_000, d: 39},
				clusterShape{n: 60_000, d: 784, bytes: true}, clusterShape{n: 1_000_000, d: 128, bytes: true})
		}
	}
	for _, s := range shapes {
		if err := fits(8*int64(s.n)*int64(s.d+8), "points of %v", s); err != nil {
			return nil, err
		}
	}
	return shapes, nil
}

// row begins a row about the points.
func (s clusterShape) row(engine, variant string) table.Row {
	data := contest.Clustered
	switch {
	case s.input != "":
		data = s.input
	case s.bytes:
		data = "bytes"
	}
	return table.Row{Bench: "cluster", Engine: engine, Variant: variant, N: s.n, D: s.d, Stage: "total", Data: data}
}

// points are those of the shape: of an input, the rows that are finite.
func (s clusterShape) points(ctx context.Context) (matrix.Matrix32, error) {
	if s.input == "" {
		return clusterPoints(s), nil
	}
	ds, err := readInput(ctx, s.input)
	if err != nil {
		return matrix.Matrix32{}, err
	}
	start, err := opening.Begin(ctx, ds, 1, nil)
	if err != nil {
		return matrix.Matrix32{}, err
	}
	x := matrix.Matrix32{Cols: start.Table.X.Cols}
	for i := range start.Table.X.Rows {
		row := start.Table.X.Row(i)
		if !slices.ContainsFunc(row, func(v float32) bool { return v-v != 0 }) {
			x.Data = append(x.Data, row...)
			x.Rows++
		}
	}
	if x.Rows < 2 {
		return x, problem.New(s.input, "take another file", "it has no two rows without missing values")
	}
	return x, nil
}

// clusterPoints draws the points of a shape, always the same.
func clusterPoints(s clusterShape) matrix.Matrix32 {
	r := rand.New(rand.NewPCG(uint64(s.n), uint64(s.d)))
	x := matrix.New(s.n, s.d)
	clusters, apart := 24, 1.0
	if s.n <= 6000 {
		clusters, apart = 30, 4
	}
	at, wide := make([]float64, clusters*s.d), make([]float64, clusters*s.d)
	for k := range clusters {
		width := math.Pow(apart, r.Float64())
		for c := range s.d {
			at[k*s.d+c] = 6 * r.Float64()
			wide[k*s.d+c] = width * (0.3 + 0.3*r.Float64())
			if apart > 1 {
				at[k*s.d+c], wide[k*s.d+c] = 4*r.NormFloat64(), width
			}
		}
	}
	for i := range s.n {
		k, row := r.IntN(clusters), x.Row(i)
		for c := range row {
			v := at[k*s.d+c] + wide[k*s.d+c]*r.NormFloat64()
			if s.bytes {
				v = math.Round(max(0, min(255, 40*v)))
			}
			row[c] = float32(v)
		}
	}
	return x
}
