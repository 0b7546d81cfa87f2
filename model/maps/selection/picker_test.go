package selection

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// table is rows of two columns, shuffled as a map keeps its points, and the columns by rows.
func table(n int) (p Points, column [2][]float64) {
	r := rand.New(rand.NewPCG(7, 1))
	p = Points{Pos: make([]float32, 2*n), Dims: 2, Order: make([]int32, n)}
	column[0], column[1] = make([]float64, n), make([]float64, n)
	for i, row := range r.Perm(n) {
		p.Order[i] = int32(row)
		for k := range column {
			x := float32(2*r.Float64() - 1)
			p.Pos[2*i+k], column[k][row] = x, float64(x)
		}
	}
	return p, column
}

func limits(column [2][]float64, lo, hi float64) []Limit {
	out := make([]Limit, 2)
	for k := range out {
		out[k] = Limit{At: func(row int) float64 { return column[k][row] }, Low: lo, High: hi}
	}
	return out
}

// A region of columns is the same rows whatever a view shows. One of the screen is what the view shows there: where
// its axes are the columns, a rectangle is the limits of both.
func TestRegionsOfTheScreenAndOfColumns(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{0, 1, 63, 64, 65, 5000} {
		p, column := table(n)
		want, err := Within{n, limits(column, -0.25, 0.5)}.Pick(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for row := range n {
			x, y := column[0][row], column[1][row]
			if in := x >= -0.25 && x <= 0.5 && y >= -0.25 && y <= 0.5; in != want.Contains(row) {
				t.Fatalf("row %d at %g, %g: %v", row, x, y, !in)
			}
		}
		var first *Set
		for _, v := range []View{flatView(0, 0, 400, 1000, 800), flatView(0.4, -0.2, 150, 300, 300)} {
			corner := func(x float64) Point {
				sx, sy, _, _ := v.Screen(float32(x), float32(x), 0)
				return Point{sx, sy}
			}
			regions := []Picker{OnScreen{Region: Rect(corner(-0.25), corner(0.5)), View: v, Points: p},
				Within{n, limits(column, -0.25, 0.5)}}
			for _, r := range regions {
				if got, err := r.Pick(ctx); err != nil || !Equal(got, want) {
					t.Errorf("%d rows, %T: %d in, not %d: %v", n, r, got.Count(), want.Count(), err)
				}
			}
			seen, err := OnScreen{Rect(Point{100, 100}, Point{250, 250}), v, p, Front{}}.Pick(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = seen
			} else if n > 100 && Equal(first, seen) {
				t.Error("a rectangle on the screen is the same points in two views")
			}
		}
	}
}

func TestMissingValuesLieInNoLimits(t *testing.T) {
	at := func(row int) float64 { return []float64{math.NaN(), 1, math.Inf(1), 3}[row] }
	for _, c := range []struct {
		limits []Limit
		want   int
	}{{nil, 4}, {[]Limit{{at, math.Inf(-1), math.Inf(1)}}, 3}, {[]Limit{{at, 1, 1}}, 1}, {[]Limit{{at, 2, 1}}, 0},
		{[]Limit{{at, 0, 2}, {at, 2, 4}}, 0}} {
		if got, err := (Within{4, c.limits}).Pick(context.Background()); err != nil || got.Count() != c.want {
			t.Errorf("%d limits: %d rows, not %d, %v", len(c.limits), got.Count(), c.want, err)
		}
	}
}

func TestACancelledRegionOfColumnsEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Within{100_000, nil}).Pick(ctx); err == nil {
		t.Error("no error")
	}
}
