package dataset

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestRankIsExactForFewPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float32Range(-4, 4), 0, 200).Draw(t, "values")
		c := Column{Name: "x"}
		for _, v := range values {
			c.Values = append(c.Values, float32(math.Round(float64(v)))) // with ties
		}
		for i := range c.Values {
			if i%7 == 3 {
				c.Values[i] = []float32{nan, inf, -inf}[i%3]
			}
		}
		c, err := Derive(t.Context(), c, "numbers")
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []float64{-9, -1, 0, 0.5, 4, 9, math.Inf(1)} {
			below, all := 0, 0
			for _, v := range c.Values {
				if v-v == 0 {
					all++
					if float64(v) < x {
						below++
					}
				}
			}
			if want := float64(below) / float64(all); c.Rank(x) != want && (all > 0 || c.Rank(x) == c.Rank(x)) {
				t.Fatalf("rank of %g: %g, not %g", x, c.Rank(x), want)
			}
		}
		want := c.Quantiles(0.25, 0.5, 0.75)
		a, b, d := c.Quartiles()
		if got := []float64{a, b, d}; !slices.Equal(got, want) && want[0] == want[0] {
			t.Fatalf("quartiles %v, not %v", got, want)
		}
		if !math.IsNaN(c.Rank(math.NaN())) {
			t.Fatal("NaN has a rank")
		}
	})
}

func TestRankOfManyPoints(t *testing.T) {
	const n = 300_000
	r := rand.New(rand.NewPCG(4, 4))
	for name, value := range map[string]func(i int) float32{
		"sorted":   func(i int) float32 { return float32(i) / n },
		"periodic": func(i int) float32 { return float32(i%73) / 73 },
		"random":   func(int) float32 { return r.Float32() },
		"holes": func(i int) float32 {
			if i%10 != 0 {
				return nan
			}
			return r.Float32()
		},
	} {
		c := Column{Name: "x", Values: make([]float32, n)}
		for i := range c.Values {
			c.Values[i] = value(i)
		}
		ds := mustColumns(t, c)
		d := &ds.Columns[0]
		for _, x := range []float64{0.01, 0.25, 0.5, 0.9, 0.999} {
			if got := d.Rank(x); math.Abs(got-x) > 0.04 {
				t.Errorf("%s: rank of %g is %g", name, x, got)
			}
		}
		if q1, q2, q3 := d.Quartiles(); math.Abs(q1-0.25)+math.Abs(q2-0.5)+math.Abs(q3-0.75) > 0.08 {
			t.Errorf("%s: quartiles %g %g %g", name, q1, q2, q3)
		}
		same := mustColumns(t, Column{Name: "y", Values: d.Values})
		if d.Rank(0.3) != same.Columns[0].Rank(0.3) {
			t.Errorf("%s: the same values have another rank", name)
		}
		copied := *d
		if allocs := testing.AllocsPerRun(10, func() { copied.Rank(0.5); d.Quartiles() }); allocs != 0 {
			t.Errorf("%s: %g allocations", name, allocs)
		}
	}
}

// A column taken from another has other values: nothing of the old is remembered.
func TestRankFollowsTheValues(t *testing.T) {
	ds := mustColumns(t, Column{Name: "x", Values: []float32{1, 2, 3, 4}})
	if got := ds.Columns[0].Rank(3); got != 0.5 {
		t.Fatalf("rank %g", got)
	}
	part, err := Take(t.Context(), ds, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	both, err := Concat(t.Context(), []*Dataset{ds, part})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := part.Columns[0].Rank(3), both.Columns[0].Rank(3); a != 2.0/3 || b != 4.0/7 {
		t.Fatalf("ranks %g and %g", a, b)
	}
	if q, _, _ := (&Column{Values: []float32{1, 2, 3}}).Quartiles(); q != 1.5 {
		t.Fatalf("without a table: %g", q)
	}
}

func BenchmarkFirstRank(b *testing.B) {
	c := Column{Name: "x", Values: make([]float32, 10_000_000)}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range c.Values {
		c.Values[i] = r.Float32()
	}
	c.Stats = Summarise(c.Values)
	for b.Loop() {
		c.Rank(0.5)
	}
}
