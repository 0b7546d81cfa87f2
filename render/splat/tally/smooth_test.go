package tally

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/maps/density"
	"blossom/render/splat"
)

// gaussianOf is the reference of a smoothed plane: the sum over all cells, with what weights beyond the edges of the
// picture lack made up for.
func gaussianOf(plane []float64, cols int, side, deviation float64) []float64 {
	rows := len(plane) / cols
	weight := func(d int) float64 { x := float64(d) * side / deviation; return math.Exp(-x * x / 2) }
	up := func(at, n int) float64 { // all weights, by those within a line of n
		in, all := 0.0, 0.0
		for d := -10 * n; d <= 10*n; d++ {
			all += weight(d)
			if at+d >= 0 && at+d < n {
				in += weight(d)
			}
		}
		return all / in
	}
	xs, ys := make([]float64, cols), make([]float64, rows)
	for x := range xs {
		xs[x] = up(x, cols)
	}
	for y := range ys {
		ys[y] = up(y, rows)
	}
	out := make([]float64, len(plane))
	for i := range out {
		for j, v := range plane {
			if v != 0 {
				out[i] += v * weight(i%cols-j%cols) * weight(i/cols-j/cols)
			}
		}
		out[i] *= xs[i%cols] * ys[i/cols]
	}
	return out
}

// Smoothed counts and sums are those of the reference, the same bits on any number of threads and however the points
// come; counts themselves stay what they are.
func TestSmoothedCellsAreThoseOfTheReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 7))
	for round := range 8 {
		c := randomCloud(rng, 1+rng.IntN(3000), 2)
		proj := eye(rng, 2, 60+rng.IntN(60), 50+rng.IntN(40))
		how := Settings{Mode: "density", Size: 2 + rng.Float64()*4, Smooth: 1 + rng.Float64()*9, Shown: Means}
		style := Style{Table: tableOf(plain()), DimUnselected: round%2 == 0}
		one, many, bare := New(1), New(5), New(2)
		one.Begin(proj, how)
		one.Draw(c.Points, style, 0, c.n)
		many.Begin(proj, how)
		many.Draw(c.Points, style, 0, c.n/2)
		many.Levels() // a frame shows the first half
		many.Draw(c.Points, style, c.n/2, c.n)
		sharp := how
		sharp.Smooth = 0
		bare.Begin(proj, sharp)
		bare.Draw(c.Points, style, 0, c.n)
		one.Levels()
		many.Levels()
		m := one.shown.(*means)
		if !slices.Equal(one.soft, many.soft) || !slices.Equal(m.of.soft, many.shown.(*means).of.soft) {
			t.Fatal("five threads and two parts smooth otherwise")
		}
		if !slices.Equal(one.count, bare.count) || !slices.Equal(m.of.cells, bare.shown.(*means).of.cells) {
			t.Fatal("smoothing changes counts or sums")
		}
		cols, side := one.grid.Rows()
		planes := [3][]float64{}
		for i := range one.count {
			planes[0] = append(planes[0], float64(one.Count(i)))
			planes[1] = append(planes[1], m.of.cells[i].of)
			planes[2] = append(planes[2], m.of.cells[i].n)
		}
		for k, plane := range planes {
			most := 0.0
			for _, x := range plane {
				most = max(most, math.Abs(x))
			}
			for i, want := range gaussianOf(plane, cols, side, how.Smooth) {
				got := []float64{one.soft[i], m.of.soft[i].of, m.of.soft[i].n}[k]
				if math.Abs(got-want) > 1e-6*max(most, 1) {
					t.Fatalf("plane %d, cell %d of a row of %d: %g, and the reference has %g", k, i, cols, got, want)
				}
			}
		}
	}
}

// A point by itself is 1 in its own cell, and is painted as far as it is half of that.
func TestASmoothedPointIsADisc(t *testing.T) {
	proj := eye(rand.New(rand.NewPCG(1, 1)), 2, 100, 80)
	c := New(2)
	c.Begin(proj, Settings{Mode: "density", Size: 1, Smooth: 5})
	c.Draw(splat.Points{Dims: 2, Pos: []float32{2, 2}}, Style{Table: tableOf(plain())}, 0, 1)
	c.Levels()
	painted := 0
	for i := range c.count {
		if c.has(i) {
			painted++
		}
	}
	// exp(-r²/50) is a half where r² is 34.66
	// The edge is near, which takes the middle a little above 1.
	if area := math.Pi * 34.66; math.Abs(float64(painted)-area) > 12 || math.Abs(slices.Max(c.soft)-1) > 0.02 {
		t.Errorf("%d pixels are painted, and %.0f are a disc; its middle has %g", painted, area, slices.Max(c.soft))
	}
}

// Shares and medians of cells are those of all of their points.
func TestCellsSayMediansAndShares(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 9))
	for round := range 10 {
		c := randomCloud(rng, 1+rng.IntN(20_000), 2)
		named := c.labelled(rng, 4)
		proj := eye(rng, 2, 90, 70)
		mode := []string{"density", "hexagons"}[round%2]
		style := Style{Table: tableOf(plain()), DimUnselected: round%3 == 0}
		draw := func(p cloud, shown Shown) *Canvas {
			x := New(3)
			x.Begin(proj, Settings{Mode: mode, Size: 9, Shown: shown, Label: 2})
			x.Draw(p.Points, style, 0, p.n/3)
			x.Draw(p.Points, style, p.n/3, p.n)
			x.finish()
			return x
		}
		parts, middles := draw(named, Shares), draw(c, Medians)
		values, labels := map[int][]float32{}, map[int][2]float64{}
		for i := range c.n {
			x, y, ok := pixelOf(&proj, c.Pos[2*i:2*i+2])
			if !ok || c.States[i]&splat.Hidden != 0 || style.DimUnselected && c.States[i]&splat.Selected == 0 {
				continue
			}
			cell := referenceCell(t, parts.grid, x, y)
			if cell < 0 {
				continue
			}
			if v := c.Values[i]; v == v {
				values[cell] = append(values[cell], v)
			}
			l := labels[cell]
			if l[1]++; named.Values[i] == 2 {
				l[0]++
			}
			labels[cell] = l
		}
		for cell, l := range labels {
			if got, _ := parts.shown.(*shares).of.mean(cell); got != l[0]/l[1] {
				t.Fatalf("%s: a share of %g, and %g of %g points have the label", mode, got, l[0], l[1])
			}
			v, want := values[cell], math.NaN()
			slices.Sort(v)
			if n := len(v); n > 0 {
				want = (float64(v[(n-1)/2]) + float64(v[n/2])) / 2
			}
			if got := middles.shown.(*medians).of[cell]; got != want && (got == got || want == want) {
				t.Fatalf("%s: a median of %g, and of %v it is %g", mode, got, v, want)
			}
		}
	}
}

// The places of amounts lie between those of the whole numbers around them, on every scale.
func TestAmountsLieBetweenCounts(t *testing.T) {
	counts := []int32{1, 1, 2, 3, 3, 9, 40, 41}
	for _, scale := range density.Scales {
		l := scale.Levels(counts)
		last := -1.0
		for x := 0.0; x < 45; x += 0.25 {
			at := l.Place(x)
			if at < last || at < 0 || at > 1 {
				t.Errorf("%s: %g lies at %g after %g", scale.Word(), x, at, last)
			}
			if n := int32(x); x == float64(n) && math.Abs(at-l.At(n)) > 1e-6 {
				t.Errorf("%s: %g lies at %g, and as a count at %g", scale.Word(), x, at, l.At(n))
			}
			last = at
		}
	}
}
