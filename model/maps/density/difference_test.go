package density

import (
	"math"
	"math/rand/v2"
	"testing"
)

// drawn are points of samples in two groups: samples of the second have a share more of their points in the island at
// (20, 20), the rest lies around the origin.
func drawn(r *rand.Rand, samples []int, each int, more float64) (pos []float32, g Groups) {
	g.Samples = len(samples)
	for s, group := range samples {
		for range each * (1 + s%3) { // samples of different sizes
			x, y := 3*r.NormFloat64(), 3*r.NormFloat64()
			if r.Float64() < 0.2+more*float64(group) {
				x, y = 20+r.NormFloat64(), 20+r.NormFloat64()
			}
			pos = append(pos, float32(x), float32(y))
			g.Group, g.Sample = append(g.Group, int8(group)), append(g.Sample, int32(s))
		}
	}
	return pos, g
}

var around = [2][3]float64{{-40, -40}, {40, 40}}

func differ(t *testing.T, pos []float32, g Groups) *Contrast {
	t.Helper()
	c, err := Difference(t.Context(), pos, 2, around[0], around[1], g)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A difference that was put in comes out: an island with twice the share of the points is at log2 of about 1, what has
// a little less for it a little below 0; and of groups that are drawn alike nearly all is noise.
func TestDifferencesAreThoseThatWereMade(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, samples := range map[string][]int{"one sample each": {0, 1}, "two": {0, 1, 0, 1},
		"six": {0, 1, 0, 1, 0, 1}} {
		pos, g := drawn(r, samples, 3000, 0.2)
		c := differ(t, pos, g)
		if log, noise := c.At([]float32{20, 20}); noise || math.Abs(log-1) > 0.2 {
			t.Errorf("%s: the island is at %.2f, noise %v", name, log, noise)
		}
		if log, _ := c.At([]float32{0, 0}); math.Abs(log-math.Log2(0.6/0.8)) > 0.2 {
			t.Errorf("%s: the rest is at %.2f", name, log)
		}
		pos, g = drawn(r, samples, 3000, 0)
		c, sure := differ(t, pos, g), 0
		for i := 0; i < len(pos); i += 2 {
			if _, noise := c.At(pos[i : i+2]); !noise {
				sure++
			}
		}
		if share := float64(sure) / float64(len(g.Group)); share > 0.25 {
			t.Errorf("%s: of groups that are alike %.0f %% of the points differ", name, 100*share)
		}
	}
}

// About one point in twenty differs between groups of three samples that are drawn alike: the noise that so few samples
// have between them is known badly, which is allowed for.
func TestFewSamplesDrawnAlikeSeldomDiffer(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	sure, all := 0, 0
	for range 20 {
		pos, g := drawn(r, []int{0, 1, 0, 1, 0, 1}, 1000, 0)
		c := differ(t, pos, g)
		for i := 0; i < len(pos); i += 2 {
			if _, noise := c.At(pos[i : i+2]); !noise {
				sure++
			}
			all++
		}
	}
	if share := float64(sure) / float64(all); share > 0.07 {
		t.Errorf("of three samples against three, drawn alike, %.1f %% of the points differ", 100*share)
	}
}

// Copies of one sample do not differ, however many a group has: what sums lose to rounding is no difference.
func TestCopiesOfASampleDoNotDiffer(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	one := make([]float32, 1000)
	for i := range one {
		one[i] = float32(5 * r.NormFloat64())
	}
	for _, groups := range [][]int{{0, 0, 0, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 1, 1, 1}, {0, 1, 1}} {
		var pos []float32
		g := Groups{Samples: len(groups)}
		for s, group := range groups {
			pos = append(pos, one...)
			for range len(one) / 2 {
				g.Group, g.Sample = append(g.Group, int8(group)), append(g.Sample, int32(s))
			}
		}
		c := differ(t, pos, g)
		for i := 0; i < len(one); i += 2 {
			if log, noise := c.At(one[i : i+2]); !noise {
				t.Fatalf("%v: at %v there is a difference of %g", groups, one[i:i+2], log)
			}
		}
	}
}

// A sample that is larger than the others counts no more than they do.
func TestSamplesWeighAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var pos []float32
	g := Groups{Samples: 4}
	for s, c := range []struct{ group, n, island int }{{0, 1000, 500}, {1, 100, 100}, {1, 900, 0}, {1, 1000, 500}} {
		for i := range c.n {
			x := r.NormFloat64()
			if i < c.island {
				x += 20
			}
			pos = append(pos, float32(x), float32(r.NormFloat64()))
			g.Group, g.Sample = append(g.Group, int8(c.group)), append(g.Sample, int32(s))
		}
	}
	c := differ(t, pos, g)
	// the second group has (1 + 0 + 0.5)/3 there, the first 0.5
	if log, noise := c.At([]float32{20, 0}); math.Abs(log) > 0.1 || !noise {
		t.Errorf("the island is at %.2f, noise %v", log, noise)
	}
}

// The standard errors of counts are those that drawing the same again and again has.
func TestNoiseOfCountsIsThatOfDrawingAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	place := []float32{1, -2}
	var sum, squares, said float64
	const times = 60
	for range times {
		var pos []float32
		g := Groups{Samples: 2, Group: make([]int8, 2000), Sample: make([]int32, 2000)}
		for i := range g.Group {
			pos = append(pos, float32(80*r.Float64()-40), float32(80*r.Float64()-40))
			g.Group[i], g.Sample[i] = int8(i%2), int32(i%2)
		}
		c := differ(t, pos, g)
		at, _, _ := c.box.place(place)
		d, v := 0.0, 0.0
		c.sides[0].density.around(at, func(cell int, w float64) {
			d += w * c.sides[0].density.count[cell]
			v += w * c.sides[0].variance.count[cell]
		})
		sum, squares, said = sum+d, squares+d*d, said+v
	}
	sd := math.Sqrt(squares/times - sum*sum/times/times)
	if said := math.Sqrt(said / times); said < 0.75*sd || said > 1.33*sd {
		t.Errorf("the standard error is said to be %g, it is %g", said, sd)
	}
}

// The noise between samples is the standard error of their mean, as a loop over them has it.
func TestNoiseBetweenSamplesIsThatOfTheirMean(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	samples := []int{0, 1, 0, 1, 0, 1, 1}
	pos, g := drawn(r, samples, 200, 0.1)
	c := differ(t, pos, g)
	sigma := 0.0
	for group, side := range c.sides {
		var total [2]int
		for i := range g.Group {
			total[g.Group[i]]++
		}
		sigma = width(flatCells, min(total[0], total[1]), 2, narrow)
		var ds [][]float64
		for s, of := range samples {
			if of != group {
				continue
			}
			one := placed{dims: 2, cells: flatCells, low: around[0], high: around[1]}
			for i := range g.Group {
				if int(g.Sample[i]) == s {
					one.pos = append(one.pos, pos[2*i], pos[2*i+1])
				}
			}
			h, n, err := one.histogram(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			h.smooth(0, sigma)
			h.smooth(1, sigma)
			for k := range h.count {
				h.count[k] /= float64(n)
			}
			ds = append(ds, h.count)
		}
		m := float64(len(ds))
		for k := 0; k < len(side.density.count); k += 97 {
			mean, v := 0.0, 0.0
			for _, d := range ds {
				mean += d[k] / m
			}
			for _, d := range ds {
				v += (d[k] - mean) * (d[k] - mean) / (m - 1) / m
			}
			if math.Abs(mean-side.density.count[k]) > 1e-12 || math.Abs(v-side.variance.count[k]) > 1e-12 {
				t.Fatalf("cell %d: %g ± %g, %g ± %g is wanted", k, side.density.count[k], side.variance.count[k], mean,
					v)
			}
		}
	}
}

// Few points, none, points nowhere, groups without points, and three dimensions.
func TestDifferencesOfFewPoints(t *testing.T) {
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		pos []float32
		g   Groups
	}{
		"none":      {},
		"one":       {[]float32{0, 0}, Groups{[]int8{0}, []int32{0}, 1}},
		"nowhere":   {[]float32{nan, 0, 1, nan}, Groups{[]int8{0, 1}, []int32{0, 0}, 1}},
		"one group": {[]float32{1, 0, 1, 1}, Groups{[]int8{1, 1}, []int32{0, 1}, 2}},
		"neither":   {[]float32{1, 0, 1, 1}, Groups{[]int8{-1, -1}, []int32{0, -1}, 2}},
		"two":       {[]float32{1, 0, -1, 1}, Groups{[]int8{0, 1}, []int32{0, 0}, 1}},
	} {
		d := differ(t, c.pos, c.g)
		for _, place := range [][]float32{{0, 0}, {nan, 0}, {1, 0}, {1e30, -1e30}} {
			log, noise := d.At(place)
			if !noise {
				t.Errorf("%s: at %v there is a difference of %g", name, place, log)
			}
			if math.IsInf(log, 0) {
				t.Errorf("%s: at %v it is %g", name, place, log)
			}
		}
	}
	r := rand.New(rand.NewPCG(9, 10))
	var pos []float32
	g := Groups{Samples: 2}
	for i := range 4000 {
		x := r.NormFloat64()
		if i%2 == 1 && i%4 == 1 {
			x += 20
		}
		pos = append(pos, float32(x), float32(r.NormFloat64()), float32(r.NormFloat64()))
		g.Group, g.Sample = append(g.Group, int8(i%2)), append(g.Sample, int32(i%2))
	}
	d, err := Difference(t.Context(), pos, 3, [3]float64{-30, -30, -30}, [3]float64{30, 30, 30}, g)
	if err != nil {
		t.Fatal(err)
	}
	if log, noise := d.At([]float32{20, 0, 0}); noise || log < 3 {
		t.Errorf("in three dimensions the island is at %.2f, noise %v", log, noise)
	}
}
